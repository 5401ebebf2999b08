import type { Device } from '@tandem/contracts';
import { listDevices } from '@tandem/contracts/endpoints';
import { call } from './call';
import { send } from './http';
import { storage } from './storage';
import { uniqueKey } from './unique';

/**
 * Client-side monitoring while a user is signed in. All data stays in this browser; events that matter to the organization are recorded by
 * the server. Never stores query strings: they can contain customer addresses and tokens.
 */

const minuteMs = 60_000;
export const monitoringRules = {
  navigations: 50,
  /** More navigations than this within the window are anomalous. */
  navigationsInWindow: 20,
  navigationWindowMs: minuteMs,
  securityEvents: 100,
  metrics: 100,
  slowPageMs: 3_000,
  averageWindowMs: 5 * minuteMs,
  breadcrumbs: 50,
  errorLogs: 50,
  offlineErrors: 20,
  sessionCheckMs: 5 * minuteMs,
  /** A session on another device that is younger than this is suspicious. */
  youngSessionMs: 5 * minuteMs,
  sessions: 3,
} as const;

export type LogLevel = 'info' | 'warn' | 'error';
export interface LogEntry {
  level: LogLevel;
  timestamp: string;
  message: string;
  data: unknown;
  source: string;
  sessionId: string;
  userId?: string;
}
export interface SecurityEvent {
  event: string;
  userId: string | null;
  timestamp: string;
  details: Record<string, unknown>;
}
export interface Metric {
  name: string;
  value: number;
  timestamp: string;
  url?: string;
}
export interface Breadcrumb {
  message: string;
  category: string;
  level: LogLevel;
  data: unknown;
  timestamp: string;
}
export interface OfflineError {
  message: string;
  stack?: string;
  url: string;
  timestamp: string;
  /** The events just before the error. */
  breadcrumbs: Breadcrumb[];
}
export interface Watched {
  session_id: string;
  user_id: string;
}

/** Undefined members until a user signs in: entries then use the page's own key as the session id. */
let watched: Partial<Watched> = {};
const pageKey = uniqueKey();

const now = () => new Date().toISOString();
const add = <T>(list: T[], entry: T, limit: number) => {
  list.push(entry);
  list.splice(0, list.length - limit);
};

/** A list in localStorage, shared by all tabs: when it is full, the oldest entries are dropped. */
function storedList<T>(key: string, limit: number) {
  const list = (): T[] => {
    try {
      const parsed: unknown = JSON.parse(storage.get(key) ?? '[]');
      return Array.isArray(parsed) ? (parsed as T[]) : [];
    } catch {
      return [];
    }
  };
  return {
    list,
    add: (entry: T) => {
      try {
        storage.set(key, JSON.stringify([...list(), entry].slice(-limit)));
      } catch {
        // Details that cannot be serialized (a cycle) are dropped, so that logging never breaks the page.
      }
    },
    clear: () => storage.remove(key),
  };
}

// ---- logs and breadcrumbs -----------------------------------------------------------------------------------------

const breadcrumbs: Breadcrumb[] = [];
export const listBreadcrumbs = (): readonly Breadcrumb[] => breadcrumbs;
export const recordBreadcrumb = (message: string, category: string, level: LogLevel = 'info', data: unknown = null): void =>
  add(breadcrumbs, { message, category, level, data, timestamp: now() }, monitoringRules.breadcrumbs);

const errorLogs = storedList<LogEntry>('error-logs', monitoringRules.errorLogs);
export const listErrorLogs = errorLogs.list;

/** Adds a log entry and a breadcrumb; errors are stored and survive a reload. */
export function log(level: LogLevel, message: string, data: unknown = null, source = 'app'): LogEntry {
  const { session_id: sessionId = pageKey, user_id: userId } = watched;
  const entry: LogEntry = { level, timestamp: now(), message, data, source, sessionId, ...(userId ? { userId } : {}) };
  recordBreadcrumb(message, source, level, data);
  if (level === 'error') errorLogs.add(entry);
  // oxlint-disable-next-line no-console -- a warning that is only in memory would never be seen
  if (level === 'warn') console.warn(message, data);
  return entry;
}

const offlineErrors = storedList<OfflineError>('offline-errors', monitoringRules.offlineErrors);
export const listOfflineErrors = offlineErrors.list;
const breadcrumbsOfError = 10;

/** Stores an uncaught error in the browser, where support can ask the user for it. */
export function recordError(error: unknown, source: string): void {
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  offlineErrors.add({
    message: message.slice(0, 500),
    url: location.pathname,
    timestamp: now(),
    ...(stack ? { stack: stack.slice(0, 2_000) } : {}),
    breadcrumbs: breadcrumbs.slice(-breadcrumbsOfError),
  });
  log('error', message.slice(0, 500), null, source);
}

// ---- security events ----------------------------------------------------------------------------------------------

const securityEvents = storedList<SecurityEvent>('security-events', monitoringRules.securityEvents);
/** Oldest first. */
export const listLocalSecurityEvents = securityEvents.list;
export const clearLocalSecurityEvents = securityEvents.clear;

/** Records a suspicious event in this browser: `session_timeout`, `anomalous_navigation` and the like. */
export function recordSecurityEvent(event: string, details: Record<string, unknown> = {}): void {
  securityEvents.add({ event, userId: watched.user_id ?? null, timestamp: now(), details });
  recordBreadcrumb(event, 'security', 'warn', details);
}

const navigations: { path: string; at: number }[] = [];
export const listNavigations = (): readonly { path: string; at: number }[] => navigations;
let anomalyNotedAt = -Infinity;

/** Records a page change. A burst of them is reported as one anomaly, not one per page. */
export function recordNavigation(path: string): void {
  const at = Date.now();
  add(navigations, { path, at }, monitoringRules.navigations);
  recordBreadcrumb(path, 'navigation');
  const since = at - monitoringRules.navigationWindowMs;
  const inWindow = navigations.filter((navigation) => navigation.at > since).length;
  if (inWindow <= monitoringRules.navigationsInWindow || anomalyNotedAt > since) return;
  anomalyNotedAt = at;
  recordSecurityEvent('anomalous_navigation', { navigations: inWindow, window_seconds: monitoringRules.navigationWindowMs / 1000 });
}

const suspected = new Set<string>();
let excessiveNoted = 0;

/** Checks the user's own sessions. Each suspicious one is recorded once; too many sessions once, and again when there are more. */
export function reportOtherSessions(devices: readonly Device[]): void {
  const young = Date.now() - monitoringRules.youngSessionMs;
  for (const { id, current, created_at, user_agent, ip } of devices) {
    if (current || suspected.has(id) || Date.parse(created_at) <= young) continue;
    suspected.add(id);
    recordSecurityEvent('suspicious_concurrent_session', { session: id.slice(-10), created_at, user_agent, ip });
  }
  const sessions = devices.length > monitoringRules.sessions ? devices.length : 0;
  if (sessions > excessiveNoted) recordSecurityEvent('excessive_concurrent_sessions', { sessions });
  excessiveNoted = sessions;
}

const checkedAtKey = 'sessions-checked-at';

/** One tab checks for all. Never refreshes the access token: a timer must not keep an idle session alive. */
async function checkSessions(): Promise<void> {
  const checkedAt = Number(storage.get(checkedAtKey) ?? 0);
  // The timers of several tabs are not in sync: 90 percent of the interval counts as the whole interval.
  if (Date.now() - checkedAt < monitoringRules.sessionCheckMs * 0.9) return;
  storage.set(checkedAtKey, String(Date.now()));
  const answer = await send(call(listDevices));
  if (!answer.problem) reportOtherSessions(answer.data);
}

// ---- performance --------------------------------------------------------------------------------------------------

const metrics: Metric[] = [];
export const listMetrics = (): readonly Metric[] => metrics;

export function recordMetric(name: string, value: number, url?: string): void {
  add(metrics, { name, value, timestamp: now(), ...(url === undefined ? {} : { url }) }, monitoringRules.metrics);
}

/** The average over the window that ends now; undefined if nothing was measured in it. */
export function averageMetric(name: string, windowMs: number = monitoringRules.averageWindowMs): number | undefined {
  const since = Date.now() - windowMs;
  const values = metrics.filter((metric) => metric.name === name && Date.parse(metric.timestamp) >= since).map(({ value }) => value);
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function recordPageLoad(durationMs: number): void {
  recordMetric('page_load', durationMs, location.pathname);
  if (durationMs > monitoringRules.slowPageMs)
    log('warn', 'Slow page load', { duration_ms: Math.round(durationMs), url: location.pathname }, 'performance');
}

let pageLoadIsKnown = false;
function measurePageLoad(): void {
  const [entry] = performance.getEntriesByType?.('navigation') ?? [];
  if (pageLoadIsKnown || !entry || entry.duration === 0) return;
  pageLoadIsKnown = true;
  recordPageLoad(entry.duration);
}

// ---- starting -----------------------------------------------------------------------------------------------------

/** Monitors errors, CSP violations, the user's own sessions and page load times, until the returned function is called. */
export function startMonitoring(session: Watched): () => void {
  watched = session;
  // Those of a user who was signed in before do not count.
  navigations.length = 0;
  anomalyNotedAt = -Infinity;
  const onError = (event: ErrorEvent) => recordError(event.error ?? event.message, 'window.error');
  const onRejection = (event: PromiseRejectionEvent) => recordError(event.reason, 'unhandledrejection');
  const onCaught = (event: Event) => recordError((event as CustomEvent<unknown>).detail, 'error-boundary');
  const onViolation = ({ effectiveDirective: directive, blockedURI }: SecurityPolicyViolationEvent) =>
    log('warn', 'Content security policy violation', { directive, blocked: blockedURI.replace(/[?#].*/, '') }, 'csp');
  // The timing entry is complete only after the load event's own handlers.
  const onLoad = () => setTimeout(measurePageLoad);
  window.addEventListener('error', onError);
  window.addEventListener('unhandledrejection', onRejection);
  window.addEventListener('tandem:error', onCaught);
  document.addEventListener('securitypolicyviolation', onViolation);
  if (document.readyState === 'complete') measurePageLoad();
  else window.addEventListener('load', onLoad);
  const timer = setInterval(() => void checkSessions(), monitoringRules.sessionCheckMs);
  return () => {
    clearInterval(timer);
    window.removeEventListener('error', onError);
    window.removeEventListener('unhandledrejection', onRejection);
    window.removeEventListener('tandem:error', onCaught);
    document.removeEventListener('securitypolicyviolation', onViolation);
    window.removeEventListener('load', onLoad);
  };
}
