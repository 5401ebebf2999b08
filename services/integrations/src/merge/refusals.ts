import type { FieldName } from '../provider/field-names';
import { cut } from '../provider/read';
import type { IntegrationRow } from '../schema';
import { fieldLabel } from './custom-fields';
import { isSame, type FieldShadow, type Refusal, type Shadow, type Value } from './merge';

/** A refused field is sent again with a sweep after a quarter of an hour, then after twice as long each time, up to a day. */
const firstPauseMs = 15 * 60_000;
const longestPauseMs = 24 * 60 * 60_000;
/** Sweeps do not run exactly on time, so a field becomes due a minute early. */
const slackMs = 60_000;

/**
 * The shadow of a field that the task refused. `before` is the state that both sides last agreed on; `shown` is the task's current value.
 */
export function refusedShadow(before: FieldShadow | undefined, shown: Value, sent: Value, reason: string, now: string): FieldShadow {
  const last = before?.refused;
  const tries = last && isSame(last.value, sent) ? last.tries + 1 : 1;
  const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(tries - 1, 10), longestPauseMs) - slackMs;
  const refused: Refusal = { value: sent, reason: cut(reason, 300), tries, retry_at: new Date(Date.parse(now) + pauseMs).toISOString() };
  return { ticket: before?.ticket ?? null, task: shown, refused };
}

/** Whether a refused field is due to be sent again. */
export const isRetryDue = (shadow: Shadow, now: string): boolean =>
  Object.values(shadow).some(({ refused }) => refused !== undefined && refused.retry_at <= now);

/** Makes every refused field due. */
export const retryNow = (shadow: Shadow, now: string): Shadow =>
  Object.fromEntries(
    Object.entries(shadow).map(([name, field]) => [
      name,
      field.refused ? { ...field, refused: { ...field.refused, retry_at: now } } : field,
    ]),
  );

export interface Difference {
  field: FieldName;
  reason: string;
}
/** Fields in which ticket and task differ because the task refused the ticket's value. */
export const differences = (shadow: Shadow): Difference[] =>
  Object.entries(shadow).flatMap(([field, { refused }]) => (refused ? [{ field: field as FieldName, reason: refused.reason }] : []));

/** One sentence for people: "Differs: Title and Due time. ClickUp does not accept this title". */
export function differencesProblem(shadow: Shadow, integration: Pick<IntegrationRow, 'list_fields'>): string | null {
  const found = differences(shadow);
  if (found.length === 0) return null;
  const labels = found.map(({ field }) => fieldLabel(field, integration));
  const reasons = [...new Set(found.map(({ reason }) => reason.replace(/\.$/, '')))];
  return cut(`Differs: ${labels.join(', ')}. ${reasons.join('. ')}.`, 500);
}
