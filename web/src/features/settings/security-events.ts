import type { Severity } from '@tandem/contracts/values';
import type { SecurityEvent } from '../../lib/monitoring';

/** Spec part 2, section 9: the last 20, read again every 30 seconds. */
export const shownEvents = 20;
export const refreshMs = 30_000;

const known: Record<string, { severity: Severity; title: string }> = {
  suspicious_concurrent_session: { severity: 'high', title: 'Signed in on another device within 5 minutes' },
  session_timeout: { severity: 'high', title: 'Session timed out' },
  anomalous_navigation: { severity: 'medium', title: 'More than 20 pages in a minute' },
  excessive_concurrent_sessions: { severity: 'medium', title: 'More than 3 sessions at once' },
};

/** High for suspicious_concurrent_session and session_timeout, medium for anomalous_navigation and excessive_concurrent_sessions, low otherwise. */
export const severityOf = (event: string): Severity => known[event]?.severity ?? 'low';

export const titleOf = (event: string): string => known[event]?.title ?? event.replaceAll('_', ' ');

const alertMs = 24 * 60 * 60 * 1000;

/** 'secure or alert': a day long after something of high severity, or until the logs are cleared. */
export const isAlert = (events: readonly SecurityEvent[], now: number): boolean =>
  events.some(({ event, timestamp }) => severityOf(event) === 'high' && now - Date.parse(timestamp) < alertMs);
