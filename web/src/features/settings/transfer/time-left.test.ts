import { secondsLeft, timeLeftText, undoLeftText, withSample, type Sample } from './time-left';

const after = (...samples: [seconds: number, done: number][]) =>
  samples.reduce<Sample[]>((all, [seconds, done]) => withSample(all, { at: seconds * 1_000, done }), []);

it('computes the time left from the speed of the last minute, once it is known', () => {
  expect(secondsLeft(after([0, 0], [2, 10]), 100)).toBeUndefined();
  expect(secondsLeft(after([0, 0], [10, 10]), 100)).toBe(90);
  expect(secondsLeft(after([0, 0], [10, 10]), null)).toBeUndefined();
  expect(secondsLeft(after([0, 0], [10, 0]), 100)).toBeUndefined();
  // Faster since the 100th second; then another phase starts at 0.
  expect(secondsLeft(after([0, 0], [100, 10], [160, 70]), 100)).toBe(30);
  expect(secondsLeft(after([0, 0], [100, 80], [110, 5]), 100)).toBeUndefined();
});

it('names times in minutes and hours', () => {
  expect([30, 61, 300, 7_300].map(timeLeftText)).toEqual([
    'Less than a minute left',
    'About 1 minute left',
    'About 5 minutes left',
    'About 2 hours left',
  ]);
  const now = Date.parse('2026-11-27T10:00:00Z');
  expect(undoLeftText('2026-11-28T09:30:00Z', now)).toBe('23 hours left to undo');
  expect(undoLeftText('2026-11-27T10:00:10Z', now)).toBe('1 minute left to undo');
});
