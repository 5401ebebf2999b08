import { Injectable } from '@nestjs/common';
import {
  ticketCommentAdded,
  ticketCreated,
  ticketSnapshot,
  ticketsTold,
  ticketUpdated,
  type Context,
  type DataOf,
  type Envelope,
  type Ticket,
} from '@tandem/contracts';
import { Consumes, Jobs } from '@tandem/messaging';
import type { IntegrationsTx, TicketCopy } from '../schema';
import { wakeConnection } from '../sync/wake';
import { commentForTask, copyOf, isForTask, isWorkedOn, matches, mayTravel } from './ticket-copy';
import {
  countCopies,
  findCommentTarget,
  findIntegrations,
  findLinkOf,
  insertNewLink,
  insertPendingComment,
  isConnected,
  keepCopy,
  markLink,
  noteTicketsTold,
} from './ticket-copy.store';

/** `ticketsTold` may arrive before all of the ticket snapshots: it is retried soon, for about ten minutes. */
const untilAllArrived = { attempts: 60, backoffMs: [500, 1_000, 2_000, 5_000, 10_000] };

/**
 * Consumes ticket events: saves a copy of the ticket if its organization has a connection, makes its link due, and creates a link for a
 * ticket that matches the rules. Every other decision is left to `decide()`.
 */
@Injectable()
export class TicketCopies {
  constructor(private readonly jobs: Jobs) {}

  @Consumes(ticketCreated, { name: 'ticket-created-copy', from: 'now' })
  async onTicketCreated(ctx: Context, { ticket }: DataOf<typeof ticketCreated>, tx: IntegrationsTx, { sequence }: Envelope) {
    if (await isConnected(tx, ticket.organization_id)) await this.takeIn(tx, ctx, ticket, sequence, { mayMakeTask: true });
  }

  /** A change that came from the task is saved but wakes no sync: the sync waits for its answer, `ticket.task_change_settled`. */
  @Consumes(ticketUpdated, { name: 'ticket-updated-copy', from: 'now' })
  async onTicketUpdated(ctx: Context, { ticket }: DataOf<typeof ticketUpdated>, tx: IntegrationsTx, { sequence, actor }: Envelope) {
    if (!(await isConnected(tx, ticket.organization_id))) return;
    await this.takeIn(tx, ctx, ticket, sequence, { mayMakeTask: true, isEcho: actor.type === 'task-tool' });
  }

  /** Tickets from before the connection get tasks only through a backfill, not through their snapshots. */
  @Consumes(ticketSnapshot, { name: 'ticket-snapshot-copy', from: 'now' })
  async onTicketTold(ctx: Context, { ticket }: DataOf<typeof ticketSnapshot>, tx: IntegrationsTx, { sequence }: Envelope) {
    if (await isConnected(tx, ticket.organization_id)) await this.takeIn(tx, ctx, ticket, sequence, {});
  }

  /** A comment's event may arrive before its ticket's event, which creates the link, so the event includes the ticket. */
  @Consumes(ticketCommentAdded, { name: 'comment-copy', from: 'now' })
  async onComment(ctx: Context, { ticket, comment }: DataOf<typeof ticketCommentAdded>, tx: IntegrationsTx, { sequence, actor }: Envelope) {
    if (!(await isConnected(tx, ticket.organization_id))) return;
    await this.takeIn(tx, ctx, ticket, sequence, { mayMakeTask: true, isEcho: actor.type === 'task-tool' });
    if (!isForTask(comment)) return;
    const target = await findCommentTarget(tx, ticket.id);
    if (!target) return;
    const { organization_id, id: ticket_id } = ticket;
    const content = commentForTask(comment, ticket);
    const pending = { organization_id, ticket_id, comment_id: comment.id, content, created_at: comment.created_at };
    if (!(await insertPendingComment(tx, pending))) return;
    await markLink(tx, ticket.id);
    wakeConnection(this.jobs, tx, ctx, target.connection_id);
  }

  @Consumes(ticketsTold, { name: 'ticket-snapshot-completion', from: 'now', ...untilAllArrived })
  async onAllTold(ctx: Context, { connection_id, count }: DataOf<typeof ticketsTold>, tx: IntegrationsTx) {
    if (ctx.organization_id === null || !(await isConnected(tx, ctx.organization_id))) return;
    const kept = await countCopies(tx);
    if (kept < count) throw new Error(`${count} tickets were told and ${kept} have arrived`);
    await noteTicketsTold(tx, connection_id);
  }

  private async takeIn(
    tx: IntegrationsTx,
    ctx: Context,
    ticket: Ticket,
    sequence: number,
    how: { mayMakeTask?: boolean; isEcho?: boolean },
  ) {
    const { isKept, before, now } = await keepCopy(tx, copyOf(ticket, sequence));
    const link = await findLinkOf(tx, ticket.id);
    if (!link) {
      // Also for an event that arrived too late to be saved: the snapshot that arrived before it created no task.
      if (how.mayMakeTask) await this.makeLink(tx, ctx, now);
    } else if (isKept && !how.isEcho && mayTravel(before, now) && (await markLink(tx, ticket.id)))
      wakeConnection(this.jobs, tx, ctx, link.connection_id);
  }

  /** Tickets from before an integration get tasks only through its backfill: editing an old ticket creates none. */
  private async makeLink(tx: IntegrationsTx, ctx: Context, copy: TicketCopy) {
    if (!isWorkedOn(copy)) return;
    const integrations = await findIntegrations(tx, copy.organization_id);
    const integration = integrations.find(({ rules, created_at }) => copy.created_at >= created_at && matches(rules, copy));
    if (!integration) return;
    const { id: integration_id, connection_id } = integration;
    const { organization_id, ticket_id } = copy;
    if (await insertNewLink(tx, { organization_id, ticket_id, integration_id, connection_id }))
      wakeConnection(this.jobs, tx, ctx, connection_id);
  }
}
