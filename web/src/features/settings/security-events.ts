import type { Severity } from '@tandem/contracts/values';
import type { SecurityEvent } from '../../lib/monitoring';
import { t } from '../../lib/staff-texts';

/** Show the last 20 events and read them again every 30 seconds. */
export const shownEvents = 20;
export const refreshMs = 30_000;

const known: Record<string, { severity: Severity; title: string }> = {
  suspicious_concurrent_session: { severity: 'high', title: t('settings.signed_in_on_another_device') },
  session_timeout: { severity: 'high', title: t('settings.session_timed_out') },
  anomalous_navigation: { severity: 'medium', title: t('settings.many_pages_in_a_minute') },
  excessive_concurrent_sessions: { severity: 'medium', title: t('settings.more_than_3_concurrent_sessions') },
};

/** High for `suspicious_concurrent_session` and `session_timeout`, medium for the other known events, low for unknown ones. */
export const severityOf = (event: string): Severity => known[event]?.severity ?? 'low';

export const titleOf = (event: string): string => known[event]?.title ?? event.replaceAll('_', ' ');

const alertMs = 24 * 60 * 60 * 1000;

/** Alert for 24 hours after an event of high severity, or until the events are cleared. */
export const isAlert = (events: readonly SecurityEvent[], now: number): boolean =>
  events.some(({ event, timestamp }) => severityOf(event) === 'high' && now - Date.parse(timestamp) < alertMs);
