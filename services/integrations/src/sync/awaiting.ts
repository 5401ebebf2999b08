import type { SyncField } from '@tandem/contracts';
import type { FieldShadow, Shadow } from './merge';

/**
 * An answer takes about a second; after two minutes it counts as lost. Each repeated request waits twice as long as the one before, up to
 * about an hour.
 */
const patienceMs = 2 * 60_000;
const longestPatienceMs = 32 * patienceMs;

/**
 * Records the time of the request, and when to repeat it, for each field that was just sent to tickets. `before` is the shadow before this
 * change: fields that are requested again double its waiting time.
 */
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
 * Fields whose answer is overdue count as changed by the task again, so that the change is sent to the ticket once more. `anew` applies
 * this to every waiting field, because a person is waiting for the result.
 */
export function askAgain(shadow: Shadow, now: string, anew?: 'anew'): Shadow {
  return mapFields(shadow, (field) => {
    const isInTime = field.ask_again_at !== undefined && field.ask_again_at > now;
    if (!isWaiting(field) || (isInTime && !anew)) return field;
    return { ticket: field.ticket, task: field.task === null ? '' : null };
  });
}

/** When the request was sent that tickets answers next. */
export const oldestQuestion = (shadow: Shadow): string | undefined => earliest(shadow, 'awaiting_since');
/** When the first of the waiting answers is overdue. */
export const overdueAt = (shadow: Shadow): string | undefined => earliest(shadow, 'ask_again_at');

const isWaiting = ({ awaiting, overtaken }: FieldShadow): boolean => awaiting !== undefined && !overtaken;

const earliest = (shadow: Shadow, time: 'awaiting_since' | 'ask_again_at'): string | undefined =>
  Object.values(shadow)
    .flatMap((field) => field[time] ?? [])
    .sort()[0];

const mapFields = (shadow: Shadow, change: (field: FieldShadow, name: SyncField) => FieldShadow): Shadow =>
  Object.fromEntries(Object.entries(shadow).map(([name, field]) => [name, change(field, name as SyncField)]));
