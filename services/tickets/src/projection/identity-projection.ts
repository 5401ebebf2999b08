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
import { saveMailLabel } from '../mail-in/inbound.store';
import type { TicketsTx } from '../schema';
import { saveWidget } from '../widget/widget.store';
import { saveMember, saveOrganization } from './identity-projection.store';

/**
 * A copy of identity's organizations and members, for ticket number prefixes, possible assignees, names in the list, and the widget secret
 * that verifies visitors.
 */
@Injectable()
export class IdentityProjection {
  @Consumes(organizationCreated, { name: 'organization-created-projection', from: 'beginning' })
  saveNewOrganization(_ctx: Context, data: DataOf<typeof organizationCreated>, tx: TicketsTx, envelope: Envelope): Promise<void> {
    return keep(tx, data.organization, envelope);
  }

  @Consumes(organizationUpdated, { name: 'organization-updated-projection', from: 'beginning' })
  saveChangedOrganization(_ctx: Context, data: DataOf<typeof organizationUpdated>, tx: TicketsTx, envelope: Envelope): Promise<void> {
    return keep(tx, data.organization, envelope);
  }

  @Consumes(memberJoined, { name: 'member-joined-projection', from: 'beginning' })
  saveNewMember(_ctx: Context, data: DataOf<typeof memberJoined>, tx: TicketsTx, envelope: Envelope): Promise<void> {
    return saveMember(tx, data.member, envelope.sequence);
  }

  @Consumes(memberUpdated, { name: 'member-updated-projection', from: 'beginning' })
  saveChangedMember(_ctx: Context, data: DataOf<typeof memberUpdated>, tx: TicketsTx, envelope: Envelope): Promise<void> {
    return saveMember(tx, data.member, envelope.sequence);
  }

  @Consumes(widgetUpdated, { name: 'widget-projection', from: 'beginning' })
  saveWidget(_ctx: Context, data: DataOf<typeof widgetUpdated>, tx: TicketsTx, envelope: Envelope): Promise<void> {
    return saveWidget(tx, data, envelope.sequence);
  }
}

/** Its subdomain is also an email address. An organization that changes it keeps the old one until another organization takes it. */
async function keep(tx: TicketsTx, organization: Organization, { sequence, time }: Envelope): Promise<void> {
  await saveOrganization(tx, organization, sequence);
  await saveMailLabel(tx, organization, time);
}
