import type { SyncField } from '@tandem/contracts';
import type { FieldShadow, Shadow } from './merge';

/** An answer takes a second; after so long it was lost. Each time it is asked again it is waited for twice as long, up to about an hour. */
const patienceMs = 2 * 60_000;
const longestPatienceMs = 32 * patienceMs;

/** Notes for each field that tickets was asked to take just now since when it waits. `before`: as it was, for those that are asked again. */
export function withTimes(shadow: Shadow, before: Shadow, now: string): Shadow {
  return mapFields(shadow, (field, name) => {
    if (!isWaiting(field) || field.awaiting_since !== undefined) return field;
    const { awaiting_since, ask_again_at } = before[name] ?? {};
    const patience = awaiting_since && ask_again_at ? 2 * (Date.parse(ask_again_at) - Date.parse(awaiting_since)) : patienceMs;
    const until = Date.parse(now) + Math.min(patience, longestPatienceMs);
    return { ...field, awaiting_since: now, ask_again_at: new Date(until).toISOString() };
  });
}

/**
 * Fields whose answer did not come in time count as changed by the task once more, so that the ticket is asked again. `anew`: all that wait, because
 * somebody at a screen does.
 */
export function askAgain(shadow: Shadow, now: string, anew?: 'anew'): Shadow {
  return mapFields(shadow, (field) => {
    const isInTime = field.ask_again_at !== undefined && field.ask_again_at > now;
    if (!isWaiting(field) || (isInTime && !anew)) return field;
    return { ticket: field.ticket, task: field.task === null ? '' : null };
  });
}

/** Since when the question waits that tickets answers next. */
export const oldestQuestion = (shadow: Shadow): string | undefined => earliest(shadow, 'awaiting_since');
/** When the first of them has waited too long. */
export const overdueAt = (shadow: Shadow): string | undefined => earliest(shadow, 'ask_again_at');

const isWaiting = ({ awaiting, overtaken }: FieldShadow): boolean => awaiting !== undefined && !overtaken;

const earliest = (shadow: Shadow, time: 'awaiting_since' | 'ask_again_at'): string | undefined =>
  Object.values(shadow)
    .flatMap((field) => field[time] ?? [])
    .sort()[0];

const mapFields = (shadow: Shadow, change: (field: FieldShadow, name: SyncField) => FieldShadow): Shadow =>
  Object.fromEntries(Object.entries(shadow).map(([name, field]) => [name, change(field, name as SyncField)]));
