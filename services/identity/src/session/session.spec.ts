import {
  absoluteExpiry,
  afterActivity,
  concurrencyEvents,
  idleExpiry,
  isAlive,
  decideRefresh,
  extendsDeadline,
  withMinimumFailureTime,
  type SessionState,
} from './session';

const start = '2026-03-01T10:00:00.000Z';
const at = (minutes: number, seconds = 0, ms = 0) => new Date(Date.parse(start) + minutes * 60_000 + seconds * 1000 + ms).toISOString();
const aSession = (overrides: Partial<SessionState> = {}): SessionState => ({
  ended_at: null,
  last_seen_at: start,
  idle_expires_at: at(30),
  absolute_expires_at: at(480),
  refresh_sequence: 3,
  rotated_at: start,
  ...overrides,
});

describe('deadlines', () => {
  it('are 8 hours in total and 30 minutes without activity', () => {
    expect(absoluteExpiry(start, null)).toBe('2026-03-01T18:00:00.000Z');
    expect(absoluteExpiry(start, '2026-03-01T11:00:00.000Z')).toBe('2026-03-01T11:00:00.000Z');
    expect(absoluteExpiry(start, '2026-03-01T19:00:00.000Z')).toBe('2026-03-01T18:00:00.000Z');
    expect(idleExpiry(start, at(480))).toBe('2026-03-01T10:30:00.000Z');
  });
  it('never set the idle deadline after the absolute one', () => expect(idleExpiry(at(470), at(480))).toBe(at(480)));
  it('end the session at that exact time', () => {
    expect(isAlive(aSession(), at(29, 59, 999))).toBe(true);
    expect(isAlive(aSession(), at(30))).toBe(false);
    expect(isAlive(aSession({ idle_expires_at: at(480) }), at(480))).toBe(false);
  });
  it('are irrelevant after the session has ended', () => expect(isAlive(aSession({ ended_at: start }), at(1))).toBe(false));
  it('count from the last activity, which may be some time ago', () =>
    expect(afterActivity(aSession(), at(20), 5 * 60)).toEqual({ last_seen_at: at(15), idle_expires_at: at(45) }));
  it('never move backwards, because another tab may have reported later activity', () => {
    const session = aSession({ last_seen_at: at(10), idle_expires_at: at(40) });
    expect(afterActivity(session, at(20), 15 * 60)).toEqual({ last_seen_at: at(10), idle_expires_at: at(40) });
    expect(afterActivity(session, at(20), 30 * 60)).toEqual({ last_seen_at: at(10), idle_expires_at: at(40) });
  });
  it('never exceed eight hours', () =>
    expect(afterActivity(aSession({ idle_expires_at: at(475) }), at(470)).idle_expires_at).toBe(at(480)));
  it('are saved by a refresh without rotation if they move by a minute', () => {
    expect(extendsDeadline(aSession(), at(30, 59, 999))).toBe(false);
    expect(extendsDeadline(aSession(), at(31))).toBe(true);
  });
});

describe('a refresh token', () => {
  it('rotates if it is the current one', () => expect(decideRefresh(aSession(), 3, at(10))).toBe('rotate'));
  it('is accepted for 20 seconds after it was replaced', () => {
    expect(decideRefresh(aSession(), 2, at(0, 19, 999))).toBe('keep');
    expect(decideRefresh(aSession(), 2, at(0, 20))).toBe('reused');
  });
  it('of two rotations ago is never accepted', () => expect(decideRefresh(aSession(), 1, at(0, 1))).toBe('reused'));
  it('of an expired or ended session is rejected', () => {
    expect(decideRefresh(aSession(), 3, at(30))).toBe('expired');
    expect(decideRefresh(aSession({ ended_at: start }), 3, at(1))).toBe('expired');
  });
});

describe('concurrent sessions at a sign-in', () => {
  const opened = { ip: '203.0.113.7', user_agent: 'Firefox', created_at: at(60) };
  const other = (overrides: Partial<typeof opened> = {}) => ({ ...opened, created_at: at(10), ...overrides });

  it('are not reported on the same device', () => {
    expect(concurrencyEvents(opened, [])).toEqual([]);
    expect(concurrencyEvents(opened, [other({ created_at: at(59) })])).toEqual([]);
  });
  it.each([
    ['browser', { user_agent: 'Chrome' }],
    ['address', { ip: '198.51.100.4' }],
  ])('are suspicious with another %s if less than five minutes old', (_what, elsewhere) => {
    expect(concurrencyEvents(opened, [other({ ...elsewhere, created_at: at(55, 0, 1) })])).toEqual(['suspicious_concurrent_session']);
    expect(concurrencyEvents(opened, [other({ ...elsewhere, created_at: at(55) })])).toEqual([]);
  });
  it('are excessive if there are more than three including the new one', () => {
    expect(concurrencyEvents(opened, [other(), other()])).toEqual([]);
    expect(concurrencyEvents(opened, [other(), other(), other()])).toEqual(['excessive_concurrent_sessions']);
  });
  it('can be both', () =>
    expect(concurrencyEvents(opened, [other(), other(), other({ ip: null, created_at: at(58) } as never)])).toEqual([
      'suspicious_concurrent_session',
      'excessive_concurrent_sessions',
    ]));
});

describe('withMinimumFailureTime', () => {
  const timed = async (work: () => Promise<unknown>) => {
    const begun = performance.now();
    const outcome = await withMinimumFailureTime(100, work).catch((error: Error) => error.message);
    return { outcome, ms: performance.now() - begun };
  };
  it('delays a failure, but not a success', async () => {
    const refused = await timed(() => Promise.reject(new Error('no')));
    expect(refused.outcome).toBe('no');
    expect(refused.ms).toBeGreaterThanOrEqual(98);
    // Would exceed the test's timeout if a success were delayed.
    expect(await withMinimumFailureTime(600_000, () => Promise.resolve('yes'))).toBe('yes');
  });
});
