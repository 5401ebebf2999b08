import { countText, hoursText, noValue, percentText, ratingText } from '../../lib/metric-format';
import { t } from '../../lib/staff-texts';

/** `null`: a change is neither good nor bad. */
type Better = 'more' | 'less' | null;
export interface Change {
  direction: 'up' | 'down' | 'same';
  /** '12% better': also readable without color. */
  text: string;
  /** 'Up 12% from 2.4h in the preceding period, better' */
  words: string;
  tone: 'good' | 'bad' | 'neutral';
}

/** `share`: a percentage, which changes by points. `rating`: 1 to 5. All others change by percent. */
export type Unit = 'count' | 'hours' | 'share' | 'rating';
export const valueText: Record<Unit, (value: number | null) => string> = {
  count: (value) => (value === null ? noValue : countText(value)),
  hours: hoursText,
  share: percentText,
  rating: ratingText,
};
const tenths = (value: number): string => String(Math.round(value * 10) / 10);

/** Undefined for a change that rounds to nothing. */
function differenceText(now: number, before: number, unit: Unit): string | undefined {
  const size = Math.abs(now - before);
  if (unit === 'rating') return size < 0.05 ? undefined : tenths(size);
  if (unit === 'share') return size < 0.05 ? undefined : t('analytics.points', { points: tenths(size) });
  // There is no percentage of nothing.
  if (before === 0) return size === 0 ? undefined : t('analytics.change_from', { before: valueText[unit](before) });
  const percent = Math.round((size / before) * 100);
  return percent === 0 ? undefined : `${countText(percent)}%`;
}

type Tone = Change['tone'];
const withVerdict = (change: string, tone: Tone): string =>
  tone === 'good' ? t('analytics.change_better', { change }) : tone === 'bad' ? t('analytics.change_worse', { change }) : change;
const wordsWithVerdict = (change: string, tone: Tone): string =>
  tone === 'good' ? t('analytics.words_better', { change }) : tone === 'bad' ? t('analytics.words_worse', { change }) : change;

/** The change from the preceding period; undefined if there is nothing to compare with. */
export function changeOf(now: number | null, before: number | null, unit: Unit, better: Better): Change | undefined {
  if (now === null || before === null) return undefined;
  const text = now === before ? undefined : differenceText(now, before, unit);
  if (text === undefined)
    return { direction: 'same', text: t('analytics.no_change'), words: t('analytics.no_change_from_period'), tone: 'neutral' };
  const direction = now > before ? 'up' : 'down';
  const tone = better === null ? 'neutral' : (direction === 'up') === (better === 'more') ? 'good' : 'bad';
  const from = t('analytics.change_from', { before: valueText[unit](before) });
  const change = text === from ? text : t('analytics.change_by_from', { change: text, from });
  const words = direction === 'up' ? t('analytics.up_in_period', { change }) : t('analytics.down_in_period', { change });
  return { direction, text: withVerdict(text, tone), words: wordsWithVerdict(words, tone), tone };
}
