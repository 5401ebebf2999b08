import { sessionRules } from '@tandem/contracts/values';

const minute = 60_000;
export const idleMs = sessionRules.idleMinutes * minute;
export const warningMs = sessionRules.warningMinutes * minute;
const absoluteMs = sessionRules.absoluteHours * 60 * minute;
/** Report unreported activity to the server when its idle deadline is less than this far away. */
export const reportBeforeMs = 10 * minute;
/** Activity is recorded only every few seconds, so smaller differences do not need reporting. */
const slackMs = 10_000;

/** When the session ends according to the server's latest response, in this computer's time (Unix ms). */
export interface Deadlines {
  idle: number;
  absolute: number;
}
export type EndedBy = 'idle' | 'absolute';
export interface SessionPhase {
  phase: 'open' | 'warning' | 'over';
  why: EndedBy;
  endsAt: number;
  /** The server would end the session, because it does not know of the latest activity yet. */
  mustReport: boolean;
}

/** Signing in counts as activity. */
const lastAct = ({ absolute }: Deadlines, lastActivityAt: number) => Math.max(lastActivityAt, absolute - absoluteMs);

/**
 * The session has an idle limit of 30 minutes, counted from the last activity in any tab, and an absolute limit of 8 hours; the warning
 * opens 5 minutes before the end. The server enforces the same limits, so activity is reported before the server's own idle deadline.
 */
export function sessionPhase(deadlines: Deadlines, lastActivityAt: number, now: number): SessionPhase {
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
 * Activity postpones the end until the warning opens. From then on only an answer to the warning counts, not an accidental pointer
 * movement.
 */
export const countsAsActivity = (deadlines: Deadlines, lastActivityAt: number, now: number): boolean =>
  now < lastAct(deadlines, lastActivityAt) + idleMs - warningMs;
