import { nextNight } from './retention';

it.each([
  ['UTC', '2026-11-27T02:59:00Z', '2026-11-27T03:00:00.000Z'],
  ['UTC', '2026-11-27T03:00:00Z', '2026-11-28T03:00:00.000Z'],
  ['America/New_York', '2026-11-27T12:00:00Z', '2026-11-28T08:00:00.000Z'],
  // At 2 o'clock the clocks go forward to 3 in Berlin.
  ['Europe/Berlin', '2026-03-28T23:30:00Z', '2026-03-29T01:00:00.000Z'],
  // At 0 o'clock the clocks go forward to 1 in Beirut.
  ['Asia/Beirut', '2026-03-28T23:00:00Z', '2026-03-29T00:00:00.000Z'],
])('deletes tickets at 3 o’clock in %s, next after %s', (zone, now, next) => expect(nextNight(zone, new Date(now))).toBe(next));
