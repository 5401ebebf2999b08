import {
  systemContext,
  ticketEscalated,
  ticketSlaBreached,
  ticketSlaWarning,
  type Context,
  type DataOf,
  type Ticket,
} from '@tandem/contracts';
import { emit } from '@tandem/messaging';
import type { TicketsTx } from '../schema';
import { momentOf, monotonicNow } from '../ticket/ticket';
import { findTicketById, findTicketForUpdate, saveTicket } from '../ticket/ticket.store';
import type { TicketChange } from '../ticket/ticket-fields';
import { recordActivity } from '../timeline/activity.store';
import { calendarOf, type Calendar } from './calendar';
import {
  collectDue,
  updateTimers,
  hoursSinceCreation,
  noTimers,
  markBreached,
  pausesAfter,
  newTimers,
  stoppedAt,
  type SlaTimers,
  type SlaEvent,
  type SlaFields,
} from './sla';
import {
  deleteTimers,
  findTimers,
  findPauses,
  findWorkingTime,
  findActivePolicy,
  insertTimers,
  saveTimers,
  type ActivePolicy,
} from './sla.store';

type LockedTicket = Omit<Ticket, 'assignee'>;

/** Starts the timers of a ticket created in this transaction. Only called if there is a policy, so that other tickets cost nothing. */
export async function startTimers(tx: TicketsTx, ticket: Ticket, policy: ActivePolicy, now: string): Promise<Ticket> {
  const set = newTimers(ticket, policy, calendarOf(policy), { paused_ms: 0, paused_since: null }, null, now);
  await insertTimers(tx, ticket, set.ticket, set.timers);
  return { ...ticket, ...set.ticket };
}

/**
 * `saveTicket` for changes that affect timers. Every change of status, priority or first response must use it, with the ticket locked. Also
 * announces due times that have passed since the last sweep.
 */
export async function saveWithTimers(
  tx: TicketsTx,
  ctx: Context,
  before: LockedTicket,
  change: TicketChange,
  now: string,
): Promise<Ticket> {
  const plan = affectsTimers(before, change) ? await planTimers(tx, before, change, now) : undefined;
  const hours = await computeHours(tx, before, change, plan?.counted, now);
  const moment = momentOf(before.status, change.status ?? before.status);
  const ticket = await saveTicket(tx, before, { ...change, ...hours, ...plan?.fields }, now, moment);
  if (plan?.timers) await saveTimers(tx, ticket, plan.timers);
  else if (plan) await deleteTimers(tx, ticket);
  for (const event of plan?.slaEvents ?? []) await announce(tx, ctx, ticket, event, now, plan?.scale);
  return ticket;
}

/** The working hours until the first response or the resolution at `now`. Only a ticket without timers needs another query. */
async function computeHours(
  tx: TicketsTx,
  before: LockedTicket,
  { first_response_at, resolved_at = before.resolved_at }: TicketChange,
  counted: WorkingTime | undefined,
  now: string,
): Promise<Pick<TicketChange, 'first_response_time_hours' | 'resolution_time_hours'>> {
  const isResolutionChanged = resolved_at !== before.resolved_at;
  if (isResolutionChanged && resolved_at === null) return { resolution_time_hours: null };
  if (!first_response_at && !isResolutionChanged) return {};
  const { calendar, pauses } = counted ?? (await findWorkingTime(tx, before, now));
  const hours = hoursSinceCreation(before, calendar, pauses, now);
  return { ...(first_response_at && { first_response_time_hours: hours }), ...(isResolutionChanged && { resolution_time_hours: hours }) };
}

/** No due dates means no timers: skip the query unless the priority changes. */
function affectsTimers(before: LockedTicket, change: TicketChange): boolean {
  if (change.priority !== undefined) return true;
  const hasTimers = before.response_due_at !== null || before.resolution_due_at !== null;
  return hasTimers && (change.status !== undefined || change.first_response_at !== undefined);
}

interface TimerPlan {
  fields: Partial<SlaFields>;
  /** Null: delete them. */
  timers: SlaTimers | null;
  slaEvents: SlaEvent[];
  scale: TimeScale;
  /** The calendar and the pauses by which working time is counted; undefined if they were not read. */
  counted: WorkingTime | undefined;
}
type WorkingTime = Awaited<ReturnType<typeof findWorkingTime>>;

/** How to display a due time: its time zone, and whether only business hours count. */
type TimeScale = Pick<DataOf<typeof ticketSlaWarning>, 'time_zone' | 'counts_working_time'>;
export const timeScale = (found: { calendar: Calendar | null; time_zone: string } | undefined): TimeScale => ({
  time_zone: found?.time_zone ?? 'UTC',
  counts_working_time: found?.calendar != null,
});

async function planTimers(tx: TicketsTx, before: LockedTicket, change: TicketChange, now: string): Promise<TimerPlan> {
  const found = await findTimers(tx, before);
  const marked = found ? markBreached(before, found.timers, now) : { ticket: before, timers: undefined, slaEvents: [] };
  const { slaEvents } = marked;
  const scale = timeScale(found);
  const counted = found && {
    calendar: found.calendar,
    pauses: { paused_ms: found.timers.paused_ms, paused_since: before.sla_paused_since },
  };
  const after = { status: change.status ?? before.status, first_response_at: change.first_response_at ?? before.first_response_at };
  if (change.priority === undefined) {
    if (!found || !marked.timers) return { fields: {}, timers: null, slaEvents, scale, counted };
    const moved = updateTimers(marked.ticket, marked.timers, after, found.calendar, now);
    return { fields: moved.ticket, timers: moved.timers, slaEvents, scale, counted };
  }
  const { sla_breached_at } = marked.ticket;
  const policy = await findActivePolicy(tx, before.organization_id, change.priority);
  if (!policy) return { fields: { ...noTimers, sla_breached_at }, timers: null, slaEvents, scale, counted };
  const calendar = calendarOf(policy);
  const soFar = counted?.pauses ?? (await findPauses(tx, before, calendar, now));
  const pauses = pausesAfter(soFar, before.status, after.status, calendar, now);
  const stopped_at = stoppedAt(after.status, found?.timers.stopped_at ?? before.resolved_at, now);
  const set = newTimers({ ...marked.ticket, ...after }, policy, calendar, pauses, stopped_at, now);
  return { fields: set.ticket, timers: set.timers, slaEvents, scale, counted: { calendar, pauses: soFar } };
}

/** Announces what is due for a ticket, if anything. */
export async function announceDue(tx: TicketsTx, ctx: Context, ticket_id: string, clock = new Date().toISOString()): Promise<void> {
  const before = await findTicketForUpdate(tx, ticket_id);
  const found = before && (await findTimers(tx, before));
  if (!found) return;
  const now = monotonicNow(before.updated_at, clock);
  const { ticket: fields, timers, slaEvents } = collectDue(before, found.timers, found.calendar, now);
  await saveTimers(tx, before, timers);
  // A warning does not change the ticket: the version stays the same, so that concurrent edits are not refused.
  const isChanged = slaEvents.some(({ kind }) => kind !== 'warning');
  const ticket = isChanged ? await saveTicket(tx, before, fields, now) : await findTicketById(tx, ticket_id);
  for (const event of slaEvents) await announce(tx, ctx, ticket!, event, now, timeScale(found));
}

const announcements = { warning: ticketSlaWarning, breached: ticketSlaBreached };

/** Records an SLA event in the timeline and emits it. The actor is always the system, even if a user's change triggered it. */
export async function announce(
  tx: TicketsTx,
  { organization_id, request_id }: Context,
  ticket: Ticket,
  event: SlaEvent,
  now: string,
  scale = timeScale(undefined),
): Promise<void> {
  const ctx = systemContext(organization_id, request_id);
  if (event.kind === 'escalated') {
    recordActivity(tx, ctx, ticket, 'escalated', {}, now);
    return emit(tx, ctx, ticketEscalated, ticket.id, { ticket });
  }
  const { kind, clock, due_at } = event;
  recordActivity(tx, ctx, ticket, kind === 'warning' ? 'sla_warning' : 'sla_breached', { clock: { from: null, to: clock } }, now);
  return emit(tx, ctx, announcements[kind], ticket.id, { ticket, clock, due_at, ...scale });
}
