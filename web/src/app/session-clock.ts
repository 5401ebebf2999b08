import { sessionRules } from '@tandem/contracts/values';

const minute = 60_000;
export const idleMs = sessionRules.idleMinutes * minute;
export const warningMs = sessionRules.warningMinutes * minute;
const absoluteMs = sessionRules.absoluteHours * 60 * minute;
/** So long before its idle deadline the server hears of activity that it does not know of yet. */
export const reportBeforeMs = 10 * minute;
/** Activity is noted every few seconds only: less than that is no news. */
const slackMs = 10_000;

/** When the session ends as far as the server knows, in this computer's time (Unix ms). */
export interface Deadlines {
  idle: number;
  absolute: number;
}
export type EndedBy = 'idle' | 'absolute';
export interface Verdict {
  phase: 'open' | 'warning' | 'over';
  why: EndedBy;
  endsAt: number;
  /** The server would end the session although the person has been active since it last heard. */
  mustReport: boolean;
}

/** Signing in was something to do, too. */
const lastAct = ({ absolute }: Deadlines, lastActivityAt: number) => Math.max(lastActivityAt, absolute - absoluteMs);

/**
 * Product decisions: an idle limit of 30 minutes, counted from the last activity in any tab, inside an absolute one of 8 hours; the
 * warning comes 5 minutes before. The server enforces the same: it is told of the activity before its own deadline.
 */
export function judge(deadlines: Deadlines, lastActivityAt: number, now: number): Verdict {
  const idleEnd = lastAct(deadlines, lastActivityAt) + idleMs;
  const endsAt = Math.min(idleEnd, deadlines.absolute);
  const left = endsAt - now;
  return {
    phase: left <= 0 ? 'over' : left <= warningMs ? 'warning' : 'open',
    why: deadlines.absolute <= idleEnd ? 'absolute' : 'idle',
    endsAt,
    mustReport: left > 0 && deadlines.idle - now < reportBeforeMs && endsAt - deadlines.idle > slackMs,
  };
}

/**
 * Activity postpones the end until the warning opens. From then on a question is on the screen, and only an answer to it counts: a
 * pointer that was bumped is none.
 */
export const countsAsActivity = (deadlines: Deadlines, lastActivityAt: number, now: number): boolean =>
  now < lastAct(deadlines, lastActivityAt) + idleMs - warningMs;
