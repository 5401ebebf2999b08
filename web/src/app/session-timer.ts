import { lastActivityAt, recordUserActivity } from '../lib/activity';
import { countsAsActivity, sessionPhase, warningMs, type Deadlines, type SessionPhase } from './session-clock';

/** Check for inactivity every 60 s, and every 1 s while the warning is open. */
const checkMs = 60_000;
const countdownMs = 1_000;
/** A moving pointer fires events continuously: record activity at most this often. */
const noteEveryMs = 5_000;
const activities = ['pointerdown', 'pointermove', 'keydown', 'scroll', 'wheel', 'touchstart'] as const;
/** The computer may have been asleep: timers do not run then, and these events fire first. */
const returns = ['focus', 'pageshow', 'online'] as const;

export interface SessionTimerOptions {
  /** Returns undefined if no user is signed in. */
  deadlines: () => Deadlines | undefined;
  onPhase: (verdict: SessionPhase | undefined, now: number) => void;
  /** Reports activity to the server by refreshing the access token. */
  report: () => Promise<unknown>;
}
export interface SessionTimer {
  check: () => void;
  stop: () => void;
}

/** Tracks user activity and the deadlines. All tabs share the same times, so they agree without coordination. */
export function startSessionTimer({ deadlines, onPhase, report }: SessionTimerOptions): SessionTimer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reporting: Promise<unknown> | undefined;
  let notedAt = 0;
  const check = () => {
    clearTimeout(timer);
    const now = Date.now();
    const times = deadlines();
    const verdict = times && sessionPhase(times, lastActivityAt(now), now);
    onPhase(verdict, now);
    if (!verdict || verdict.phase === 'over') return;
    if (verdict.mustReport) reporting ??= report().finally(() => (reporting = undefined));
    const untilWarning = verdict.endsAt - warningMs - now;
    timer = setTimeout(check, verdict.phase === 'warning' ? countdownMs : Math.min(checkMs, Math.max(untilWarning, countdownMs)));
  };
  const onActivity = () => {
    const now = Date.now();
    if (now >= notedAt && now - notedAt < noteEveryMs) return;
    notedAt = now;
    const times = deadlines();
    if (!times) return;
    if (countsAsActivity(times, lastActivityAt(now), now)) recordUserActivity(now);
    // The warning is due or the session has ended: the first pointer movement after a sleep must not extend it.
    else check();
  };
  const onVisible = () => document.visibilityState === 'visible' && check();
  for (const name of activities) window.addEventListener(name, onActivity, { capture: true, passive: true });
  for (const name of returns) window.addEventListener(name, check);
  document.addEventListener('visibilitychange', onVisible);
  return {
    check,
    stop: () => {
      clearTimeout(timer);
      for (const name of activities) window.removeEventListener(name, onActivity, { capture: true });
      for (const name of returns) window.removeEventListener(name, check);
      document.removeEventListener('visibilitychange', onVisible);
    },
  };
}
