import { bandScale, linearScale, linePath } from './scale';

// The expected values are those of d3-scale 4.
it.each([
  [1, 3, [0, 0.5, 1]],
  [7, 3, [0, 2, 4, 6, 8]],
  [12, 3, [0, 5, 10, 15]],
  [93, 3, [0, 50, 100]],
  [1_240, 3, [0, 500, 1_000, 1_500]],
  [4, 2, [0, 2, 4]],
  [30, 2, [0, 20, 40]],
])('a domain to %d is extended to a round number, with about %d steps', (most, count, ticks) => {
  const scale = linearScale(most, [100, 0], count);
  expect(scale.ticks(count)).toEqual(ticks);
  expect(scale(0)).toBe(100);
  expect(scale(ticks.at(-1)!)).toBe(0);
});

it('maps values to the range', () => {
  const scale = linearScale(4, [1, 95]);
  expect([scale(0), scale(2), scale(4)]).toEqual([1, 48, 95]);
});

it('divides the range into bars with padding', () => {
  const scale = bandScale(['a', 'b', 'c'], [34, 354], 0.2);
  const rounded = [scale.step, scale.barWidth, scale('a'), scale('b'), scale('c')].map((value) => Math.round(value * 1_000) / 1_000);
  expect(rounded).toEqual([100, 80, 54, 154, 254]);
});

it('draws a line through the points', () => {
  expect(linePath([[1, 2], [3, 4.5]])).toBe('M1,2L3,4.5'); // prettier-ignore
});
