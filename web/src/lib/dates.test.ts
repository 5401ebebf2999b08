import { formatDate, formatRelative } from './dates';

it('formats dates in en-US with short month, day, year, hour and minute', () => {
  expect(formatDate(new Date(2026, 10, 20, 10, 5).toISOString())).toBe('Nov 20, 2026, 10:05 AM');
});

it('formats recent times as relative and times older than a week as dates', () => {
  const now = new Date(2026, 10, 20, 12).getTime();
  const ago = (ms: number) => formatRelative(new Date(now - ms).toISOString(), now);
  expect(ago(20_000)).toBe('just now');
  expect(ago(5 * 60_000)).toBe('5m ago');
  expect(ago(3 * 3_600_000)).toBe('3h ago');
  expect(ago(26 * 3_600_000)).toBe('1d ago');
  expect(ago(9 * 86_400_000)).toBe('Nov 11');
  expect(ago(400 * 86_400_000)).toBe('Oct 16, 2025');
});
