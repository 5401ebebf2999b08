import { sessionRules } from '@tandem/contracts';

/** Several tabs refresh at the same moment with the same cookie: for so long the token before the current one is still believed. */
export const refreshGraceMs = 20_000;
/** Tabs that refresh beside the one that rotated write the idle deadline only when it moves by as much: a storm of them changes nothing. */
export const slideEveryMs = 60_000;
/** Spec part 1, section 9: 'from another device and under 5 minutes old'; 'more than 3 concurrent sessions is flagged excessive'. */
export const suspiciousAgeMs = 5 * 60_000;
export const usualSessions = 3;
/**
 * A refused sign-in answers no sooner than this: a known address costs a line in the log more than an unknown one, and the clock must
 * not tell which. Far above what either needs on an idle machine.
 */
export const evenFailureMs = 250;

const after = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();
const earlier = (a: string, b: string): string => (Date.parse(a) < Date.parse(b) ? a : b);
const later = (a: string, b: string): string => (Date.parse(a) > Date.parse(b) ? a : b);

/** Product decisions: 'a 30-minute sliding idle limit inside an 8-hour absolute session'. */
export const absoluteExpiry = (now: string): string => after(now, sessionRules.absoluteHours * 3_600_000);
export const idleExpiry = (now: string, absolute_expires_at: string): string =>
  earlier(after(now, sessionRules.idleMinutes * 60_000), absolute_expires_at);

export interface SessionState {
  ended_at: string | null;
  /** When its person was last active. */
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

/**
 * The deadlines of a session whose person was active `idle_seconds` ago: never sooner than they were, for another tab may know of
 * activity that is more recent.
 */
export function afterActivity(
  session: SessionState,
  now: string,
  idle_seconds = 0,
): Pick<SessionState, 'last_seen_at' | 'idle_expires_at'> {
  const active_at = after(now, -idle_seconds * 1000);
  return {
    last_seen_at: later(session.last_seen_at, active_at),
    idle_expires_at: later(session.idle_expires_at, idleExpiry(active_at, session.absolute_expires_at)),
  };
}

/** Whether a refresh that rotates nothing has to write the deadline down. */
export const movesDeadline = (session: SessionState, idle_expires_at: string): boolean =>
  Date.parse(idle_expires_at) - Date.parse(session.idle_expires_at) >= slideEveryMs;

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

/** Where a session is used: the specification's device. */
export interface DeviceState {
  ip: string | null;
  user_agent: string | null;
  created_at: string;
}

/**
 * What a sign-in has to note about the person's other sessions that are alive (spec part 1, section 9).
 *
 * @param others without the one that is opened
 */
export function concurrencyEvents(
  opened: DeviceState,
  others: DeviceState[],
): ('suspicious_concurrent_session' | 'excessive_concurrent_sessions')[] {
  const isElsewhere = (other: DeviceState) => other.ip !== opened.ip || other.user_agent !== opened.user_agent;
  const isYoung = (other: DeviceState) => Date.parse(opened.created_at) - Date.parse(other.created_at) < suspiciousAgeMs;
  const suspicious = others.some((other) => isElsewhere(other) && isYoung(other));
  return [
    ...(suspicious ? (['suspicious_concurrent_session'] as const) : []),
    ...(others.length + 1 > usualSessions ? (['excessive_concurrent_sessions'] as const) : []),
  ];
}

/** Lets a refusal take at least `ms`; a success is not held up. */
export async function refusesNoSoonerThan<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  try {
    return await work();
  } catch (error) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, Math.ceil(begun + ms - performance.now()))));
    throw error;
  }
}
