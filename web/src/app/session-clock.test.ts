import { countsAsActivity, sessionPhase, type Deadlines } from './session-clock';

const minute = 60_000;
const start = Date.parse('2026-11-21T08:00:00Z');
const at = (minutes: number) => start + minutes * minute;
/** A session that started at minute 0, with the server's deadlines. */
const fresh: Deadlines = { idle: at(30), absolute: at(480) };

it.each([
  [24.9, 'open'],
  [25, 'warning'],
  [29.9, 'warning'],
  [30, 'over'],
  [90, 'over'],
])('after %p idle minutes the session is %s', (minutes, phase) => {
  expect(sessionPhase(fresh, at(0), at(minutes))).toMatchObject({ phase, why: 'idle', endsAt: at(30) });
});

it('counts from the last activity, not from the server’s last known activity', () => {
  expect(sessionPhase(fresh, at(20), at(40))).toMatchObject({ phase: 'open', endsAt: at(50) });
});

it('counts signing in as activity, so that an old stored time does not end a new session', () => {
  expect(sessionPhase(fresh, at(-600), at(1))).toMatchObject({ phase: 'open', endsAt: at(30) });
});

it('ends after 8 hours regardless of activity, with a warning 5 minutes before', () => {
  expect(sessionPhase({ idle: at(480), absolute: at(480) }, at(474), at(474))).toMatchObject({ phase: 'open', why: 'absolute' });
  expect(sessionPhase({ idle: at(480), absolute: at(480) }, at(475), at(475))).toMatchObject({
    phase: 'warning',
    why: 'absolute',
    endsAt: at(480),
  });
  expect(sessionPhase({ idle: at(480), absolute: at(480) }, at(480), at(480)).phase).toBe('over');
});

it('reports unreported activity when the server’s deadline is less than 10 minutes away, not before', () => {
  expect(sessionPhase(fresh, at(19), at(19)).mustReport).toBe(false);
  expect(sessionPhase(fresh, at(19), at(21)).mustReport).toBe(true);
});

it('reports nothing without new activity, or if the session cannot be extended', () => {
  expect(sessionPhase(fresh, at(0), at(24)).mustReport).toBe(false);
  expect(sessionPhase({ idle: at(480), absolute: at(480) }, at(478), at(479)).mustReport).toBe(false);
});

it('counts activity only until the warning opens, so that a bumped pointer does not extend the session', () => {
  expect(countsAsActivity(fresh, at(0), at(24.9))).toBe(true);
  expect(countsAsActivity(fresh, at(0), at(25))).toBe(false);
  expect(countsAsActivity(fresh, at(0), at(600))).toBe(false);
});
