import { lastActivityAt, noteActivity } from '../lib/activity';
import { countsAsActivity, judge, warningMs, type Deadlines, type Verdict } from './session-clock';

/** Spec part 1, section 9: 'inactivity check every 60 s; modal check every 1 s'. */
const checkMs = 60_000;
const countdownMs = 1_000;
/** A moving pointer is a stream of events; so often one of them is noted. */
const noteEveryMs = 5_000;
const activities = ['pointerdown', 'pointermove', 'keydown', 'scroll', 'wheel', 'touchstart'] as const;
/** The computer may have slept: timers say nothing then, and these come first. */
const returns = ['focus', 'pageshow', 'online'] as const;

export interface SessionTimerOptions {
  /** Undefined while nobody is signed in. */
  deadlines: () => Deadlines | undefined;
  onVerdict: (verdict: Verdict | undefined, now: number) => void;
  /** Tells the server of the activity: a refresh of the access token. */
  report: () => Promise<unknown>;
}
export interface SessionTimer {
  check: () => void;
  stop: () => void;
}

/** Watches the person and the clock. All tabs judge by the same times, so they agree without asking each other. */
export function startSessionTimer({ deadlines, onVerdict, report }: SessionTimerOptions): SessionTimer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let reporting: Promise<unknown> | undefined;
  let notedAt = 0;
  const check = () => {
    clearTimeout(timer);
    const now = Date.now();
    const times = deadlines();
    const verdict = times && judge(times, lastActivityAt(now), now);
    onVerdict(verdict, now);
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
    if (countsAsActivity(times, lastActivityAt(now), now)) noteActivity(now);
    // The warning is due, or more: after a sleep the first move of the hand must not revive what is over.
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
