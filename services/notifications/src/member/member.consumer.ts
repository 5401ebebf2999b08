import { Injectable } from '@nestjs/common';
import { memberJoined, memberUpdated, type Context, type DataOf, type Envelope } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { Consumes } from '@tandem/messaging';
import type { NotificationsSchema } from '../schema';
import { saveMember } from './member.store';

/** Stores the recipients of staff notifications: address, name, role and whether the member is active. */
@Injectable()
export class MemberProjection {
  @Consumes(memberJoined, { name: 'member-joined-projection', from: 'beginning' })
  onMemberJoined(_ctx: Context, data: DataOf<typeof memberJoined>, tx: Tx<NotificationsSchema>, envelope: Envelope): Promise<void> {
    return saveMember(tx, data.member, envelope.sequence);
  }

  @Consumes(memberUpdated, { name: 'member-updated-projection', from: 'beginning' })
  onMemberUpdated(_ctx: Context, data: DataOf<typeof memberUpdated>, tx: Tx<NotificationsSchema>, envelope: Envelope): Promise<void> {
    return saveMember(tx, data.member, envelope.sequence);
  }
}
