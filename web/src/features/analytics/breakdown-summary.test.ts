import { summaryOf } from './Breakdown';

const items = (...counts: number[]) => counts.map((count, n) => ({ name: `Tag ${n + 1}`, count, to: `/${n}` }));
const plain = (text: string) => text.replaceAll(/[\u2068\u2069]/g, '');

it.each([
  [items(1, 4, 3), 8, 'Most: Tag 2, 4 of 8 tickets (50%).'],
  [items(1, 1), 2, 'Most: Tag 1 and Tag 2, 1 of 2 tickets each (50%).'],
  [items(2, 2, 2, 1), 7, 'Most: Tag 1, Tag 2, and Tag 3, 2 of 7 tickets each (28.6%).'],
  [items(1, 1, 1, 1), 4, 'Most: 4 of equal size, 1 of 4 tickets each (25%).'],
  [items(0, 0), 3, 'No tags in this range.'],
  [[], 0, 'No tickets in this range.'],
])('a breakdown names all with the highest count: %j of %i', (bars, total, text) => {
  expect(plain(summaryOf('tags', bars, total))).toBe(text);
});
