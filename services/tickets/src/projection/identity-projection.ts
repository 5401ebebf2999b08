import { Injectable } from '@nestjs/common';
import {
  memberJoined,
  memberUpdated,
  organizationCreated,
  organizationUpdated,
  widgetUpdated,
  type Context,
  type DataOf,
  type Envelope,
  type Organization,
} from '@tandem/contracts';
import { Consumes } from '@tandem/messaging';
import { keepMailLabel } from '../mail-in/inbound.store';
import type { TicketsTx } from '../schema';
import { keepWidget } from '../widget/widget.store';
import { keepMember, keepOrganization } from './identity-projection.store';

/** What tickets must know of identity's organizations and members: the prefix of numbers, who can be an assignee, names for the list, whose word counts in the widget. */
@Injectable()
export class IdentityProjection {
  @Consumes(organizationCreated, { from: 'beginning' })
  keepNewOrganization(_ctx: Context, data: DataOf<typeof organizationCreated>, tx: TicketsTx, envelope: Envelope): Promise<void> {
    return keep(tx, data.organization, envelope);
  }

  @Consumes(organizationUpdated, { from: 'beginning' })
  keepChangedOrganization(_ctx: Context, data: DataOf<typeof organizationUpdated>, tx: TicketsTx, envelope: Envelope): Promise<void> {
    return keep(tx, data.organization, envelope);
  }

  @Consumes(memberJoined, { from: 'beginning' })
  keepNewMember(_ctx: Context, data: DataOf<typeof memberJoined>, tx: TicketsTx, envelope: Envelope): Promise<void> {
    return keepMember(tx, data.member, envelope.sequence);
  }

  @Consumes(memberUpdated, { from: 'beginning' })
  keepChangedMember(_ctx: Context, data: DataOf<typeof memberUpdated>, tx: TicketsTx, envelope: Envelope): Promise<void> {
    return keepMember(tx, data.member, envelope.sequence);
  }

  @Consumes(widgetUpdated, { from: 'beginning' })
  keepWidget(_ctx: Context, data: DataOf<typeof widgetUpdated>, tx: TicketsTx, envelope: Envelope): Promise<void> {
    return keepWidget(tx, data, envelope.sequence);
  }
}

/** Its subdomain is an address for mails, too: also one that it has given up since, until somebody else takes it. */
async function keep(tx: TicketsTx, organization: Organization, { sequence, time }: Envelope): Promise<void> {
  await keepOrganization(tx, organization, sequence);
  await keepMailLabel(tx, organization, time);
}
