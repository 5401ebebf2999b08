import { Injectable } from '@nestjs/common';
import { taskChangeSettled, type Context, type DataOf, type Envelope } from '@tandem/contracts';
import { Consumes, Jobs } from '@tandem/messaging';
import type { IntegrationsTx } from '../schema';
import { copyOf } from '../ticket-copy/ticket-copy';
import { isConnected, keepCopy, markLink } from '../ticket-copy/ticket-copy.store';
import { oldestQuestion } from './awaiting';
import { fieldCalled, named } from './compare';
import { ticketView } from './fields';
import { settle, type Shadow } from './merge';
import { note } from './sync-log.store';
import { wakeConnection } from './wake';
import { findLinkForUpdate } from './work.store';

/** Handles the answer of tickets to each change that came from a task: which fields the ticket accepted, and why it refused the others. */
@Injectable()
export class SettledChanges {
  constructor(private readonly jobs: Jobs) {}

  /** The answer includes the ticket, which is saved before anything is compared: an older copy would look like a change by a person. */
  @Consumes(taskChangeSettled, { name: 'task-change-acknowledgements', from: 'now' })
  async onSettled(
    ctx: Context,
    { ticket, accepted, refused }: DataOf<typeof taskChangeSettled>,
    tx: IntegrationsTx,
    { sequence }: Envelope,
  ) {
    if (!(await isConnected(tx, ticket.organization_id))) return;
    const { now: copy } = await keepCopy(tx, copyOf(ticket, sequence));
    // Regardless of the state of the link and its integration, because the answer is not sent a second time.
    const link = await findLinkForUpdate(tx, ticket.id);
    if (!link) return;
    const integration = { organization_id: link.organization_id, id: link.integration_id };
    const oldest = oldestQuestion(link.shadow);
    const reasons = new Map(Object.entries(refused).map(([name, reason]) => [fieldCalled(name), reason]));
    const held = ticketView(copyOf(ticket, sequence));
    const shadow = Object.fromEntries(
      Object.entries(link.shadow).map(([field, before]) => [
        field,
        settle(before, held[field as keyof Shadow], reasons.has(field as keyof Shadow) || before.awaiting_since === oldest),
      ]),
    );
    const taken = accepted.flatMap((name) => fieldCalled(name) ?? []);
    if (taken.length > 0)
      await note(tx, integration, {
        ...{ level: 'info', ticket: copy, direction: 'to_ticket', message: `Brought to the ticket: ${named(taken)}` },
      });
    for (const [field, message] of reasons)
      await note(tx, integration, {
        ...{ level: 'warning', ticket: copy, direction: 'to_ticket', message: `The ticket did not take it: ${message}` },
        ...(field && { field }),
      });
    await tx
      .updateTable('links')
      .set({ shadow: JSON.stringify(shadow) })
      .where('ticket_id', '=', ticket.id)
      .execute();
    // A superseded field, or a change that arrived with this answer before its own event, still has to be compared.
    if (await markLink(tx, ticket.id)) wakeConnection(this.jobs, tx, ctx, link.connection_id);
  }
}
