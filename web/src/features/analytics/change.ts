import { countText, hoursText, noValue, percentText, ratingText } from '../../lib/metric-format';

/** `null`: a change is neither good nor bad. */
type Better = 'more' | 'less' | null;
export interface Change {
  direction: 'up' | 'down' | 'same';
  /** '12%' */
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
  if (unit === 'share') return size < 0.05 ? undefined : `${tenths(size)} pts`;
  // There is no percentage of nothing.
  if (before === 0) return size === 0 ? undefined : `from ${valueText[unit](before)}`;
  const percent = Math.round((size / before) * 100);
  return percent === 0 ? undefined : `${countText(percent)}%`;
}

const words = { good: ', better', bad: ', worse', neutral: '' };

/** The change from the preceding period; undefined if there is nothing to compare with. */
export function changeOf(now: number | null, before: number | null, unit: Unit, better: Better): Change | undefined {
  if (now === null || before === null) return undefined;
  const text = now === before ? undefined : differenceText(now, before, unit);
  if (text === undefined) return { direction: 'same', text: 'No change', words: 'No change from the preceding period', tone: 'neutral' };
  const direction = now > before ? 'up' : 'down';
  const tone = better === null ? 'neutral' : (direction === 'up') === (better === 'more') ? 'good' : 'bad';
  const from = `from ${valueText[unit](before)}`;
  const difference = text === from ? text : `${text} ${from}`;
  return { direction, text, words: `${direction === 'up' ? 'Up' : 'Down'} ${difference} in the preceding period${words[tone]}`, tone };
}
