import type { WebhookEndpoint, WebhookReplay } from '@tandem/contracts';

export const whichOptions = [
  { value: 'missed', label: 'Events that did not arrive' },
  { value: 'failed', label: 'Events whose delivery failed' },
  { value: 'all', label: 'All events, including those that arrived' },
];

const dayMs = 86_400_000;

/** Since when events were missed, as far as it is known: the last success, or a day ago. */
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

const stateLabels: Record<WebhookReplay['state'], string> = {
  running: 'Sending',
  paused: 'Paused',
  cancelled: 'Cancelled',
  done: 'Done',
};

/** 'Sending 120 of 4,200', 'Done: 4,200 sent' */
export function replayText({ state, sent, total }: Pick<WebhookReplay, 'state' | 'sent' | 'total'>): string {
  const [done, all] = [sent.toLocaleString('en-US'), total.toLocaleString('en-US')];
  if (state === 'done') return `${stateLabels.done}: ${done} sent`;
  return `${stateLabels[state]}: ${done} of ${all}`;
}
