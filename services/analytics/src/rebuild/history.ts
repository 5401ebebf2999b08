import type { TicketHistory, TicketStats } from '@tandem/contracts';
import { markDirty } from '../day-roll-ups/dirty-days.store';
import { localDay, type Day } from '../local-time/local-time';
import { findTimeZone, updateCounts } from '../organization/organization.store';
import type { AnalyticsTx, SurveyColumns, TicketMomentRow } from '../schema';
import { lockSurveys, merged } from '../survey/survey.store';
import { countDifference, hasChanged, hasMoved, noCounts, toFact } from '../ticket-facts/ticket-facts';
import {
  deleteMoments,
  findFactsForUpdate,
  findMoments,
  insertFacts,
  insertMomentRows,
  takeEarlySurveys,
  updateFacts,
  type Fact,
} from './history.store';
import { waitsForHistory } from './rebuild.store';

/**
 * Applies the histories of several tickets, one of each, with a few statements. As with single events, older and repeated states change
 * nothing. While a rebuild waits for histories, days are not marked as dirty, because it marks all of them afterwards. `isComplete`: stored
 * moments that a history lacks are deleted; otherwise it adds to them. Returns whether any figure has changed.
 */
export async function applyHistories(
  tx: AnalyticsTx,
  organization_id: string,
  histories: readonly TicketHistory[],
  { isComplete = true }: { isComplete?: boolean } = {},
): Promise<boolean> {
  // Rebuilds lock their row first, too.
  const areAllDaysDirtyLater = await waitsForHistory(tx);
  const time_zone = await findTimeZone(tx);
  const facts = new Map(histories.map((history) => [history.ticket.id, factOf(history, time_zone)]));
  const ids = [...facts.keys()];
  const inserted = new Set(await insertFacts(tx, [...facts.values()]));
  // Locks in the order of single events (new facts, surveys, existing facts), so that they cannot deadlock.
  await lockSurveys(tx, organization_id);
  const before = new Map(
    (
      await findFactsForUpdate(
        tx,
        ids.filter((id) => !inserted.has(id)),
      )
    ).map((fact) => [fact.ticket_id, fact]),
  );
  const early = new Map((await takeEarlySurveys(tx, [...inserted])).map((survey) => [survey.ticket_id, survey]));
  const momentDays = await applyMoments(tx, histories, time_zone, isComplete);

  const days = new Set<Day | null>();
  const changed: Fact[] = [];
  const difference = { ...noCounts };
  let hasChanges = false;
  for (const [id, fact] of facts) {
    const old = before.get(id);
    const survey = merged(old ?? early.get(id) ?? noSurvey, fact);
    const after = old && old.sequence > fact.sequence ? { ...old, ...survey } : { ...fact, ...survey };
    const isDifferent = !old || hasChanged(old, after);
    // Also if only its sequence is newer: otherwise an event between the two, which may still arrive, would replace it.
    if (old ? isDifferent || after.sequence > old.sequence : early.has(id)) changed.push(after);
    const { changedDays, allDays } = momentDays.get(id) ?? noMoments;
    for (const day of changedDays) days.add(day);
    if (isDifferent || changedDays.length > 0) hasChanges = true;
    if (!isDifferent) continue;
    for (const day of [after.created_day, after.breached_day, old?.created_day ?? null, old?.breached_day ?? null]) days.add(day);
    if (old && hasMoved(old, after)) for (const day of allDays) days.add(day);
    addCounts(difference, countDifference(old, after));
  }
  await updateFacts(tx, changed);
  if (!hasChanges) return false;
  if (!areAllDaysDirtyLater) await markDirty(tx, organization_id, days);
  await updateCounts(tx, organization_id, difference, time_zone);
  return true;
}

const noSurvey: SurveyColumns = { survey_sent_at: null, rating: null, feedback: null, rated_at: null };

function factOf({ ticket, sequence, survey, survey_sent_at }: TicketHistory, time_zone: string): Fact {
  const { rating = null, feedback = null, created_at: rated_at = null } = survey ?? {};
  return { ...toFact(ticket, sequence, time_zone), survey_sent_at, rating, feedback, rated_at };
}

function addCounts(sum: TicketStats, one: TicketStats): void {
  for (const key of Object.keys(sum) as (keyof TicketStats)[]) sum[key] += one[key];
}

interface MomentDays {
  /** Days with a moment that was inserted or deleted, and the days of all stored moments. */
  changedDays: Day[];
  allDays: Day[];
}
const noMoments: MomentDays = { changedDays: [], allDays: [] };

/** Adds the moments of each history. If it is complete, it replaces those up to the state of its ticket, and later ones are kept. */
async function applyMoments(
  tx: AnalyticsTx,
  histories: readonly TicketHistory[],
  time_zone: string,
  isComplete: boolean,
): Promise<Map<string, MomentDays>> {
  const storedById = Map.groupBy(
    await findMoments(
      tx,
      histories.map(({ ticket }) => ticket.id),
    ),
    ({ ticket_id }) => ticket_id,
  );
  const added: TicketMomentRow[] = [];
  const removed: TicketMomentRow[] = [];
  const days = new Map<string, MomentDays>();
  for (const { ticket, moments } of histories) {
    const { id: ticket_id, organization_id, updated_at } = ticket;
    const stored = storedById.get(ticket_id) ?? [];
    const missing = moments
      .filter(({ kind, at }) => !stored.some((one) => one.kind === kind && one.at === at))
      .map(({ kind, at }) => ({ organization_id, ticket_id, kind, at, day: localDay(time_zone, at) }));
    const isOther = (one: TicketMomentRow) => one.at <= updated_at && !moments.some(({ kind, at }) => kind === one.kind && at === one.at);
    const others = isComplete ? stored.filter(isOther) : [];
    added.push(...missing);
    removed.push(...others);
    days.set(ticket_id, { changedDays: [...missing, ...others].map(({ day }) => day), allDays: stored.map(({ day }) => day) });
  }
  await insertMomentRows(tx, added);
  await deleteMoments(tx, removed);
  return days;
}
