import { addDays, isStartOfDay, startOfDay, zonedDay } from './zoned-day';

it.each([
  ['2026-11-21', 'UTC', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21', 'Europe/Berlin', '2026-11-20T23:00:00.000Z'],
  ['2026-11-21', 'Asia/Kolkata', '2026-11-20T18:30:00.000Z'],
  ['2026-11-21', 'Pacific/Kiritimati', '2026-11-20T10:00:00.000Z'],
  ['2026-11-21', 'Etc/GMT+12', '2026-11-21T12:00:00.000Z'],
  // The clocks change during the day.
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
  ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
  // The clocks change at midnight: the day has none, or two.
  ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z'],
  ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z'],
])('%s starts in %s at %s', (day, zone, start) => {
  expect(startOfDay(day, zone)).toBe(start);
  expect(isStartOfDay(start, zone)).toBe(true);
  expect(zonedDay(start, zone)).toBe(day);
  expect(zonedDay(new Date(Date.parse(start) - 1).toISOString(), zone)).toBe(addDays(day, -1));
});
