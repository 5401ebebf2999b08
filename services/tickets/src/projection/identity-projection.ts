import { Injectable } from '@nestjs/common';
import {
  memberJoined,
  memberUpdated,
  organizationCreated,
  organizationUpdated,
  type Context,
  type DataOf,
  type Envelope,
} from '@tandem/contracts';
import { Consumes } from '@tandem/messaging';
import type { TicketsTx } from '../schema';
import { keepMember, keepOrganization } from './identity-projection.store';

/** What tickets must know of identity's organizations and members: the prefix of numbers, who can be an assignee, names for the list. */
@Injectable()
export class IdentityProjection {
  @Consumes(organizationCreated, { from: 'beginning' })
  keepNewOrganization(_ctx: Context, data: DataOf<typeof organizationCreated>, tx: TicketsTx, envelope: Envelope): Promise<void> {
    return keepOrganization(tx, data.organization, envelope.sequence);
  }

  @Consumes(organizationUpdated, { from: 'beginning' })
  keepChangedOrganization(_ctx: Context, data: DataOf<typeof organizationUpdated>, tx: TicketsTx, envelope: Envelope): Promise<void> {
    return keepOrganization(tx, data.organization, envelope.sequence);
  }

  @Consumes(memberJoined, { from: 'beginning' })
  keepNewMember(_ctx: Context, data: DataOf<typeof memberJoined>, tx: TicketsTx, envelope: Envelope): Promise<void> {
    return keepMember(tx, data.member, envelope.sequence);
  }

  @Consumes(memberUpdated, { from: 'beginning' })
  keepChangedMember(_ctx: Context, data: DataOf<typeof memberUpdated>, tx: TicketsTx, envelope: Envelope): Promise<void> {
    return keepMember(tx, data.member, envelope.sequence);
  }
}
