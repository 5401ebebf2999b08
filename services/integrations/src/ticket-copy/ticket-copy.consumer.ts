import { Injectable } from '@nestjs/common';
import {
  importChanged,
  taskToolConnected,
  ticketCommentAdded,
  ticketCreated,
  ticketSnapshot,
  ticketSnapshotCompleted,
  ticketUpdated,
  type Context,
  type DataOf,
  type Envelope,
  type Ticket,
  type TenantContext,
} from '@tandem/contracts';
import { Consumes, ConsumesBatch, emit, Jobs, NotTogether, type BatchedEvent } from '@tandem/messaging';
import type { IntegrationsTx, TicketCopy } from '../schema';
import { findConnections } from '../connection/connection.store';
import { scheduleSync } from '../engine/schedule-sync';
import { commentForTask, copyOf, isForTask, isUnresolved, matches, hasSyncedChange } from './ticket-copy';
import {
  countCopies,
  findCommentTarget,
  findIntegrations,
  findLinkOf,
  insertNewLink,
  insertPendingComment,
  isConnected,
  saveCopy,
  markLinkDue,
  recordExportCompleted,
} from './ticket-copy.store';

/** `ticketSnapshotCompleted` may arrive before all of the ticket snapshots: it is retried soon, for about ten minutes. */
const retryUntilComplete = { attempts: 60, backoffMs: [500, 1_000, 2_000, 5_000, 10_000] };

/** The new tickets of a busy organization are copied together. */
export const copyIntervalMs = 250;

/**
 * Consumes ticket events: saves a copy of the ticket if its organization has a connection, makes its link due, and creates a link for a
 * ticket that matches the rules. Every other decision is left to `decide()`.
 */
@Injectable()
export class TicketCopies {
  constructor(private readonly jobs: Jobs) {}

  @ConsumesBatch(ticketCreated, { name: 'ticket-created-copy', from: 'now', intervalMs: copyIntervalMs })
  async onTicketsCreated(events: readonly BatchedEvent<DataOf<typeof ticketCreated>, TenantContext>[], tx: IntegrationsTx) {
    if (!(await isConnected(tx, events[0]!.ctx.organization_id))) return;
    for (const { ctx, data, envelope } of events.toSorted((a, b) => (a.data.ticket.id < b.data.ticket.id ? -1 : 1)))
      await this.saveTicket(tx, ctx, data.ticket, envelope.sequence, { mayCreateTask: true });
  }

  /**
   * A change that came from the task is saved but schedules no sync: the sync waits for its answer, `ticket.task_change_acknowledged`. Without
   * a connection, a batch needs one transaction. With one, each ticket has its own: its link may be locked by a reconciliation of many.
   */
  @ConsumesBatch(ticketUpdated, { name: 'ticket-updated-copy', from: 'now' })
  async onTicketsUpdated(events: readonly BatchedEvent<DataOf<typeof ticketUpdated>, TenantContext>[], tx: IntegrationsTx) {
    const [{ ctx, data, envelope }] = events as [(typeof events)[number]];
    if (!(await isConnected(tx, ctx.organization_id))) return;
    if (events.length > 1) throw new NotTogether({ isConcurrent: true });
    await this.saveTicket(tx, ctx, data.ticket, envelope.sequence, { mayCreateTask: true, isEcho: envelope.actor.type === 'task-tool' });
  }

  /** Tickets from before the connection get tasks only through a backfill, not through their snapshots. */
  @Consumes(ticketSnapshot, { name: 'ticket-snapshot-copy', from: 'now' })
  async onSnapshot(ctx: TenantContext, { ticket }: DataOf<typeof ticketSnapshot>, tx: IntegrationsTx, { sequence }: Envelope) {
    if (await isConnected(tx, ticket.organization_id)) await this.saveTicket(tx, ctx, ticket, sequence, {});
  }

  /** A comment's event may arrive before its ticket's event, which creates the link, so the event includes the ticket. Batches: as above. */
  @ConsumesBatch(ticketCommentAdded, { name: 'comment-copy', from: 'now' })
  async onComments(events: readonly BatchedEvent<DataOf<typeof ticketCommentAdded>, TenantContext>[], tx: IntegrationsTx) {
    const [{ ctx, data, envelope }] = events as [(typeof events)[number]];
    if (!(await isConnected(tx, ctx.organization_id))) return;
    if (events.length > 1) throw new NotTogether({ isConcurrent: true });
    const { ticket, comment } = data;
    await this.saveTicket(tx, ctx, ticket, envelope.sequence, { mayCreateTask: true, isEcho: envelope.actor.type === 'task-tool' });
    if (!isForTask(comment)) return;
    const target = await findCommentTarget(tx, ticket.id);
    if (!target) return;
    const { organization_id, id: ticket_id } = ticket;
    const content = commentForTask(comment, ticket);
    const pending = { organization_id, ticket_id, comment_id: comment.id, content, created_at: comment.created_at };
    if (!(await insertPendingComment(tx, pending))) return;
    await markLinkDue(tx, ticket.id);
    scheduleSync(this.jobs, tx, ctx, target.connection_id);
  }

  /** Imported tickets have no events of their own: the snapshots of all tickets bring them, and the backfill then offers tasks for them. */
  @Consumes(importChanged, { name: 'imported-ticket-copies', from: 'now' })
  async onImportChanged(ctx: TenantContext, { what, tickets }: DataOf<typeof importChanged>, tx: IntegrationsTx) {
    if (tickets === 0 || (what !== 'finished' && what !== 'cancelled' && what !== 'failed')) return;
    for (const { id: connection_id, provider } of await findConnections(tx, ctx.organization_id))
      await emit(tx, ctx, taskToolConnected, ctx.organization_id, { connection_id, provider });
  }

  @Consumes(ticketSnapshotCompleted, { name: 'ticket-snapshot-completion', from: 'now', ...retryUntilComplete })
  async onSnapshotCompleted(ctx: Context, { connection_id, count }: DataOf<typeof ticketSnapshotCompleted>, tx: IntegrationsTx) {
    if (ctx.organization_id === null || !(await isConnected(tx, ctx.organization_id))) return;
    const copied = await countCopies(tx);
    if (copied < count) throw new Error(`${copied} of ${count} exported tickets have arrived`);
    await recordExportCompleted(tx, connection_id);
  }

  private async saveTicket(
    tx: IntegrationsTx,
    ctx: TenantContext,
    ticket: Ticket,
    sequence: number,
    options: { mayCreateTask?: boolean; isEcho?: boolean },
  ) {
    const { isSaved, before, now } = await saveCopy(tx, copyOf(ticket, sequence));
    const link = await findLinkOf(tx, ticket.id);
    if (!link) {
      // Also for an event that arrived too late to be saved: the snapshot that arrived before it created no task.
      if (options.mayCreateTask && ticket.imported_at === null) await this.createLink(tx, ctx, now);
    } else if (isSaved && !options.isEcho && hasSyncedChange(before, now) && (await markLinkDue(tx, ticket.id)))
      scheduleSync(this.jobs, tx, ctx, link.connection_id);
  }

  /** Tickets from before an integration, and imported ones, get tasks only through its backfill: editing an old ticket creates none. */
  private async createLink(tx: IntegrationsTx, ctx: TenantContext, copy: TicketCopy) {
    if (!isUnresolved(copy)) return;
    const integrations = await findIntegrations(tx, copy.organization_id);
    const integration = integrations.find(({ rules, created_at }) => copy.created_at >= created_at && matches(rules, copy));
    if (!integration) return;
    const { id: integration_id, connection_id } = integration;
    const { organization_id, ticket_id } = copy;
    if (await insertNewLink(tx, { organization_id, ticket_id, integration_id, connection_id }))
      scheduleSync(this.jobs, tx, ctx, connection_id);
  }
}
