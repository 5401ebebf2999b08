import { absoluteExpiry, idleExpiry, isAlive, judgeRefresh, mustSlide, type SessionState } from './session';

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
  it('are 8 hours in all and 30 minutes without use', () => {
    expect(absoluteExpiry(start)).toBe('2026-03-01T18:00:00.000Z');
    expect(idleExpiry(start, at(480))).toBe('2026-03-01T10:30:00.000Z');
  });
  it('the idle one never passes the absolute one', () => expect(idleExpiry(at(470), at(480))).toBe(at(480)));
  it('end the session at the very moment', () => {
    expect(isAlive(aSession(), at(29, 59, 999))).toBe(true);
    expect(isAlive(aSession(), at(30))).toBe(false);
    expect(isAlive(aSession({ idle_expires_at: at(480) }), at(480))).toBe(false);
  });
  it('do not matter once it has ended', () => expect(isAlive(aSession({ ended_at: start }), at(1))).toBe(false));
  it('slide at most once a minute', () => {
    expect(mustSlide(aSession(), at(0, 59, 999))).toBe(false);
    expect(mustSlide(aSession(), at(1))).toBe(true);
  });
});

describe('a refresh token', () => {
  it('rotates when it is the current one', () => expect(judgeRefresh(aSession(), 3, at(10))).toBe('rotate'));
  it('is believed for 20 seconds after it was replaced', () => {
    expect(judgeRefresh(aSession(), 2, at(0, 19, 999))).toBe('keep');
    expect(judgeRefresh(aSession(), 2, at(0, 20))).toBe('reused');
  });
  it('of two rotations ago is never believed', () => expect(judgeRefresh(aSession(), 1, at(0, 1))).toBe('reused'));
  it('of an expired or ended session is worth nothing', () => {
    expect(judgeRefresh(aSession(), 3, at(30))).toBe('expired');
    expect(judgeRefresh(aSession({ ended_at: start }), 3, at(1))).toBe('expired');
  });
});
