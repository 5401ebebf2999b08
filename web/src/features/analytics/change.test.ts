import { changeOf } from './change';

it.each([
  [120, 100, 'count', null, 'Up 20% from 100 in the preceding period', 'neutral'],
  [2, 4, 'hours', 'less', 'Down 50% from 4h in the preceding period, better', 'good'],
  [6, 4, 'hours', 'less', 'Up 50% from 4h in the preceding period, worse', 'bad'],
  [96.5, 94, 'share', 'more', 'Up 2.5 pts from 94% in the preceding period, better', 'good'],
  [4.1, 4.4, 'rating', 'more', 'Down 0.3 from 4.4 in the preceding period, worse', 'bad'],
  [5, 5, 'count', 'less', 'No change from the preceding period', 'neutral'],
  [0, 0, 'count', 'less', 'No change from the preceding period', 'neutral'],
  [3, 0, 'count', 'less', 'Up from 0 in the preceding period, worse', 'bad'],
  [3, 0, 'share', 'less', 'Up 3 pts from 0% in the preceding period, worse', 'bad'],
] as const)('%d after %d %s, %s is better: %s', (now, before, unit, better, words, tone) => {
  expect(changeOf(now, before, unit, better)).toMatchObject({ words, tone });
});

it('compares nothing with a period without a value', () => {
  expect(changeOf(3, null, 'hours', 'less')).toBeUndefined();
  expect(changeOf(null, 3, 'hours', 'less')).toBeUndefined();
});
