import { slaWarningAt, type SlaClock, type SlaPolicy, type Ticket, type TicketSla, type TicketStatus } from '@tandem/contracts';
import { slaClocks } from '@tandem/contracts/values';
import type { Selectable } from 'kysely';
import type { SlaClocksRow } from '../schema';
import { isResolvedOrClosed } from '../ticket/ticket';
import { addWorkingTime, nextWorkingTime, workingTimeBetween, type Calendar } from './calendar';

const hourMs = 3_600_000;
export type ClockName = SlaClock['clock'];

/** The timer fields shown in lists (stored in `tickets`). */
export type SlaFields = Pick<
  Ticket,
  'response_due_at' | 'resolution_due_at' | 'next_due_at' | 'sla_paused_since' | 'sla_breached_at' | 'escalated_at'
>;
/** The ticket fields that timers depend on. */
export type TimedTicket = Pick<Ticket, 'status' | 'created_at' | 'first_response_at'> & SlaFields;
/** Timer state (stored in `sla_clocks`). */
export type SlaTimers = Omit<Selectable<SlaClocksRow>, 'organization_id' | 'ticket_id'>;
export type Policy = Pick<
  SlaPolicy,
  'id' | 'name' | 'response_time_hours' | 'resolution_time_hours' | 'escalation_enabled' | 'escalation_time_hours'
>;
/** Working time spent waiting for the customer so far, and since when the current wait lasts. */
export interface Pauses {
  paused_ms: number;
  paused_since: string | null;
}
export interface SlaState {
  ticket: SlaFields;
  timers: SlaTimers;
}

const ms = (iso: string): number => Date.parse(iso);
const iso = (at: number): string => new Date(at).toISOString();
const mapNullable = <T, R>(value: T | null, work: (value: T) => R): R | null => (value === null ? null : work(value));

const isWaiting = (status: TicketStatus) => status === 'waiting_for_customer';

export const noTimers = { response_due_at: null, resolution_due_at: null, next_due_at: null, sla_paused_since: null } as const;

const dueAt = (ticket: SlaFields, clock: ClockName): string | null => ticket[`${clock}_due_at`];
const targetMs = (timers: SlaTimers, clock: ClockName): number => timers[`${clock}_time_hours`] * hourMs;

/** The first public staff comment ends the response timer, the resolution ends the other one. Resolving or closing a ticket stops both. */
const endedAt = (ticket: Pick<TimedTicket, 'first_response_at'>, { stopped_at }: SlaTimers, clock: ClockName): string | null =>
  clock === 'response' ? (ticket.first_response_at ?? stopped_at) : stopped_at;

/** Applies a status change to the pauses: timers pause in `waiting_for_customer`. */
export function pausesAfter(pauses: Pauses, from: TicketStatus, to: TicketStatus, calendar: Calendar | null, now: string): Pauses {
  if (isWaiting(from) === isWaiting(to)) return pauses;
  if (isWaiting(to)) return { ...pauses, paused_since: now };
  return { paused_ms: pausedUntil(pauses, calendar, now), paused_since: null };
}

/** Working time since the creation, without pauses: what the timers have counted until now, in hours. */
export function hoursSinceCreation(ticket: Pick<Ticket, 'created_at'>, calendar: Calendar | null, pauses: Pauses, now: string): number {
  const worked = workingTimeBetween(calendar, ms(ticket.created_at), ms(now)) - pausedUntil(pauses, calendar, now);
  return Math.max(0, Math.round(worked / 360) / 10_000);
}

const pausedUntil = ({ paused_ms, paused_since }: Pauses, calendar: Calendar | null, now: string): number =>
  paused_ms + (mapNullable(paused_since, (since) => workingTimeBetween(calendar, ms(since), ms(now))) ?? 0);

/** When the timers stopped because the ticket was resolved or closed; keeps the first such time until the ticket is reopened. */
export const stoppedAt = (status: TicketStatus, before: string | null, now: string): string | null =>
  isResolvedOrClosed(status) ? (before ?? now) : null;

/** Starts timers from a policy, at creation and again after a priority change, with no events announced yet. */
export function newTimers(
  ticket: TimedTicket,
  policy: Policy,
  calendar: Calendar | null,
  { paused_ms, paused_since }: Pauses,
  stopped_at: string | null,
  now: string,
): SlaState {
  const due = (hours: number) => mapNullable(addWorkingTime(calendar, ms(ticket.created_at), hours * hourMs + paused_ms), iso);
  return withDerivedFields(
    ticket,
    {
      response_due_at: due(policy.response_time_hours),
      resolution_due_at: due(policy.resolution_time_hours),
      sla_paused_since: paused_since,
    },
    {
      policy_id: policy.id,
      policy_name: policy.name,
      response_time_hours: policy.response_time_hours,
      resolution_time_hours: policy.resolution_time_hours,
      paused_ms,
      response_warned_at: null,
      response_breached_at: null,
      resolution_warned_at: null,
      resolution_breached_at: null,
      // Counts plain hours since creation, not working time.
      escalates_at: policy.escalation_enabled ? iso(ms(ticket.created_at) + policy.escalation_time_hours * hourMs) : null,
      stopped_at,
      check_at: null,
    },
    calendar,
    now,
  );
}

/** Applies a status change or the first response to existing timers. */
export function updateTimers(
  before: TimedTicket,
  timers: SlaTimers,
  after: Pick<TimedTicket, 'status' | 'first_response_at'>,
  calendar: Calendar | null,
  now: string,
): SlaState {
  const { paused_ms, paused_since } = pausesAfter(
    { paused_ms: timers.paused_ms, paused_since: before.sla_paused_since },
    before.status,
    after.status,
    calendar,
    now,
  );
  const since = before.sla_paused_since;
  const isResumed = since !== null && paused_since === null;
  /** Continues the remaining time from now after a pause. Missed and met due times do not change. */
  const due = (clock: ClockName) =>
    mapNullable(dueAt(before, clock), (at) => {
      if (!isResumed || at <= since || endedAt(before, timers, clock)) return at;
      return mapNullable(addWorkingTime(calendar, ms(now), workingTimeBetween(calendar, ms(since), ms(at))), iso);
    });
  return withDerivedFields(
    { ...before, ...after },
    { response_due_at: due('response'), resolution_due_at: due('resolution'), sla_paused_since: paused_since },
    // A reopened ticket keeps its due times: `resolution_time_hours` counts to the last resolution.
    { ...timers, paused_ms, stopped_at: stoppedAt(after.status, timers.stopped_at, now) },
    calendar,
    now,
  );
}

/** Computes the derived fields `next_due_at` and `check_at`. */
function withDerivedFields(
  ticket: TimedTicket,
  set: Pick<SlaFields, 'response_due_at' | 'resolution_due_at' | 'sla_paused_since'>,
  timers: SlaTimers,
  calendar: Calendar | null,
  now: string,
): SlaState {
  const { sla_breached_at, escalated_at } = ticket;
  const fields = { ...set, sla_breached_at, escalated_at, next_due_at: null };
  const running = slaClocks.filter((clock) => isRunning({ ...ticket, ...fields }, timers, clock));
  const next_due_at = running.map((clock) => dueAt(fields, clock)!).sort()[0] ?? null;
  const after = { ...fields, next_due_at };
  return { ticket: after, timers: { ...timers, check_at: checkAt({ ...ticket, ...after }, timers, calendar, now) } };
}

const isRunning = (ticket: TimedTicket, timers: SlaTimers, clock: ClockName): boolean =>
  !isResolvedOrClosed(ticket.status) &&
  ticket.sla_paused_since === null &&
  dueAt(ticket, clock) !== null &&
  endedAt(ticket, timers, clock) === null;

/** When 80 % of the target time has passed: 20 % of it before the due time, in working time; `now` if that has passed. */
function warningAt(due_at: string, target: number, calendar: Calendar | null, now: string): string | null {
  const early = workingTimeBetween(calendar, ms(now), ms(due_at)) - Math.round(target * (1 - slaWarningAt));
  return mapNullable(addWorkingTime(calendar, ms(now), early), iso);
}

/** When the next event is due; null: none until the ticket changes. */
function checkAt(ticket: TimedTicket, timers: SlaTimers, calendar: Calendar | null, now: string): string | null {
  if (isResolvedOrClosed(ticket.status)) return null;
  const moments = slaClocks
    .filter((clock) => isRunning(ticket, timers, clock))
    .map((clock) => {
      if (timers[`${clock}_breached_at`]) return null;
      const due_at = dueAt(ticket, clock)!;
      return timers[`${clock}_warned_at`] ? due_at : warningAt(due_at, targetMs(timers, clock), calendar, now);
    });
  if (ticket.escalated_at === null) moments.push(timers.escalates_at);
  return moments.filter((moment) => moment !== null).sort()[0] ?? null;
}

/** An SLA event. Each occurs at most once, unless a priority change restarts the timers. */
export type SlaEvent = { kind: 'warning' | 'breached'; clock: ClockName; due_at: string } | { kind: 'escalated' };

/** Running timers that are past their due time and have not been announced as breached. */
const newlyOverdue = (ticket: TimedTicket, timers: SlaTimers, now: string): ClockName[] =>
  slaClocks.filter((clock) => isRunning(ticket, timers, clock) && !timers[`${clock}_breached_at`] && dueAt(ticket, clock)! < now);

/** Marks timers breached whose due time has passed since the last sweep: a late response or resolution is still a breach. */
export function markBreached<T extends TimedTicket>(
  ticket: T,
  timers: SlaTimers,
  now: string,
): { ticket: T; timers: SlaTimers; slaEvents: SlaEvent[] } {
  let state = { ticket, timers };
  const slaEvents = newlyOverdue(ticket, timers, now).map((clock): SlaEvent => {
    const due_at = dueAt(ticket, clock)!;
    const first = state.ticket.sla_breached_at;
    state = {
      ticket: { ...state.ticket, sla_breached_at: first !== null && first < due_at ? first : due_at },
      timers: { ...state.timers, [`${clock}_breached_at`]: now },
    };
    return { kind: 'breached', clock, due_at };
  });
  return { ...state, slaEvents };
}

/** All events due at `now`, and the timer state after they are announced. */
export function collectDue(
  ticket: TimedTicket,
  timers: SlaTimers,
  calendar: Calendar | null,
  now: string,
): SlaState & { slaEvents: SlaEvent[] } {
  const marked = markBreached(ticket, timers, now);
  const { slaEvents } = marked;
  let after = marked.timers;
  for (const clock of slaClocks) {
    if (!isRunning(ticket, after, clock) || after[`${clock}_warned_at`] || after[`${clock}_breached_at`]) continue;
    const due_at = dueAt(ticket, clock)!;
    const at = warningAt(due_at, targetMs(after, clock), calendar, now);
    if (at === null || at > now) continue;
    slaEvents.push({ kind: 'warning', clock, due_at });
    after = { ...after, [`${clock}_warned_at`]: now };
  }
  let { escalated_at } = ticket;
  if (after.escalates_at !== null && after.escalates_at <= now && escalated_at === null && !isResolvedOrClosed(ticket.status)) {
    slaEvents.push({ kind: 'escalated' });
    escalated_at = after.escalates_at;
  }
  return { ...withDerivedFields({ ...marked.ticket, escalated_at }, marked.ticket, after, calendar, now), slaEvents };
}

const minutes = (time: number): number => Math.round(time / 60_000) + 0;

/** The timers as the ticket's page shows them. */
export function slaView(ticket: TimedTicket, timers: SlaTimers, calendar: Calendar | null, now: string): TicketSla {
  const { policy_id, policy_name, response_time_hours, resolution_time_hours, paused_ms } = timers;
  const paused = pausedUntil({ paused_ms, paused_since: ticket.sla_paused_since }, calendar, now);
  const isEscalating = ticket.escalated_at !== null || !isResolvedOrClosed(ticket.status);
  return {
    policy: { id: policy_id, name: policy_name, response_time_hours, resolution_time_hours },
    clocks: slaClocks.map((clock) => timerView(ticket, timers, clock, calendar, now)),
    counts_working_time: calendar !== null,
    paused_minutes: minutes(paused),
    escalates_at: isEscalating ? timers.escalates_at : null,
  };
}

function timerView(ticket: TimedTicket, timers: SlaTimers, clock: ClockName, calendar: Calendar | null, now: string): SlaClock {
  const due_at = dueAt(ticket, clock);
  const met_at = endedAt(ticket, timers, clock);
  const since = ticket.sla_paused_since;
  /** When it stopped or paused, or now. */
  const until = met_at ?? since ?? now;
  const left =
    due_at === null
      ? targetMs(timers, clock) - workingTimeBetween(calendar, ms(ticket.created_at), ms(until))
      : workingTimeBetween(calendar, ms(until), ms(due_at));
  const isLate = due_at !== null && until > due_at;
  const known = { clock, due_at, met_at, remaining_minutes: minutes(left) };
  if (met_at !== null) return { ...known, state: isLate ? 'missed' : 'met', paused_by: null, resumes_at: null };
  if (since !== null) {
    // An overdue timer keeps its due time; that of any other depends on when the pause ends.
    return {
      ...known,
      state: isLate ? 'overdue' : 'paused',
      due_at: isLate ? due_at : null,
      paused_by: 'waiting_for_customer',
      resumes_at: null,
    };
  }
  const resumes = nextWorkingTime(calendar, ms(now));
  if (resumes === ms(now)) return { ...known, state: isLate ? 'overdue' : 'running', paused_by: null, resumes_at: null };
  return { ...known, state: isLate ? 'overdue' : 'paused', paused_by: 'outside_business_hours', resumes_at: mapNullable(resumes, iso) };
}
