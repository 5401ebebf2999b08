import { slaWarningAt, type SlaClock, type SlaPolicy, type Ticket, type TicketSla, type TicketStatus } from '@tandem/contracts';
import { slaClocks } from '@tandem/contracts/values';
import type { Selectable } from 'kysely';
import type { SlaClocksRow } from '../schema';
import { addWorkingTime, nextWorkingTime, workingTimeBetween, type Calendar } from './calendar';

const hourMs = 3_600_000;
export type ClockName = SlaClock['clock'];

/** What lists show of the clocks. */
export type SlaFields = Pick<
  Ticket,
  'response_due_at' | 'resolution_due_at' | 'next_due_at' | 'sla_paused_since' | 'sla_breached_at' | 'escalated_at'
>;
/** A ticket as its clocks see it. */
export type Clocked = Pick<Ticket, 'status' | 'created_at' | 'first_response_at'> & SlaFields;
/** What makes them go. */
export type Clocks = Omit<Selectable<SlaClocksRow>, 'organization_id' | 'ticket_id'>;
export type Policy = Pick<
  SlaPolicy,
  'id' | 'name' | 'response_time_hours' | 'resolution_time_hours' | 'escalation_enabled' | 'escalation_time_hours'
>;
/** Working time that has been waited for the customer, and since when it is waited now. */
export interface Pauses {
  paused_ms: number;
  paused_since: string | null;
}
export interface SlaState {
  ticket: SlaFields;
  clocks: Clocks;
}

const ms = (iso: string): number => Date.parse(iso);
const iso = (at: number): string => new Date(at).toISOString();
const orNull = <T, R>(value: T | null, work: (value: T) => R): R | null => (value === null ? null : work(value));

const isOver = (status: TicketStatus) => status === 'resolved' || status === 'closed';
const isWaiting = (status: TicketStatus) => status === 'waiting_for_customer';

export const noClocks = { response_due_at: null, resolution_due_at: null, next_due_at: null, sla_paused_since: null } as const;

const dueOf = (ticket: SlaFields, clock: ClockName): string | null => ticket[`${clock}_due_at`];
const targetMs = (clocks: Clocks, clock: ClockName): number => clocks[`${clock}_time_hours`] * hourMs;

/** `product-decisions.md`: the first public staff comment ends the one, the resolution the other; whatever is over needs no answer any more. */
const endOf = (ticket: Pick<Clocked, 'first_response_at'>, { stopped_at }: Clocks, clock: ClockName): string | null =>
  clock === 'response' ? (ticket.first_response_at ?? stopped_at) : stopped_at;

/** What a change of status does to the pauses: clocks pause in `waiting_for_customer` (`product-decisions.md`). */
export function pausesAfter(pauses: Pauses, from: TicketStatus, to: TicketStatus, calendar: Calendar | null, now: string): Pauses {
  if (isWaiting(from) === isWaiting(to)) return pauses;
  if (isWaiting(to)) return { ...pauses, paused_since: now };
  const { paused_ms, paused_since } = pauses;
  return {
    paused_ms: paused_ms + (orNull(paused_since, (since) => workingTimeBetween(calendar, ms(since), ms(now))) ?? 0),
    paused_since: null,
  };
}

/** Since when the clocks stand because the ticket is resolved or closed; it keeps its first moment until the ticket is re-opened. */
export const stoppedAt = (status: TicketStatus, before: string | null, now: string): string | null =>
  isOver(status) ? (before ?? now) : null;

/** Sets the clocks by a policy: at creation, and anew when the priority changes. Nothing has been said of them yet. */
export function setClocks(
  ticket: Clocked,
  policy: Policy,
  calendar: Calendar | null,
  { paused_ms, paused_since }: Pauses,
  stopped_at: string | null,
  now: string,
): SlaState {
  const due = (hours: number) => orNull(addWorkingTime(calendar, ms(ticket.created_at), hours * hourMs + paused_ms), iso);
  return upToDate(
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
      // Plain age: 'older than the policy's escalation time' (`product-decisions.md`).
      escalates_at: policy.escalation_enabled ? iso(ms(ticket.created_at) + policy.escalation_time_hours * hourMs) : null,
      stopped_at,
      check_at: null,
    },
    calendar,
    now,
  );
}

/** What a change of status or the first answer does to clocks that are set. */
export function moveClocks(
  before: Clocked,
  clocks: Clocks,
  after: Pick<Clocked, 'status' | 'first_response_at'>,
  calendar: Calendar | null,
  now: string,
): SlaState {
  const { paused_ms, paused_since } = pausesAfter(
    { paused_ms: clocks.paused_ms, paused_since: before.sla_paused_since },
    before.status,
    after.status,
    calendar,
    now,
  );
  const since = before.sla_paused_since;
  const isResumed = since !== null && paused_since === null;
  /** What was left when the pause began begins to run now; what was over stays over, what is met stays as it was. */
  const due = (clock: ClockName) =>
    orNull(dueOf(before, clock), (at) => {
      if (!isResumed || at <= since || endOf(before, clocks, clock)) return at;
      return orNull(addWorkingTime(calendar, ms(now), workingTimeBetween(calendar, ms(since), ms(at))), iso);
    });
  return upToDate(
    { ...before, ...after },
    { response_due_at: due('response'), resolution_due_at: due('resolution'), sla_paused_since: paused_since },
    // Re-opened, the due time that was set stands: `resolution_time_hours` runs to the last resolution.
    { ...clocks, paused_ms, stopped_at: stoppedAt(after.status, clocks.stopped_at, now) },
    calendar,
    now,
  );
}

/** The fields that follow from the others. */
function upToDate(
  ticket: Clocked,
  set: Pick<SlaFields, 'response_due_at' | 'resolution_due_at' | 'sla_paused_since'>,
  clocks: Clocks,
  calendar: Calendar | null,
  now: string,
): SlaState {
  const { sla_breached_at, escalated_at } = ticket;
  const fields = { ...set, sla_breached_at, escalated_at, next_due_at: null };
  const running = slaClocks.filter((clock) => runs({ ...ticket, ...fields }, clocks, clock));
  const next_due_at = running.map((clock) => dueOf(fields, clock)!).sort()[0] ?? null;
  const after = { ...fields, next_due_at };
  return { ticket: after, clocks: { ...clocks, check_at: checkAt({ ...ticket, ...after }, clocks, calendar, now) } };
}

const runs = (ticket: Clocked, clocks: Clocks, clock: ClockName): boolean =>
  !isOver(ticket.status) && ticket.sla_paused_since === null && dueOf(ticket, clock) !== null && endOf(ticket, clocks, clock) === null;

/** When 80 % of the time has run: that much working time before the due time; `now` when it has. */
function warningAt(due_at: string, target: number, calendar: Calendar | null, now: string): string | null {
  const early = workingTimeBetween(calendar, ms(now), ms(due_at)) - Math.round(target * (1 - slaWarningAt));
  return orNull(addWorkingTime(calendar, ms(now), early), iso);
}

/** The next moment at which there is something to say; null: nothing until the ticket changes. */
function checkAt(ticket: Clocked, clocks: Clocks, calendar: Calendar | null, now: string): string | null {
  if (isOver(ticket.status)) return null;
  const moments = slaClocks
    .filter((clock) => runs(ticket, clocks, clock))
    .map((clock) => {
      if (clocks[`${clock}_breached_at`]) return null;
      const due_at = dueOf(ticket, clock)!;
      return clocks[`${clock}_warned_at`] ? due_at : warningAt(due_at, targetMs(clocks, clock), calendar, now);
    });
  if (ticket.escalated_at === null) moments.push(clocks.escalates_at);
  return moments.filter((moment) => moment !== null).sort()[0] ?? null;
}

/** What the clocks have to say: once each, unless a change of priority sets them anew. */
export type Saying = { kind: 'warning' | 'breached'; clock: ClockName; due_at: string } | { kind: 'escalated' };

/** The clocks that run and are past their due time, and have not said so. */
const missed = (ticket: Clocked, clocks: Clocks, now: string): ClockName[] =>
  slaClocks.filter((clock) => runs(ticket, clocks, clock) && !clocks[`${clock}_breached_at`] && dueOf(ticket, clock)! < now);

/** Notes the due times that have passed unnoticed: a clock that is met late was missed all the same. */
export function noteMissed<T extends Clocked>(ticket: T, clocks: Clocks, now: string): { ticket: T; clocks: Clocks; sayings: Saying[] } {
  let state = { ticket, clocks };
  const sayings = missed(ticket, clocks, now).map((clock): Saying => {
    const due_at = dueOf(ticket, clock)!;
    const first = state.ticket.sla_breached_at;
    state = {
      ticket: { ...state.ticket, sla_breached_at: first !== null && first < due_at ? first : due_at },
      clocks: { ...state.clocks, [`${clock}_breached_at`]: now },
    };
    return { kind: 'breached', clock, due_at };
  });
  return { ...state, sayings };
}

/** What the sweep finds: everything that is due at `now`, and the clocks after it has been said. */
export function sayWhatIsDue(ticket: Clocked, clocks: Clocks, calendar: Calendar | null, now: string): SlaState & { sayings: Saying[] } {
  const noted = noteMissed(ticket, clocks, now);
  const { sayings } = noted;
  let after = noted.clocks;
  for (const clock of slaClocks) {
    if (!runs(ticket, after, clock) || after[`${clock}_warned_at`] || after[`${clock}_breached_at`]) continue;
    const due_at = dueOf(ticket, clock)!;
    const at = warningAt(due_at, targetMs(after, clock), calendar, now);
    if (at === null || at > now) continue;
    sayings.push({ kind: 'warning', clock, due_at });
    after = { ...after, [`${clock}_warned_at`]: now };
  }
  let { escalated_at } = ticket;
  if (after.escalates_at !== null && after.escalates_at <= now && escalated_at === null && !isOver(ticket.status)) {
    sayings.push({ kind: 'escalated' });
    escalated_at = after.escalates_at;
  }
  return { ...upToDate({ ...noted.ticket, escalated_at }, noted.ticket, after, calendar, now), sayings };
}

const minutes = (time: number): number => Math.round(time / 60_000) + 0;

/** The clocks as the ticket's page shows them. */
export function slaOf(ticket: Clocked, clocks: Clocks, calendar: Calendar | null, now: string): TicketSla {
  const { policy_id, policy_name, response_time_hours, resolution_time_hours, paused_ms } = clocks;
  const since = ticket.sla_paused_since;
  const paused = paused_ms + (since === null ? 0 : workingTimeBetween(calendar, ms(since), ms(now)));
  const isEscalating = ticket.escalated_at !== null || !isOver(ticket.status);
  return {
    policy: { id: policy_id, name: policy_name, response_time_hours, resolution_time_hours },
    clocks: slaClocks.map((clock) => clockOf(ticket, clocks, clock, calendar, now)),
    counts_working_time: calendar !== null,
    paused_minutes: minutes(paused),
    escalates_at: isEscalating ? clocks.escalates_at : null,
  };
}

function clockOf(ticket: Clocked, clocks: Clocks, clock: ClockName, calendar: Calendar | null, now: string): SlaClock {
  const due_at = dueOf(ticket, clock);
  const met_at = endOf(ticket, clocks, clock);
  const since = ticket.sla_paused_since;
  /** Until when it has run. */
  const until = met_at ?? since ?? now;
  const left =
    due_at === null
      ? targetMs(clocks, clock) - workingTimeBetween(calendar, ms(ticket.created_at), ms(until))
      : workingTimeBetween(calendar, ms(until), ms(due_at));
  const isLate = due_at !== null && until > due_at;
  const known = { clock, due_at, met_at, remaining_minutes: minutes(left) };
  if (met_at !== null) return { ...known, state: isLate ? 'missed' : 'met', paused_by: null, resumes_at: null };
  if (since !== null) {
    // What is over stays over; of the rest nobody knows yet when it will be.
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
  return { ...known, state: isLate ? 'overdue' : 'paused', paused_by: 'outside_business_hours', resumes_at: orNull(resumes, iso) };
}
