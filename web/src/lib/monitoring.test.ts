import { http } from 'msw';
import type { Device } from '@tandem/contracts';
import { ErrorBoundary } from '../app/ErrorPage';
import { backend } from '../testing/backend';
import { answer, api, refuse, server } from '../testing/server';
import type * as Monitoring from './monitoring';

type Module = typeof Monitoring;
const minuteMs = 60_000;
const start = Date.parse('2026-11-20T10:00:00.000Z');

let monitoring: Module;
let stop: (() => void) | undefined;
let warn: jest.SpyInstance;

beforeEach(async () => {
  jest.useFakeTimers({ now: start, doNotFake: ['queueMicrotask', 'nextTick'] });
  warn = jest.spyOn(console, 'warn').mockImplementation();
  // A fresh module per test, as in a newly opened browser.
  await jest.isolateModulesAsync(async () => {
    monitoring = await import('./monitoring');
  });
});
afterEach(() => {
  stop?.();
  stop = undefined;
  warn.mockRestore();
  jest.useRealTimers();
});

const session = { session_id: 'the-session', user_id: 'ada' };
const watch = () => (stop = monitoring.startMonitoring(session));
const events = () => monitoring.listLocalSecurityEvents().map(({ event }) => event);
const pass = (ms: number) => jest.setSystemTime(Date.now() + ms);
/** Lets responses arrive without advancing the clock. */
const until = async (done: () => boolean) => {
  for (let i = 0; i < 500 && !done(); i++) await jest.advanceTimersByTimeAsync(0);
};
const numbers = (n: number) => Array.from({ length: n }, (_, i) => i);

describe('navigation', () => {
  it('keeps the last 50', () => {
    for (const i of numbers(51)) monitoring.recordNavigation(`/tickets/${i}`);
    expect(monitoring.listNavigations()).toHaveLength(50);
    expect(monitoring.listNavigations()[0]).toEqual({ path: '/tickets/1', at: start });
  });

  it('is anomalous from the 21st within 60 seconds', () => {
    watch();
    for (const i of numbers(20)) monitoring.recordNavigation(`/${i}`);
    expect(events()).toEqual([]);
    monitoring.recordNavigation('/20');
    expect(monitoring.listLocalSecurityEvents()).toEqual([
      {
        event: 'anomalous_navigation',
        userId: 'ada',
        timestamp: '2026-11-20T10:00:00.000Z',
        details: { navigations: 21, window_seconds: 60 },
      },
    ]);
  });

  it('is not anomalous if the first is 60 seconds old', () => {
    monitoring.recordNavigation('/first');
    pass(minuteMs);
    for (const i of numbers(20)) monitoring.recordNavigation(`/${i}`);
    expect(events()).toEqual([]);
  });

  it('does not count pages of the user before', () => {
    for (const i of numbers(20)) monitoring.recordNavigation(`/${i}`);
    monitoring.startMonitoring({ session_id: 'other', user_id: 'grace' })();
    monitoring.recordNavigation('/20');
    expect(events()).toEqual([]);
  });

  it('records one event per burst', () => {
    for (const i of numbers(30)) monitoring.recordNavigation(`/${i}`);
    expect(events()).toHaveLength(1);
    pass(minuteMs);
    for (const i of numbers(21)) monitoring.recordNavigation(`/${i}`);
    expect(events()).toHaveLength(2);
  });
});

describe('security events', () => {
  it('are capped at 100, outlive the page, and can be cleared', () => {
    for (const i of numbers(101)) monitoring.recordSecurityEvent('session_timeout', { i });
    const kept = monitoring.listLocalSecurityEvents();
    expect(kept).toHaveLength(100);
    expect([kept[0]?.details, kept.at(-1)?.details]).toEqual([{ i: 1 }, { i: 100 }]);
    expect(JSON.parse(localStorage.getItem('security-events') ?? '')).toHaveLength(100);
    monitoring.clearLocalSecurityEvents();
    expect(events()).toEqual([]);
  });

  it('contain no user before sign-in', () => {
    monitoring.recordSecurityEvent('session_timeout');
    expect(monitoring.listLocalSecurityEvents()).toEqual([
      { event: 'session_timeout', userId: null, timestamp: '2026-11-20T10:00:00.000Z', details: {} },
    ]);
  });

  it.each(['{', '7', '{"a":1}', 'null'])('start empty if the storage contains %s', (text) => {
    localStorage.setItem('security-events', text);
    monitoring.recordSecurityEvent('session_timeout');
    expect(events()).toEqual(['session_timeout']);
  });
});

describe('the user’s sessions', () => {
  const aDevice = (id: string, ageMs: number, current = false): Device => {
    const created_at = new Date(Date.now() - ageMs).toISOString();
    return { id, current, user_agent: 'Other/1.0', ip: '203.0.113.9', created_at, last_seen_at: created_at };
  };

  it('are suspicious on another device while under 5 minutes old, reported once each', () => {
    monitoring.reportOtherSessions([aDevice('here', 0, true), aDevice('old-session', 5 * minuteMs)]);
    expect(events()).toEqual([]);
    const young = aDevice('a-young-session-0123456789', 5 * minuteMs - 1);
    monitoring.reportOtherSessions([aDevice('here', 0, true), young]);
    monitoring.reportOtherSessions([aDevice('here', 0, true), young]);
    expect(monitoring.listLocalSecurityEvents()).toMatchObject([
      { event: 'suspicious_concurrent_session', details: { session: '0123456789', user_agent: 'Other/1.0' } },
    ]);
  });

  it('are excessive if more than 3, reported once until there are more', () => {
    const old = (n: number) => numbers(n).map((i) => aDevice(`s${i}`, 60 * minuteMs, i === 0));
    monitoring.reportOtherSessions(old(3));
    expect(events()).toEqual([]);
    monitoring.reportOtherSessions(old(4));
    monitoring.reportOtherSessions(old(4));
    expect(monitoring.listLocalSecurityEvents()).toMatchObject([{ event: 'excessive_concurrent_sessions', details: { sessions: 4 } }]);
    monitoring.reportOtherSessions(old(5));
    expect(events()).toHaveLength(2);
  });

  it('are requested every 5 minutes by one tab while a user is signed in', async () => {
    const asked = () => backend.calls.filter((call) => call === 'GET /auth/sessions').length;
    const devices = numbers(4).map((i) => aDevice(`s${i}`, 60 * minuteMs, i === 0));
    server.use(http.get(api('/auth/sessions'), () => answer(devices)));
    watch();
    const stopOther = monitoring.startMonitoring(session);
    await jest.advanceTimersByTimeAsync(5 * minuteMs - 1);
    expect(asked()).toBe(0);
    await jest.advanceTimersByTimeAsync(1);
    await until(() => events().length > 0);
    expect([asked(), events()]).toEqual([1, ['excessive_concurrent_sessions']]);
    await jest.advanceTimersByTimeAsync(5 * minuteMs);
    await until(() => asked() === 2);
    expect(asked()).toBe(2);
    stopOther();
    stop?.();
    await jest.advanceTimersByTimeAsync(15 * minuteMs);
    expect(asked()).toBe(2);
  });

  it('are ignored if the server does not return them', async () => {
    server.use(http.get(api('/auth/sessions'), () => refuse('session.expired')));
    watch();
    await jest.advanceTimersByTimeAsync(5 * minuteMs);
    await until(() => backend.calls.length > 0);
    expect(backend.calls).toEqual(['GET /auth/sessions']);
    expect(events()).toEqual([]);
  });
});

describe('performance', () => {
  it('keeps the last 100 metrics', () => {
    for (const i of numbers(101)) monitoring.recordMetric('x', i);
    expect(monitoring.listMetrics()).toHaveLength(100);
    expect(monitoring.listMetrics()[0]).toEqual({ name: 'x', value: 1, timestamp: '2026-11-20T10:00:00.000Z' });
  });

  it('reports page loads over 3 seconds as slow', () => {
    monitoring.recordPageLoad(3_000);
    expect(warn).not.toHaveBeenCalled();
    monitoring.recordPageLoad(3_001);
    expect(warn).toHaveBeenCalledWith('Slow page load', { duration_ms: 3_001, url: '/' });
    expect(monitoring.listMetrics()).toMatchObject([
      { name: 'page_load', value: 3_000, url: '/' },
      { name: 'page_load', value: 3_001, url: '/' },
    ]);
  });

  it('averages the last 5 minutes by default', () => {
    monitoring.recordMetric('page_load', 100);
    pass(1);
    monitoring.recordMetric('page_load', 300);
    monitoring.recordMetric('other', 9_000);
    expect(monitoring.averageMetric('page_load')).toBe(200);
    pass(5 * minuteMs);
    expect(monitoring.averageMetric('page_load')).toBe(300);
    expect(monitoring.averageMetric('page_load', 10 * minuteMs)).toBe(200);
    pass(1);
    expect(monitoring.averageMetric('page_load')).toBeUndefined();
  });
});

describe('logs', () => {
  it('have the documented fields', () => {
    watch();
    expect(monitoring.log('info', 'Hello', { a: 1 }, 'test')).toEqual({
      level: 'info',
      timestamp: '2026-11-20T10:00:00.000Z',
      message: 'Hello',
      data: { a: 1 },
      source: 'test',
      sessionId: 'the-session',
      userId: 'ada',
    });
  });

  it('keep the last 50 errors in the browser, and errors only', () => {
    monitoring.log('info', 'nothing');
    monitoring.log('warn', 'little');
    for (const i of numbers(51)) monitoring.log('error', `error ${i}`);
    const kept = monitoring.listErrorLogs();
    expect([kept.length, kept[0]?.message, kept.at(-1)?.message]).toEqual([50, 'error 1', 'error 50']);
    expect(kept[0]).not.toHaveProperty('userId');
    expect(kept[0]?.sessionId).toMatch(/^[0-9a-f]{32}$/);
  });

  it('tolerate data that cannot be serialized', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    monitoring.log('error', 'round', circle);
    monitoring.log('error', 'after');
    expect(monitoring.listErrorLogs().map(({ message }) => message)).toEqual(['after']);
  });

  it('keep the last 50 breadcrumbs', () => {
    for (const i of numbers(51)) monitoring.recordBreadcrumb(`step ${i}`, 'test');
    expect(monitoring.listBreadcrumbs()).toHaveLength(50);
    expect(monitoring.listBreadcrumbs()[0]).toEqual({
      message: 'step 1',
      category: 'test',
      level: 'info',
      data: null,
      timestamp: '2026-11-20T10:00:00.000Z',
    });
  });
});

describe('uncaught errors', () => {
  it('are logged with their breadcrumbs, and the last 20 are stored', () => {
    watch();
    monitoring.recordNavigation('/tickets');
    for (const i of numbers(21)) window.dispatchEvent(new ErrorEvent('error', { message: `broken ${i}` }));
    const kept = monitoring.listOfflineErrors();
    expect([kept.length, kept[0]?.message, kept.at(-1)?.message]).toEqual([20, 'broken 1', 'broken 20']);
    expect(kept[0]?.breadcrumbs[0]).toMatchObject({ message: '/tickets', category: 'navigation' });
    expect(kept[0]?.breadcrumbs[1]).toMatchObject({ message: 'broken 0', level: 'error' });
    expect(monitoring.listErrorLogs()).toHaveLength(21);
  });

  it('include unhandled rejections', () => {
    watch();
    window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: new Error('no answer') }));
    expect(monitoring.listErrorLogs()).toMatchObject([{ level: 'error', message: 'no answer', source: 'unhandledrejection' }]);
    expect(monitoring.listOfflineErrors()).toMatchObject([{ message: 'no answer', stack: expect.stringContaining('no answer') }]);
  });

  it('include errors caught by the error boundary', () => {
    watch();
    const error = jest.spyOn(console, 'error').mockImplementation();
    new ErrorBoundary({ children: null }).componentDidCatch(new Error('broken screen'));
    error.mockRestore();
    expect(monitoring.listErrorLogs()).toMatchObject([{ level: 'error', message: 'broken screen', source: 'error-boundary' }]);
  });

  it('are ignored after stopping', () => {
    watch();
    stop?.();
    window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'late' }));
    expect(monitoring.listErrorLogs()).toEqual([]);
  });

  it('never contain the URL’s query, which may contain tokens and customer addresses', () => {
    window.history.replaceState(null, '', '/tickets?search=jonas@example.com');
    watch();
    window.dispatchEvent(new ErrorEvent('error', { message: 'x' }));
    expect(localStorage.getItem('offline-errors')).not.toContain('jonas');
    window.history.replaceState(null, '', '/');
  });
});

it('logs a violation of the content security policy as a warning', () => {
  watch();
  const violation = { effectiveDirective: 'script-src', blockedURI: 'https://evil.example/x.js?a=1' };
  document.dispatchEvent(Object.assign(new Event('securitypolicyviolation'), violation));
  expect(warn).toHaveBeenCalledWith('Content security policy violation', { directive: 'script-src', blocked: 'https://evil.example/x.js' });
  expect(monitoring.listBreadcrumbs().at(-1)).toMatchObject({ level: 'warn', category: 'csp' });
});
