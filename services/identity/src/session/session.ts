import { sessionRules } from '@tandem/contracts';

/** Several tabs refresh at the same moment with the same cookie: for so long the token before the current one is still believed. */
export const refreshGraceMs = 20_000;
/** The idle deadline is written at most so often: an open page asks far more often than a deadline of 30 minutes needs. */
export const slideEveryMs = 60_000;

const after = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();
const earlier = (a: string, b: string): string => (Date.parse(a) < Date.parse(b) ? a : b);

/** Product decisions: 'a 30-minute sliding idle limit inside an 8-hour absolute session'. */
export const absoluteExpiry = (now: string): string => after(now, sessionRules.absoluteHours * 3_600_000);
export const idleExpiry = (now: string, absolute_expires_at: string): string =>
  earlier(after(now, sessionRules.idleMinutes * 60_000), absolute_expires_at);

export interface SessionState {
  ended_at: string | null;
  last_seen_at: string;
  idle_expires_at: string;
  absolute_expires_at: string;
  /** The number of its current refresh token, and since when it is current. */
  refresh_sequence: number;
  rotated_at: string;
}

/** At the very moment of a deadline the session is over. */
export const isAlive = (session: SessionState, now: string): boolean =>
  session.ended_at === null && Date.parse(now) < Math.min(Date.parse(session.idle_expires_at), Date.parse(session.absolute_expires_at));

export const mustSlide = (session: SessionState, now: string): boolean =>
  Date.parse(now) - Date.parse(session.last_seen_at) >= slideEveryMs;

/**
 * What a refresh token is worth that was the session's `sequence`-th:
 * `rotate` — the current one; `keep` — the one just before it, so another tab was faster a moment ago and this one's browser has
 * the new cookie already; `reused` — older, so somebody kept a copy: nobody can tell thief from owner, and the whole family ends.
 */
export function judgeRefresh(session: SessionState, sequence: number, now: string): 'rotate' | 'keep' | 'reused' | 'expired' {
  if (!isAlive(session, now)) return 'expired';
  if (sequence === session.refresh_sequence) return 'rotate';
  const isPrevious = sequence === session.refresh_sequence - 1;
  return isPrevious && Date.parse(now) - Date.parse(session.rotated_at) < refreshGraceMs ? 'keep' : 'reused';
}
