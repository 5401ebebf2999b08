import { Injectable } from '@nestjs/common';
import { organizationUpdated, ticketPrefixChanged, type Context, type DataOf, type Envelope } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { Consumes, emit } from '@tandem/messaging';
import { recordAudit } from '../audit/audit.store';
import type { IdentityTables } from '../schema';
import { saveTicketPrefix } from './organization.store';

/** Copies changes to the ticket prefix, which the tickets service owns because it numbers tickets, to the organization and to the log. */
@Injectable()
export class TicketPrefixConsumer {
  @Consumes(ticketPrefixChanged, { name: 'ticket-prefix-projection', from: 'beginning' })
  async applyPrefix(
    ctx: Context,
    { organization_id, prefix, previous }: DataOf<typeof ticketPrefixChanged>,
    tx: Tx<IdentityTables>,
    { actor, client, sequence }: Envelope,
  ): Promise<void> {
    const organization = await saveTicketPrefix(tx, organization_id, prefix, sequence);
    if (organization) await emit(tx, ctx, organizationUpdated, organization_id, { organization });
    const changes = { ticket_prefix: { from: previous, to: prefix } };
    await recordAudit(
      tx,
      { actor, ...(client ? { client } : {}) },
      { type: 'organization.updated', organization_id, target: organization?.name ?? null, changes },
    );
  }
}
