import { Injectable } from '@nestjs/common';
import { taskChangeAcknowledged, type DataOf, type Envelope, type SyncField, type TenantContext } from '@tandem/contracts';
import { Consumes, Jobs } from '@tandem/messaging';
import type { IntegrationsTx } from '../schema';
import { copyOf } from '../ticket-copy/ticket-copy';
import { isConnected, saveCopy, markLinkDue } from '../ticket-copy/ticket-copy.store';
import { oldestPending } from '../merge/pending-changes';
import { fieldCalled, named } from '../merge/compare';
import { ticketView } from '../merge/fields';
import { acknowledge } from '../merge/merge';
import { logSync } from '../engine/sync-log.store';
import { scheduleSync } from '../engine/schedule-sync';
import { findLinkForUpdate } from '../engine/sync-link.store';
import { updateLinks } from '../engine/link-state';

/** Handles the answer to each change that came from a task: which fields the ticket accepted, and why it refused the others. */
@Injectable()
export class ChangeAcknowledgements {
  constructor(private readonly jobs: Jobs) {}

  /** The answer includes the ticket, which is saved before anything is compared: an older copy would look like a change by a person. */
  @Consumes(taskChangeAcknowledged, { name: 'task-change-acknowledgements', from: 'now' })
  async onAcknowledged(
    ctx: TenantContext,
    { ticket, accepted, refused }: DataOf<typeof taskChangeAcknowledged>,
    tx: IntegrationsTx,
    { sequence }: Envelope,
  ) {
    if (!(await isConnected(tx, ticket.organization_id))) return;
    const { now: copy } = await saveCopy(tx, copyOf(ticket, sequence));
    // Regardless of the state of the link and its integration, because the answer is not sent a second time.
    const link = await findLinkForUpdate(tx, ticket.id);
    if (!link) return;
    const integration = { organization_id: link.organization_id, id: link.integration_id };
    const oldest = oldestPending(link.shadow);
    const reasons = new Map(Object.entries(refused).map(([name, reason]) => [fieldCalled(name), reason]));
    const current = ticketView(copyOf(ticket, sequence));
    const shadow = Object.fromEntries(
      Object.entries(link.shadow).map(([field, before]) => [
        field,
        acknowledge(before, current[field as SyncField], reasons.has(field as SyncField) || before.pending_since === oldest),
      ]),
    );
    const fields = accepted.flatMap((name) => fieldCalled(name) ?? []);
    if (fields.length > 0)
      await logSync(tx, integration, {
        level: 'info',
        ticket: copy,
        direction: 'to_ticket',
        message: `Applied to the ticket: ${named(fields)}`,
      });
    for (const [field, message] of reasons)
      await logSync(tx, integration, {
        level: 'warning',
        ticket: copy,
        direction: 'to_ticket',
        message: `The ticket did not accept it: ${message}`,
        ...(field && { field }),
      });
    await updateLinks(tx)
      .set({ shadow: JSON.stringify(shadow) })
      .where('ticket_id', '=', ticket.id)
      .execute();
    // A superseded field, or a change that arrived with this answer before its own event, still has to be compared.
    if (await markLinkDue(tx, ticket.id)) scheduleSync(this.jobs, tx, ctx, link.connection_id);
  }
}
