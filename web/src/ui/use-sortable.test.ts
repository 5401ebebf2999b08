import { positionOf } from './use-sortable';

/** Rows of different heights: 40, 100 and 60 pixels. */
const boxes = [
  { top: 0, bottom: 40 },
  { top: 40, bottom: 140 },
  { top: 140, bottom: 200 },
];

it.each([
  [0, 0, 0],
  // The lower edge at 89 has not yet passed the middle of the second row, at 90.
  [0, 49, 0],
  [0, 51, 1],
  [0, 129, 1],
  [0, 131, 2],
  [2, -49, 2],
  [2, -51, 1],
  [2, -121, 0],
  [1, -21, 0],
  [1, 31, 2],
])('row %i that has moved by %i pixels is at position %i', (from, by, position) => {
  expect(positionOf(boxes, from, by)).toBe(position);
});
