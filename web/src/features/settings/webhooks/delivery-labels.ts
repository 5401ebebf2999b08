import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryDetails } from '@tandem/contracts';
import { webhookDeliveryStates, webhookEventTypes, type WebhookDeliveryState } from '@tandem/contracts/values';
import { formatUntil } from '../../../lib/dates';
import type { BadgeTone } from '../../../ui/Badge';

export const stateLooks: Record<WebhookDeliveryState, { label: string; tone: BadgeTone }> = {
  pending: { label: 'Waiting', tone: 'amber' },
  delivered: { label: 'Delivered', tone: 'green' },
  failed: { label: 'Failed', tone: 'red' },
  skipped: { label: 'Skipped', tone: 'gray' },
  cancelled: { label: 'Cancelled', tone: 'gray' },
};

export const causeLabels: Record<WebhookDelivery['cause'], string> = {
  event: 'Event',
  redelivery: 'Sent again',
  replay: 'Replay',
  test: 'Test',
};

export const stateOptions = webhookDeliveryStates.map((value) => ({ value, label: stateLooks[value].label }));
export const eventOptions = [...webhookEventTypes, 'webhook.test' as const].map((value) => ({ value, label: value }));

/** Periods by which the deliveries can be filtered, in milliseconds. */
export const periods = [
  { value: 'hour', label: 'Last hour', ms: 3_600_000 },
  { value: 'day', label: 'Last 24 hours', ms: 86_400_000 },
  { value: 'week', label: 'Last 7 days', ms: 7 * 86_400_000 },
] as const;

/** The outcome of the delivery in a few words: 'Answered 200', 'The certificate has expired'. */
export function outcomeText(delivery: WebhookDelivery, now: number): string {
  const { state, last_status, last_error, next_attempt_at, attempts } = delivery;
  if (state === 'delivered') return last_status === null ? 'Answered' : `Answered ${last_status}`;
  if (state === 'skipped') return 'The endpoint was paused or disabled';
  if (state === 'cancelled') return 'Stopped before it was sent';
  const why = last_error ?? (last_status === null ? '' : `Answered ${last_status}`);
  if (state === 'failed') return why || 'Every attempt failed';
  if (attempts === 0) return 'Sending…';
  const next = next_attempt_at && Date.parse(next_attempt_at) > now ? `next attempt ${formatUntil(next_attempt_at, now)}` : 'trying again…';
  return why ? `${why} · ${next}` : next;
}

/** The result of a test event after its first attempt. */
export function testResult({ attempt_log, last_error, last_status }: WebhookDeliveryDetails): { isSuccess: boolean; text: string } {
  const last = attempt_log.at(-1);
  const took = last ? ` in ${Math.round(last.duration_ms).toLocaleString('en-US')} ms` : '';
  if (last_error) return { isSuccess: false, text: `It failed${took}: ${last_error}` };
  return { isSuccess: true, text: `Delivered: your server answered ${last_status ?? last?.status ?? 200}${took}.` };
}

export interface LifecycleStep {
  at: string | null;
  label: string;
  detail?: string;
  tone: 'done' | 'failed' | 'next';
}

function attemptStep({ number, at, status, error, duration_ms }: WebhookAttempt): LifecycleStep {
  const detail = `${error ?? `Answered ${status}`} · ${Math.round(duration_ms).toLocaleString('en-US')} ms`;
  return { at, label: `Attempt ${number}`, detail, tone: error === null ? 'done' : 'failed' };
}

/** From the event to the end, or to the next attempt. */
export function lifecycle(delivery: WebhookDelivery, attempts: WebhookAttempt[]): LifecycleStep[] {
  const start: LifecycleStep = { at: delivery.created_at, label: `${causeLabels[delivery.cause]} recorded`, tone: 'done' };
  const steps = [start, ...attempts.map(attemptStep)];
  const { state, next_attempt_at, delivered_at } = delivery;
  if (state === 'pending') return [...steps, { at: next_attempt_at, label: 'Next attempt', tone: 'next' }];
  if (state === 'delivered') return [...steps, { at: delivered_at, label: 'Delivered', tone: 'done' }];
  if (state === 'failed')
    return [
      ...steps,
      { at: null, label: 'Given up', detail: 'Every attempt failed. Send it again when the receiver works.', tone: 'failed' },
    ];
  const detail = state === 'skipped' ? 'The endpoint was paused or disabled.' : 'The endpoint was deleted, or its replay was stopped.';
  return [...steps, { at: null, label: stateLooks[state].label, detail, tone: 'next' }];
}
