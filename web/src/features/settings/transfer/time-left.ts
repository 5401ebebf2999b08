import { t } from '../../../lib/staff-texts';

/** The progress at a time, in milliseconds. */
export interface Sample {
  at: number;
  done: number;
}

/** The speed is that of the last minute: it changes between tickets and files. */
const windowMs = 60_000;
/** A shorter period does not show the speed. */
const minPeriodMs = 5_000;

/** Adds a sample, and drops those that are too old to matter. Progress that went back is that of another state. */
export function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const isRestart = samples.some(({ done }) => done > sample.done);
  return [...(isRestart ? [] : samples.filter(({ at }) => sample.at - at <= windowMs)), sample];
}

/** Undefined until the speed is known. */
export function secondsLeft(samples: readonly Sample[], total: number | null): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || total === null || last.at - first.at < minPeriodMs || last.done <= first.done) return undefined;
  return ((total - last.done) * (last.at - first.at)) / (last.done - first.done) / 1_000;
}

export function timeLeftText(seconds: number): string {
  if (seconds < 60) return t('settings.transfer.less_than_a_minute_left');
  const minutes = Math.round(seconds / 60);
  return minutes < 90
    ? t('settings.transfer.minutes_left', { minutes })
    : t('settings.transfer.hours_left', { hours: Math.round(minutes / 60) });
}

const hourMs = 3_600_000;

/** How long an import can still be undone. */
export function undoLeftText(until: string, now: number): string {
  const leftMs = Date.parse(until) - now;
  if (leftMs >= hourMs) return t('settings.transfer.hours_left_to_undo', { hours: Math.floor(leftMs / hourMs) });
  return t('settings.transfer.minutes_left_to_undo', { minutes: Math.max(1, Math.floor(leftMs / 60_000)) });
}
