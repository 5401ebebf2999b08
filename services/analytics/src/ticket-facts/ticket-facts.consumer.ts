import { Injectable } from '@nestjs/common';
import {
  ticketCommentAdded,
  ticketCreated,
  ticketEscalated,
  ticketSlaBreached,
  ticketUpdated,
  type Context,
  type DataOf,
  type Envelope,
  type Ticket,
  type TicketHistory,
  type TicketMoment,
} from '@tandem/contracts';
import { Consumes, ConsumesBatch, type BatchedEvent } from '@tandem/messaging';
import { markDirty } from '../day-roll-ups/dirty-days.store';
import { momentOf } from '../moments/moments';
import { findMomentDays, insertMoments } from '../moments/moments.store';
import { announceFigures } from '../organization/figures-changed';
import { findTimeZone, updateCounts } from '../organization/organization.store';
import { applyHistories } from '../rebuild/history';
import type { AnalyticsTx } from '../schema';
import { applyEarlySurvey } from '../survey/survey.store';
import { countDifference, hasChanged, hasMoved, noCounts, toFact } from './ticket-facts';
import { upsertFact } from './ticket-facts.store';

/** Open pages of an organization read its figures again at most this often, in milliseconds. */
const intervalMs = 1_000;

/**
 * Updates the facts and the dashboard's counts from every event that can change them: a comment counts as a reply without
 * `ticket.updated`, and so do breaches and escalations. All other events of a ticket come with a `ticket.updated`.
 */
@Injectable()
export class TicketFacts {
  /** Handles several new tickets together, each as a history with one event. */
  @ConsumesBatch(ticketCreated, { name: 'ticket-created-facts', from: 'beginning', intervalMs })
  async onCreated(events: readonly BatchedEvent<DataOf<typeof ticketCreated>>[], tx: AnalyticsTx): Promise<void> {
    const [{ ctx, data, envelope }] = events as [BatchedEvent<DataOf<typeof ticketCreated>>];
    if (events.length === 1) return applyAndAnnounce(tx, ctx, data.ticket, envelope.sequence);
    const histories = events.map((event) => ({ ...noHistory, ticket: event.data.ticket, sequence: event.envelope.sequence }));
    if (await applyHistories(tx, data.ticket.organization_id, histories)) await announceFigures(tx, ctx);
  }

  /** Handles several changes together: of each ticket its newest state, and the moments of all of its events. */
  @ConsumesBatch(ticketUpdated, { name: 'ticket-updated-facts', from: 'beginning', intervalMs })
  async onUpdated(events: readonly BatchedEvent<DataOf<typeof ticketUpdated>>[], tx: AnalyticsTx): Promise<void> {
    const [{ ctx, data, envelope }] = events as [BatchedEvent<DataOf<typeof ticketUpdated>>];
    if (events.length === 1) return applyAndAnnounce(tx, ctx, data.ticket, envelope.sequence, momentsOf(data));
    const histories = historiesOf(events);
    if (await applyHistories(tx, data.ticket.organization_id, histories, { isComplete: false })) await announceFigures(tx, ctx);
  }

  @Consumes(ticketCommentAdded, { name: 'comment-facts', from: 'beginning' })
  async onComment(ctx: Context, { ticket }: DataOf<typeof ticketCommentAdded>, tx: AnalyticsTx, { sequence }: Envelope): Promise<void> {
    await applyAndAnnounce(tx, ctx, ticket, sequence);
  }

  @Consumes(ticketSlaBreached, { name: 'breach-facts', from: 'beginning' })
  async onBreach(ctx: Context, { ticket }: DataOf<typeof ticketSlaBreached>, tx: AnalyticsTx, { sequence }: Envelope): Promise<void> {
    await applyAndAnnounce(tx, ctx, ticket, sequence);
  }

  @Consumes(ticketEscalated, { name: 'escalation-facts', from: 'beginning' })
  async onEscalation(ctx: Context, { ticket }: DataOf<typeof ticketEscalated>, tx: AnalyticsTx, { sequence }: Envelope): Promise<void> {
    await applyAndAnnounce(tx, ctx, ticket, sequence);
  }
}

const noHistory = { moments: [], survey: null, survey_sent_at: null };

function momentsOf({ changes, ticket }: DataOf<typeof ticketUpdated>): TicketMoment[] {
  const moment = momentOf(changes, ticket);
  return moment ? [moment] : [];
}

/** One history per ticket: events may arrive in any order. */
function historiesOf(events: readonly BatchedEvent<DataOf<typeof ticketUpdated>>[]): TicketHistory[] {
  const byTicket = Map.groupBy(events, ({ data }) => data.ticket.id);
  return [...byTicket.values()].map((changes) => {
    const newest = changes.reduce((one, other) => (other.envelope.sequence > one.envelope.sequence ? other : one));
    const moments = changes.flatMap(({ data }) => momentsOf(data));
    return { ...noHistory, ticket: newest.data.ticket, sequence: newest.envelope.sequence, moments };
  });
}

async function applyAndAnnounce(tx: AnalyticsTx, ctx: Context, ticket: Ticket, sequence: number, moments?: TicketMoment[]): Promise<void> {
  if (await applyTicket(tx, ticket, sequence, moments)) await announceFigures(tx, ctx);
}

/**
 * Safe for any order and number of deliveries: the newest event of a ticket wins, its moments are a set, and the counts change by the
 * difference. Returns whether any figure has changed. `applyHistories` does the same for many tickets at once.
 */
async function applyTicket(tx: AnalyticsTx, ticket: Ticket, sequence: number, moments: readonly TicketMoment[] = []): Promise<boolean> {
  const { organization_id, id: ticket_id } = ticket;
  const time_zone = await findTimeZone(tx);
  const fact = toFact(ticket, sequence, time_zone);
  const { isSaved, before } = await upsertFact(tx, fact);
  const momentDays = await insertMoments(tx, { organization_id, ticket_id }, moments, time_zone);
  const isChanged = isSaved && (!before || hasChanged(before, fact));
  if (!isChanged && momentDays.length === 0) return false;
  if (!before) await applyEarlySurvey(tx, { organization_id, ticket_id });
  const days = isChanged ? [fact.created_day, fact.breached_day, before?.created_day ?? null, before?.breached_day ?? null] : [];
  const others = isChanged && before && hasMoved(before, fact) ? await findMomentDays(tx, ticket_id) : [];
  await markDirty(tx, organization_id, [...days, ...momentDays, ...others]);
  await updateCounts(tx, organization_id, isChanged ? countDifference(before, fact) : noCounts, time_zone);
  return true;
}
