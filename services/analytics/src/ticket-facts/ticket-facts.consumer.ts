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
  @ConsumesBatch(ticketCreated, { name: 'ticket-created-facts', from: 'beginning', intervalMs })
  onCreated(events: readonly BatchedEvent<DataOf<typeof ticketCreated>>[], tx: AnalyticsTx): Promise<void> {
    return applyEvents(tx, events);
  }

  @ConsumesBatch(ticketUpdated, { name: 'ticket-updated-facts', from: 'beginning', intervalMs })
  onUpdated(events: readonly BatchedEvent<DataOf<typeof ticketUpdated>>[], tx: AnalyticsTx): Promise<void> {
    return applyEvents(tx, events, ({ changes, ticket }) => momentOf(changes, ticket));
  }

  @ConsumesBatch(ticketCommentAdded, { name: 'comment-facts', from: 'beginning', intervalMs })
  onComments(events: readonly BatchedEvent<DataOf<typeof ticketCommentAdded>>[], tx: AnalyticsTx): Promise<void> {
    return applyEvents(tx, events);
  }

  @Consumes(ticketSlaBreached, { name: 'breach-facts', from: 'beginning' })
  onBreach(ctx: Context, data: DataOf<typeof ticketSlaBreached>, tx: AnalyticsTx, envelope: Envelope): Promise<void> {
    return applyEvents(tx, [{ ctx, data, envelope }]);
  }

  @Consumes(ticketEscalated, { name: 'escalation-facts', from: 'beginning' })
  onEscalation(ctx: Context, data: DataOf<typeof ticketEscalated>, tx: AnalyticsTx, envelope: Envelope): Promise<void> {
    return applyEvents(tx, [{ ctx, data, envelope }]);
  }
}

/** Applies several events of an organization with a few statements. */
async function applyEvents<D extends { ticket: Ticket }>(
  tx: AnalyticsTx,
  events: readonly BatchedEvent<D>[],
  momentIn: (data: D) => TicketMoment | undefined = () => undefined,
): Promise<void> {
  const histories = historiesOf(events, momentIn);
  const { ctx } = events[0]!;
  const [history] = histories as [TicketHistory];
  const isChanged =
    histories.length === 1
      ? await applyTicket(tx, history)
      : await applyHistories(tx, history.ticket.organization_id, histories, { isComplete: false });
  if (isChanged) await announceFigures(tx, ctx);
}

/** Of each ticket the newest state, regardless of the order of the events, and the moments of all of them. */
function historiesOf<D extends { ticket: Ticket }>(
  events: readonly BatchedEvent<D>[],
  momentIn: (data: D) => TicketMoment | undefined,
): TicketHistory[] {
  const byTicket = Map.groupBy(events, ({ data }) => data.ticket.id);
  return [...byTicket.values()].map((ofTicket) => {
    const newest = ofTicket.reduce((one, other) => (other.envelope.sequence > one.envelope.sequence ? other : one));
    const moments = ofTicket.flatMap(({ data }) => momentIn(data) ?? []);
    return { ticket: newest.data.ticket, sequence: newest.envelope.sequence, moments, survey: null, survey_sent_at: null };
  });
}

/**
 * Safe for any order and number of deliveries: the newest event of a ticket wins, its moments are a set, and the counts change by the
 * difference. Returns whether any figure has changed. `applyHistories` does the same for many tickets at once.
 */
async function applyTicket(tx: AnalyticsTx, { ticket, sequence, moments }: TicketHistory): Promise<boolean> {
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
