import type { WebhookEndpoint, WebhookHealth } from '@tandem/contracts';
import { sentEventLabels, webhookRules, type SentEventType } from '@tandem/contracts/values';
import { formatClock } from '../../../lib/dates';
import { t } from '../../../lib/staff-texts';
import type { BadgeTone } from '../../../ui/Badge';

/** Short name of an endpoint: its description, otherwise the URL without its scheme. */
export const endpointName = ({ description, url }: Pick<WebhookEndpoint, 'description' | 'url'>): string =>
  description || url.replace(/^https?:\/\//, '');

export const eventLabel = (event: string): string =>
  event === 'webhook.test' ? t('settings.webhooks.test_event') : (sentEventLabels[event as SentEventType] ?? event);

export const percentText = (rate: number | null): string => (rate === null ? '–' : `${(Math.floor(rate * 1_000) / 10).toFixed(1)} %`);
export const msText = (ms: number | null): string => {
  if (ms === null) return '–';
  return ms < 1_000
    ? t('settings.webhooks.round_ms', { ms: Math.round(ms) })
    : t('settings.webhooks.round_s', { s: (ms / 1_000).toFixed(1) });
};

/** '45 seconds', '12 minutes', '3 hours', '2 days' */
function ageText(seconds: number): string {
  if (seconds >= 86_400) return t('settings.webhooks.days', { count: Math.floor(seconds / 86_400) });
  if (seconds >= 3_600) return t('settings.webhooks.hours', { count: Math.floor(seconds / 3_600) });
  if (seconds >= 60) return t('settings.webhooks.minutes', { count: Math.floor(seconds / 60) });
  return t('settings.webhooks.seconds', { count: Math.max(1, Math.floor(seconds)) });
}

const waitingText = ({ pending, oldest_pending_seconds }: WebhookHealth): string =>
  pending === 0 ? '' : t('settings.webhooks.pending_waiting', { pending, age: ageText(oldest_pending_seconds ?? 0) });

const nextText = ({ next_attempt_at }: WebhookHealth, now: number): string =>
  next_attempt_at && Date.parse(next_attempt_at) > now
    ? t('settings.webhooks.next_attempt_at', { at: formatClock(next_attempt_at, now) })
    : '';

const listOf = (...parts: string[]): string => parts.filter(Boolean).join(', ');

export interface EndpointState {
  label: string;
  tone: BadgeTone;
  /** The state in one sentence. */
  text: string;
}

const disabledTexts: Record<NonNullable<WebhookEndpoint['disabled_reason']>, string> = {
  failing: t('settings.webhooks.no_delivery_succeeded', { disableAfterHours: webhookRules.disableAfterHours / 24 }),
  gone: t('settings.webhooks.server_answered_gone'),
};

const keepsTrying = t('settings.webhooks.how_long_events_are_tried', { disableAfterHours: webhookRules.disableAfterHours / 24 });

type Stated = Pick<WebhookEndpoint, 'state' | 'disabled_reason' | 'failing_since' | 'last_success_at' | 'health'>;

/** The current state of the endpoint, for its badge and in one sentence. */
export function endpointState(endpoint: Stated, now: number): EndpointState {
  const { health, failing_since, last_success_at } = endpoint;
  if (endpoint.state === 'disabled')
    return { label: t('settings.webhooks.disabled'), tone: 'red', text: disabledTexts[endpoint.disabled_reason ?? 'failing'] };
  if (endpoint.state === 'paused')
    return { label: t('settings.webhooks.paused'), tone: 'gray', text: t('settings.webhooks.what_pausing_does') };
  const waiting = waitingText(health);
  if (failing_since)
    return {
      label: t('settings.webhooks.failing'),
      tone: 'red',
      text: `${listOf(t('settings.webhooks.failing_since', { since: formatClock(failing_since, now) }), nextText(health, now), waiting)}. ${keepsTrying}`,
    };
  if (last_success_at)
    return {
      label: t('settings.webhooks.active'),
      tone: 'green',
      text: listOf(t('settings.webhooks.last_success', { at: formatClock(last_success_at, now) }), waiting),
    };
  return { label: t('settings.webhooks.active'), tone: 'green', text: listOf(t('settings.webhooks.nothing_delivered_yet'), waiting) };
}

/** The 24 hours for screen readers. */
export function sparklineText({ delivered, failed, hours }: WebhookHealth): string {
  if (delivered + failed === 0) return t('settings.webhooks.nothing_was_sent_lately');
  const failedHours = hours.filter((hour) => hour.failed > 0).length;
  return failedHours === 0
    ? t('settings.webhooks.delivered_and_failed', { delivered, failed })
    : t('settings.webhooks.delivered_and_failed_in_hours', { delivered, failed, failedHours });
}
