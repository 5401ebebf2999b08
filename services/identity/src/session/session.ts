import { sessionRules } from '@tandem/contracts';

/** Several tabs may refresh at the same time with the same cookie, so the previous token stays valid for this long. */
export const refreshGraceMs = 20_000;
/**
 * Refreshes that do not rotate the token save the idle deadline only if it moves by at least this much, which limits writes when many tabs
 * refresh at once.
 */
export const renewThresholdMs = 60_000;
/**
 * A concurrent session from another device that is less than 5 minutes old is suspicious; more than 3 concurrent sessions are excessive
 * (docs/product-rules.md#sessions).
 */
export const suspiciousAgeMs = 5 * 60_000;
export const expectedSessions = 3;
/**
 * Minimum response time of failed sign-ins. A known address takes longer because it writes a log entry, and the response time must not
 * reveal that. Far longer than either takes on an idle machine.
 */
export const minFailureMs = 250;

const after = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();
const earlier = (a: string, b: string): string => (Date.parse(a) < Date.parse(b) ? a : b);
const later = (a: string, b: string): string => (Date.parse(a) > Date.parse(b) ? a : b);

/** A session ends after 8 hours in any case, or with the demo organization, and after 30 minutes without activity. */
export const absoluteExpiry = (now: string, demo_ends_at: string | null): string => {
  const end = after(now, sessionRules.absoluteHours * 3_600_000);
  return demo_ends_at === null ? end : earlier(end, demo_ends_at);
};
export const idleExpiry = (now: string, absolute_expires_at: string): string =>
  earlier(after(now, sessionRules.idleMinutes * 60_000), absolute_expires_at);

export interface SessionState {
  ended_at: string | null;
  /** The time of the user's last activity. */
  last_seen_at: string;
  idle_expires_at: string;
  absolute_expires_at: string;
  /** The number of the current refresh token, and since when it is current. */
  refresh_sequence: number;
  rotated_at: string;
}

/** A session has ended at the exact time of its deadline. */
export const isAlive = (session: SessionState, now: string): boolean =>
  session.ended_at === null && Date.parse(now) < Math.min(Date.parse(session.idle_expires_at), Date.parse(session.absolute_expires_at));

/**
 * The deadlines of a session whose user was active `idle_seconds` ago. They never move backwards, because another tab may have reported
 * more recent activity.
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

/** Whether a refresh that does not rotate the token has to save the deadline. */
export const extendsDeadline = (session: SessionState, idle_expires_at: string): boolean =>
  Date.parse(idle_expires_at) - Date.parse(session.idle_expires_at) >= renewThresholdMs;

/**
 * Decides about a refresh with the session's `sequence`-th token:
 * `rotate`: it is the current token. `keep`: it is the previous token within the grace period, so another tab has just rotated it and the
 * browser already has the new cookie. `reused`: it is older, so a copy was kept. Thief and owner cannot be distinguished, so the session
 * ends.
 */
export function decideRefresh(session: SessionState, sequence: number, now: string): 'rotate' | 'keep' | 'reused' | 'expired' {
  if (!isAlive(session, now)) return 'expired';
  if (sequence === session.refresh_sequence) return 'rotate';
  const isPrevious = sequence === session.refresh_sequence - 1;
  return isPrevious && Date.parse(now) - Date.parse(session.rotated_at) < refreshGraceMs ? 'keep' : 'reused';
}

/** A device is identified by address and browser. */
export interface DeviceState {
  ip: string | null;
  user_agent: string | null;
  created_at: string;
}

/**
 * The audit events of a sign-in that concern the user's other active sessions.
 *
 * @param others the active sessions without the new one
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
    ...(others.length + 1 > expectedSessions ? (['excessive_concurrent_sessions'] as const) : []),
  ];
}

/** Makes a failure take at least `ms`; a success is not delayed. */
export async function withMinimumFailureTime<T>(ms: number, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  try {
    return await work();
  } catch (error) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, Math.ceil(begun + ms - performance.now()))));
    throw error;
  }
}
