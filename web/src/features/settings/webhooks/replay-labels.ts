import type { WebhookEndpoint, WebhookReplay } from '@tandem/contracts';
import { t } from '../../../lib/staff-texts';

export const whichOptions = [
  { value: 'missed', label: t('settings.webhooks.events_that_did_not_arrive') },
  { value: 'failed', label: t('settings.webhooks.events_whose_delivery_failed') },
  { value: 'all', label: t('settings.webhooks.all_events_including_arrived') },
];

const dayMs = 86_400_000;

/** The earliest time at which events may have been missed: the last success, or a day ago if there was none. */
export const missedSince = ({ failing_since, last_success_at }: WebhookEndpoint, now: number): number =>
  Math.max(
    now - 30 * dayMs + 60_000,
    failing_since ? Date.parse(failing_since) : last_success_at ? Date.parse(last_success_at) : now - dayMs,
  );

/** The value of an input of type `datetime-local`, in the reader's time zone. */
export function localValue(instant: number): string {
  const date = new Date(instant);
  return new Date(instant - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const stateLabels: Record<Exclude<WebhookReplay['state'], 'done'>, string> = {
  running: t('settings.webhooks.sending_state'),
  paused: t('settings.webhooks.paused'),
  cancelled: t('settings.webhooks.cancelled'),
};

/** 'Sending 120 of 4,200', 'Done: 4,200 sent' */
export function replayText({ state, sent, total }: Pick<WebhookReplay, 'state' | 'sent' | 'total'>): string {
  if (state === 'done') return t('settings.webhooks.replay_done', { sent });
  return t('settings.webhooks.replay_progress', { state: stateLabels[state], sent, total });
}
