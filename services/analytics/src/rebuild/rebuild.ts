import { analyticsRebuildRequested, type TenantContext } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { localDay, localTime } from '../local-time/local-time';
import { announceFigures } from '../organization/figures-changed';
import { findTimeZone, incrementVersion } from '../organization/organization.store';
import type { AnalyticsTx } from '../schema';
import {
  deleteRebuild,
  findMomentsOf,
  findNextFactsForUpdate,
  findRebuildForUpdate,
  hasDirtyDaysOfStep,
  isHistoryComplete,
  markAllDirty,
  saveLocalTimes,
  saveRebuild,
  startRebuild,
} from './rebuild.store';

/** Tickets per transaction; changes of these tickets wait for it. */
const batch = 2_000;
/** A history that is incomplete this long after its end stays incomplete: some of its events are dead letters. */
const maxWaitMs = 600_000;
/** A history that has not ended by then never will: its last event is a dead letter. The figures are computed from what has arrived. */
const maxHistoryMs = 6 * 3_600_000;

/** Computes the local days of all facts and all roll-ups again. */
export async function rebuildDays(tx: AnalyticsTx, organization_id: string): Promise<void> {
  await startRebuild(tx, { organization_id, rebuild_id: newId(), step: 'days' });
  await incrementVersion(tx);
}

/** Requests all tickets from the tickets service, then rebuilds the days. */
export async function rebuildFromTickets(tx: AnalyticsTx, ctx: TenantContext): Promise<void> {
  const { organization_id } = ctx;
  const rebuild_id = newId();
  await startRebuild(tx, { organization_id, rebuild_id, step: 'history' });
  await incrementVersion(tx);
  await emit(tx, ctx, analyticsRebuildRequested, organization_id, { rebuild_id });
}

/**
 * Does the next part of the organization's rebuild, if there is one: first the local days of all facts, then marks every day dirty. Ends
 * the rebuild once all days are clean and all requested tickets have arrived. Returns whether there is another part to do now.
 */
export async function rebuildStep(tx: AnalyticsTx, ctx: TenantContext): Promise<boolean> {
  const rebuild = await findRebuildForUpdate(tx);
  if (!rebuild) return false;
  if (rebuild.step === 'history') {
    const { expected } = rebuild;
    const isOverdue = Date.parse(rebuild.started_at) + (expected === null ? maxHistoryMs : maxWaitMs) < Date.now();
    if (!isOverdue && !(await isHistoryComplete(tx))) return false;
    await saveRebuild(tx, { step: 'days', last_ticket_id: null });
    return true;
  }
  if (rebuild.step === 'days') {
    const last_ticket_id = await computeLocalTimes(tx, rebuild.last_ticket_id);
    if (last_ticket_id === null) await markAllDirty(tx, ctx.organization_id);
    await saveRebuild(tx, last_ticket_id === null ? { step: 'roll_ups', last_ticket_id } : { last_ticket_id });
    return last_ticket_id !== null;
  }
  if (await hasDirtyDaysOfStep(tx)) return false;
  await deleteRebuild(tx);
  await incrementVersion(tx);
  await announceFigures(tx, ctx);
  return false;
}

/** Computes the local times of the next tickets and their moments; returns the last ticket, or null if there are no more. */
async function computeLocalTimes(tx: AnalyticsTx, after: string | null): Promise<string | null> {
  const time_zone = await findTimeZone(tx);
  const facts = await findNextFactsForUpdate(tx, after, batch);
  const local = facts.map(({ ticket_id, created_at, breached_at }) => {
    const { day, hour } = localTime(time_zone, created_at);
    return { ticket_id, created_day: day, created_hour: hour, breached_day: breached_at && localDay(time_zone, breached_at) };
  });
  const moments = await findMomentsOf(
    tx,
    facts.map(({ ticket_id }) => ticket_id),
  );
  await saveLocalTimes(
    tx,
    local,
    moments.map((moment) => ({ ...moment, day: localDay(time_zone, moment.at) })),
  );
  return facts.length < batch ? null : facts.at(-1)!.ticket_id;
}
