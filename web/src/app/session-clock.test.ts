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

it('counts from the last activity, not from what the server knew', () => {
  expect(sessionPhase(fresh, at(20), at(40))).toMatchObject({ phase: 'open', endsAt: at(50) });
});

it('takes the sign-in for activity: an old note in the storage ends no new session', () => {
  expect(sessionPhase(fresh, at(-600), at(1))).toMatchObject({ phase: 'open', endsAt: at(30) });
});

it('ends after 8 hours however active the person is, with a warning 5 minutes before', () => {
  expect(sessionPhase({ idle: at(480), absolute: at(480) }, at(474), at(474))).toMatchObject({ phase: 'open', why: 'absolute' });
  expect(sessionPhase({ idle: at(480), absolute: at(480) }, at(475), at(475))).toMatchObject({
    phase: 'warning',
    why: 'absolute',
    endsAt: at(480),
  });
  expect(sessionPhase({ idle: at(480), absolute: at(480) }, at(480), at(480)).phase).toBe('over');
});

it('reports activity that the server does not know of when its deadline is nearer than 10 minutes, not before', () => {
  expect(sessionPhase(fresh, at(19), at(19)).mustReport).toBe(false);
  expect(sessionPhase(fresh, at(19), at(21)).mustReport).toBe(true);
});

it('has nothing to report when the person has done nothing since, or when the session cannot go on longer', () => {
  expect(sessionPhase(fresh, at(0), at(24)).mustReport).toBe(false);
  expect(sessionPhase({ idle: at(480), absolute: at(480) }, at(478), at(479)).mustReport).toBe(false);
});

it('lets activity count until the warning is due: a pointer that is bumped then is no answer', () => {
  expect(countsAsActivity(fresh, at(0), at(24.9))).toBe(true);
  expect(countsAsActivity(fresh, at(0), at(25))).toBe(false);
  expect(countsAsActivity(fresh, at(0), at(600))).toBe(false);
});
