import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryDetails } from '@tandem/contracts';
import { webhookDeliveryStates, sentEventTypes, type WebhookDeliveryState } from '@tandem/contracts/values';
import { formatUntil } from '../../../lib/dates';
import { t } from '../../../lib/staff-texts';
import type { BadgeTone } from '../../../ui/Badge';

export const stateLooks: Record<WebhookDeliveryState, { label: string; tone: BadgeTone }> = {
  pending: { label: t('settings.webhooks.waiting'), tone: 'amber' },
  delivered: { label: t('settings.webhooks.delivered'), tone: 'green' },
  failed: { label: t('settings.webhooks.failed'), tone: 'red' },
  skipped: { label: t('settings.webhooks.skipped'), tone: 'gray' },
  cancelled: { label: t('settings.webhooks.cancelled'), tone: 'gray' },
};

export const causeLabels: Record<WebhookDelivery['cause'], string> = {
  event: t('settings.webhooks.event'),
  redelivery: t('settings.webhooks.sent_again'),
  replay: t('settings.webhooks.replay'),
  test: t('settings.webhooks.test'),
};

export const stateOptions = webhookDeliveryStates.map((value) => ({ value, label: stateLooks[value].label }));
export const eventOptions = sentEventTypes.map((value) => ({ value, label: value }));

/** Periods by which the deliveries can be filtered, in milliseconds. */
export const periods = [
  { value: 'hour', label: t('settings.webhooks.last_hour'), ms: 3_600_000 },
  { value: 'day', label: t('settings.webhooks.last_24_hours'), ms: 86_400_000 },
  { value: 'week', label: t('settings.webhooks.last_7_days'), ms: 7 * 86_400_000 },
] as const;

/** What happens next with a pending delivery. Whether it is being sent is not known: the browser's clock may differ from the server's. */
function nextText({ cause, next_attempt_at, attempts }: WebhookDelivery, isStopped: boolean, now: number): string {
  if (isStopped && cause !== 'test') return t('settings.webhooks.waits_until_endpoint_is_resumed');
  if (attempts === 0) return t('settings.webhooks.queued_or_being_sent');
  return next_attempt_at && Date.parse(next_attempt_at) > now
    ? t('settings.webhooks.next_attempt_at', { at: formatUntil(next_attempt_at, now) })
    : t('settings.webhooks.trying_again');
}

/** The outcome of the delivery in a few words: 'Answered 200', 'The certificate has expired'. `isStopped`: its endpoint is paused or disabled. */
export function outcomeText(delivery: WebhookDelivery, isStopped: boolean, now: number): string {
  const { state, last_status, last_error } = delivery;
  if (state === 'delivered')
    return last_status === null ? t('settings.webhooks.answered') : t('settings.webhooks.answered_last_status', { last_status });
  if (state === 'skipped') return t('settings.webhooks.endpoint_was_paused_or_disabled');
  if (state === 'cancelled') return t('settings.webhooks.stopped_before_it_was_sent');
  const why = last_error ?? (last_status === null ? '' : t('settings.webhooks.answered_last_status', { last_status }));
  if (state === 'failed') return why || t('settings.webhooks.every_attempt_failed');
  const next = nextText(delivery, isStopped, now);
  return why ? `${why} · ${next}` : next;
}

/** The result of a test event after its first attempt. */
export function testResult({ attempt_log, last_error, last_status }: WebhookDeliveryDetails): { isSuccess: boolean; text: string } {
  const last = attempt_log.at(-1);
  const ms = Math.round(last?.duration_ms ?? 0);
  if (last_error) {
    const text = last ? t('settings.webhooks.test_failed_in', { ms, last_error }) : t('settings.webhooks.test_failed', { last_error });
    return { isSuccess: false, text };
  }
  const status = last_status ?? last?.status ?? 200;
  const text = last ? t('settings.webhooks.test_delivered_in', { status, ms }) : t('settings.webhooks.test_delivered', { status });
  return { isSuccess: true, text };
}

export interface LifecycleStep {
  at: string | null;
  label: string;
  detail?: string;
  tone: 'done' | 'failed' | 'next';
}

function attemptStep({ number, at, status, error, duration_ms }: WebhookAttempt): LifecycleStep {
  const answer = error ?? t('settings.webhooks.answered_last_status', { last_status: String(status) });
  const detail = t('settings.webhooks.answer_in_ms', { answer, ms: Math.round(duration_ms) });
  return { at, label: t('settings.webhooks.attempt_number', { number }), detail, tone: error === null ? 'done' : 'failed' };
}

/** The steps from the event to the end or to the next attempt. */
export function lifecycle(delivery: WebhookDelivery, attempts: WebhookAttempt[]): LifecycleStep[] {
  const start: LifecycleStep = {
    at: delivery.created_at,
    label: t('settings.webhooks.cause_name_recorded', { causeName: causeLabels[delivery.cause] }),
    tone: 'done',
  };
  const steps = [start, ...attempts.map(attemptStep)];
  const { state, next_attempt_at, delivered_at } = delivery;
  if (state === 'pending') return [...steps, { at: next_attempt_at, label: t('settings.webhooks.next_attempt'), tone: 'next' }];
  if (state === 'delivered') return [...steps, { at: delivered_at, label: t('settings.webhooks.delivered'), tone: 'done' }];
  if (state === 'failed')
    return [
      ...steps,
      { at: null, label: t('settings.webhooks.given_up'), detail: t('settings.webhooks.send_failed_events_again'), tone: 'failed' },
    ];
  const detail =
    state === 'skipped'
      ? t('settings.webhooks.endpoint_was_paused_or_disabled_sentence')
      : t('settings.webhooks.endpoint_was_deleted_or_replay_stopped');
  return [...steps, { at: null, label: stateLooks[state].label, detail, tone: 'next' }];
}
