import type { FieldName } from '../provider/field-names';
import type { FieldShadow, Shadow } from './merge';

/**
 * An answer takes about a second; after two minutes it counts as lost. Each repeated request waits twice as long as the one before, up to
 * about an hour.
 */
const ackTimeoutMs = 2 * 60_000;
const maxAckTimeoutMs = 32 * ackTimeoutMs;

/**
 * Records the time of the request, and when to repeat it, for each field that was just sent to tickets. `before` is the shadow before this
 * change: fields that are requested again double its waiting time.
 */
export function withRetryTimes(shadow: Shadow, before: Shadow, now: string): Shadow {
  return mapFields(shadow, (field, name) => {
    if (!isPending(field) || field.pending_since !== undefined) return field;
    const { pending_since, retry_at } = before[name] ?? {};
    const timeout = pending_since && retry_at ? 2 * (Date.parse(retry_at) - Date.parse(pending_since)) : ackTimeoutMs;
    const until = Date.parse(now) + Math.min(timeout, maxAckTimeoutMs);
    return { ...field, pending_since: now, retry_at: new Date(until).toISOString() };
  });
}

/**
 * Fields whose answer is overdue count as changed by the task again, so that the change is sent to the ticket once more. `all` applies
 * this to every waiting field, because a person is waiting for the result.
 */
export function retryPending(shadow: Shadow, now: string, which?: 'all'): Shadow {
  return mapFields(shadow, (field) => {
    const isInTime = field.retry_at !== undefined && field.retry_at > now;
    if (!isPending(field) || (isInTime && !which)) return field;
    return { ticket: field.ticket, task: field.task === null ? '' : null };
  });
}

/** When the request that the tickets service answers next was sent. */
export const oldestPending = (shadow: Shadow): string | undefined => earliest(shadow, 'pending_since');
/** When the first of the waiting answers is overdue. */
export const firstRetryAt = (shadow: Shadow): string | undefined => earliest(shadow, 'retry_at');

const isPending = ({ pending_value, superseded }: FieldShadow): boolean => pending_value !== undefined && !superseded;

const earliest = (shadow: Shadow, time: 'pending_since' | 'retry_at'): string | undefined =>
  Object.values(shadow)
    .flatMap((field) => field[time] ?? [])
    .sort()[0];

const mapFields = (shadow: Shadow, change: (field: FieldShadow, name: FieldName) => FieldShadow): Shadow =>
  Object.fromEntries(Object.entries(shadow).map(([name, field]) => [name, change(field, name as FieldName)]));
