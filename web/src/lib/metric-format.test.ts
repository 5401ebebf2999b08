import { longDayText, periodText, shortDayText } from './metric-format';

it('formats days like Intl', () => {
  const short = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
  const long = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' });
  const days = Array.from({ length: 366 }, (_, index) => new Date(Date.UTC(2028, 0, 1 + index)).toISOString().slice(0, 10));
  for (const day of days)
    expect([shortDayText(day), longDayText(day)]).toEqual([short.format(Date.parse(day)), long.format(Date.parse(day))]);
});

it('formats a period with the years only if they differ', () => {
  expect(periodText({ from: '2026-11-20', to: '2026-11-20' })).toBe('Nov 20');
  expect(periodText({ from: '2026-11-20', to: '2026-12-01' })).toBe('Nov 20 to Dec 1');
  expect(periodText({ from: '2025-12-31', to: '2026-01-01' })).toBe('Dec 31, 2025 to Jan 1, 2026');
  const [january, december] = [{ from: '2026-01-01', to: '2026-01-31' }, { from: '2025-12-01', to: '2025-12-31' }] as const; // prettier-ignore
  expect([periodText(january, december), periodText(december, january)]).toEqual([
    'Jan 1, 2026 to Jan 31, 2026',
    'Dec 1, 2025 to Dec 31, 2025',
  ]);
});
