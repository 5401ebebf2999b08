import type { WebhookEndpoint, WebhookHealth } from '@tandem/contracts';
import { webhookEventLabels, webhookRules, type WebhookEventType } from '@tandem/contracts/values';
import { formatClock } from '../../../lib/dates';
import type { BadgeTone } from '../../../ui/Badge';

export const eventLabel = (event: string): string =>
  event === 'webhook.test' ? 'A test event' : (webhookEventLabels[event as WebhookEventType] ?? event);

export const percentText = (rate: number | null): string => (rate === null ? '–' : `${(Math.floor(rate * 1_000) / 10).toFixed(1)} %`);
export const msText = (ms: number | null): string => {
  if (ms === null) return '–';
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
};

/** '45 seconds', '12 minutes', '3 hours', '2 days' */
function ageText(seconds: number): string {
  const units = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ] as const;
  const [size, unit] = units.find(([least]) => seconds >= least) ?? [1, 'second'];
  const count = Math.max(1, Math.floor(seconds / size));
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const waitingText = ({ pending, oldest_pending_seconds }: WebhookHealth): string =>
  pending === 0 ? '' : `, ${pending.toLocaleString('en-US')} waiting (the oldest for ${ageText(oldest_pending_seconds ?? 0)})`;

const nextText = ({ next_attempt_at }: WebhookHealth, now: number): string =>
  next_attempt_at && Date.parse(next_attempt_at) > now ? `, next attempt ${formatClock(next_attempt_at, now)}` : '';

export interface EndpointState {
  label: string;
  tone: BadgeTone;
  /** The state in one sentence. */
  text: string;
}

const disabledTexts: Record<NonNullable<WebhookEndpoint['disabled_reason']>, string> = {
  failing: `No delivery succeeded for ${webhookRules.disableAfterHours / 24} days. New events are skipped until you resume.`,
  gone: 'The server answered 410 Gone. New events are skipped until you resume.',
};

const keepsTrying = `Each event is tried for 76 hours. After ${webhookRules.disableAfterHours / 24} days without a success the endpoint is disabled.`;

type Stated = Pick<WebhookEndpoint, 'state' | 'disabled_reason' | 'failing_since' | 'last_success_at' | 'health'>;

/** The current state of the endpoint, for its badge and in one sentence. */
export function endpointState(endpoint: Stated, now: number): EndpointState {
  const { health, failing_since, last_success_at } = endpoint;
  if (endpoint.state === 'disabled') return { label: 'Disabled', tone: 'red', text: disabledTexts[endpoint.disabled_reason ?? 'failing'] };
  if (endpoint.state === 'paused') return { label: 'Paused', tone: 'gray', text: 'New events are skipped until you resume.' };
  const waiting = waitingText(health);
  if (failing_since)
    return {
      label: 'Failing',
      tone: 'red',
      text: `Failing since ${formatClock(failing_since, now)}${nextText(health, now)}${waiting}. ${keepsTrying}`,
    };
  if (last_success_at) return { label: 'Active', tone: 'green', text: `Last success ${formatClock(last_success_at, now)}${waiting}` };
  return { label: 'Active', tone: 'green', text: `Nothing delivered yet${waiting}` };
}

/** The 24 hours for screen readers. */
export function sparklineText({ delivered, failed, hours }: WebhookHealth): string {
  if (delivered + failed === 0) return 'Nothing was sent in the last 24 hours.';
  const failedHours = hours.filter((hour) => hour.failed > 0).length;
  const counts = `${delivered.toLocaleString('en-US')} delivered and ${failed.toLocaleString('en-US')} failed in the last 24 hours`;
  return failedHours === 0 ? `${counts}.` : `${counts}, with failures in ${failedHours} ${failedHours === 1 ? 'hour' : 'hours'}.`;
}
