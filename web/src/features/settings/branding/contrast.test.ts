import { contrastWithWhite } from './contrast';

it.each([
  ['#000000', 21],
  ['#FFFFFF', 1],
  ['#767676', 4.54],
  ['#3b82f6', 3.68],
])('the contrast of white on %s is %d', (color, ratio) => expect(contrastWithWhite(color)).toBeCloseTo(ratio, 2));
