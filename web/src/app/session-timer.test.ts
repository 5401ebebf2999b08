import { lastActivityAt, recordUserActivity } from '../lib/activity';
import type { Deadlines, SessionPhase } from './session-clock';
import { startSessionTimer, type SessionTimer } from './session-timer';

const minute = 60_000;
const start = Date.parse('2026-11-21T08:00:00Z');

let deadlines: Deadlines | undefined;
let verdicts: (SessionPhase | undefined)[];
let reports: number;
let timer: SessionTimer;
const last = () => verdicts.at(-1);
const act = (type = 'pointermove') => window.dispatchEvent(new Event(type));

beforeEach(() => {
  jest.useFakeTimers({ now: start });
  deadlines = { idle: start + 30 * minute, absolute: start + 480 * minute };
  verdicts = [];
  reports = 0;
  recordUserActivity(start);
  timer = startSessionTimer({
    deadlines: () => deadlines,
    onPhase: (verdict) => verdicts.push(verdict),
    // Like the server: a refresh moves the idle deadline to the last activity plus 30 minutes.
    report: async () => {
      reports += 1;
      if (deadlines) deadlines = { ...deadlines, idle: Math.min(lastActivityAt() + 30 * minute, deadlines.absolute) };
    },
  });
  timer.check();
});
afterEach(() => {
  timer.stop();
  jest.useRealTimers();
});

it('checks once a minute, and once a second while the warning is open', () => {
  jest.advanceTimersByTime(10 * minute);
  expect(verdicts).toHaveLength(11);
  jest.advanceTimersByTime(15 * minute);
  expect(last()?.phase).toBe('warning');
  const before = verdicts.length;
  jest.advanceTimersByTime(10_000);
  expect(verdicts).toHaveLength(before + 10);
});

it('warns on the minute, even between two checks, and ends on the second', () => {
  jest.advanceTimersByTime(30_500);
  act('keydown');
  jest.advanceTimersByTime(25 * minute - 1);
  expect(last()?.phase).toBe('open');
  jest.advanceTimersByTime(1_000);
  expect(last()?.phase).toBe('warning');
  jest.advanceTimersByTime(5 * minute);
  expect(last()?.phase).toBe('over');
  const { length } = verdicts;
  jest.advanceTimersByTime(60 * minute);
  expect(verdicts).toHaveLength(length);
});

it.each(['pointerdown', 'pointermove', 'keydown', 'scroll', 'wheel', 'touchstart'])('counts a %s as activity', (type) => {
  jest.advanceTimersByTime(20 * minute);
  act(type);
  expect(lastActivityAt()).toBe(start + 20 * minute);
  jest.advanceTimersByTime(24 * minute);
  expect(last()?.phase).toBe('open');
});

it('records a moving pointer at most every few seconds', () => {
  jest.advanceTimersByTime(10_000);
  act();
  jest.advanceTimersByTime(1_000);
  act();
  expect(lastActivityAt()).toBe(start + 10_000);
});

it('counts activity of another tab', () => {
  jest.advanceTimersByTime(24 * minute);
  localStorage.setItem('last-activity', String(Date.now()));
  jest.advanceTimersByTime(20 * minute);
  expect(last()?.phase).toBe('open');
});

it('closes the warning within a second when another tab extends', () => {
  jest.advanceTimersByTime(26 * minute);
  expect(last()?.phase).toBe('warning');
  localStorage.setItem('last-activity', String(Date.now()));
  jest.advanceTimersByTime(1_000);
  expect(last()?.phase).toBe('open');
});

it('does not treat a bumped pointer as an answer to the warning', () => {
  jest.advanceTimersByTime(26 * minute);
  act('pointermove');
  act('keydown');
  jest.advanceTimersByTime(4 * minute);
  expect(last()?.phase).toBe('over');
});

it('does not revive an ended session on the first move after sleep', () => {
  jest.setSystemTime(start + 90 * minute);
  act();
  expect(last()?.phase).toBe('over');
  expect(lastActivityAt()).toBe(start);
});

it('checks immediately when the user returns to the tab', () => {
  jest.setSystemTime(start + 27 * minute);
  window.dispatchEvent(new Event('focus'));
  expect(last()?.phase).toBe('warning');
});

it('reports activity once, well before the server’s deadline, even without other requests', async () => {
  for (let passed = 0; passed < 60; passed += 1) {
    act();
    await jest.advanceTimersByTimeAsync(minute);
  }
  expect(last()?.phase).toBe('open');
  expect(reports).toBe(2);
  expect(deadlines!.idle).toBeGreaterThanOrEqual(Date.now() + 10 * minute);
});

it('sends nothing to the server while the user is idle', async () => {
  await jest.advanceTimersByTimeAsync(29 * minute);
  expect(reports).toBe(0);
});

it('does nothing while no user is signed in', () => {
  deadlines = undefined;
  timer.check();
  expect(last()).toBeUndefined();
  const { length } = verdicts;
  act();
  jest.advanceTimersByTime(60 * minute);
  expect(verdicts).toHaveLength(length);
});
