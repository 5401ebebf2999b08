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
import { saveTicket, type TicketEffect } from '../ticket/ticket.store';
import { recordActivity } from '../timeline/activity.store';
import { calendarOf, type Calendar } from './calendar';
import { moveClocks, noClocks, noteMissed, pausesAfter, setClocks, stoppedAt, type Clocks, type Saying, type SlaFields } from './sla';
import { deleteClocks, findClocks, findPauses, findPolicyInForce, insertClocks, saveClocks, type PolicyInForce } from './sla.store';

type LockedTicket = Omit<Ticket, 'assignee'>;

/** Starts the timers of a ticket created in this transaction. Only called if there is a policy, so that other tickets cost nothing. */
export async function startClocks(tx: TicketsTx, ticket: Ticket, policy: PolicyInForce, now: string): Promise<Ticket> {
  const set = setClocks(ticket, policy, calendarOf(policy), { paused_ms: 0, paused_since: null }, null, now);
  await insertClocks(tx, ticket, set.ticket, set.clocks);
  return { ...ticket, ...set.ticket };
}

/**
 * `saveTicket` for changes that affect timers. Every change of status, priority or first response must use it, with the ticket locked. Also
 * announces due times that have passed since the last sweep.
 */
export async function saveWithClocks(
  tx: TicketsTx,
  ctx: Context,
  before: LockedTicket,
  effect: TicketEffect,
  now: string,
): Promise<Ticket> {
  const plan = isOfConcern(before, effect) ? await planOf(tx, before, effect, now) : undefined;
  const ticket = await saveTicket(tx, before.id, { ...effect, ...plan?.fields }, now);
  if (plan?.clocks) await saveClocks(tx, ticket, plan.clocks);
  else if (plan) await deleteClocks(tx, ticket);
  for (const saying of plan?.sayings ?? []) await say(tx, ctx, ticket, saying, now, plan?.scale);
  return ticket;
}

/** No due dates means no timers: skip the query unless the priority changes. */
function isOfConcern(before: LockedTicket, effect: TicketEffect): boolean {
  if (effect.priority !== undefined) return true;
  const hasClocks = before.response_due_at !== null || before.resolution_due_at !== null;
  return hasClocks && (effect.status !== undefined || effect.first_response_at !== undefined);
}

interface Plan {
  fields: Partial<SlaFields>;
  /** Null: delete them. */
  clocks: Clocks | null;
  sayings: Saying[];
  scale: TimeScale;
}

/** How to display a due time: its time zone, and whether only business hours count. */
type TimeScale = Pick<DataOf<typeof ticketSlaWarning>, 'time_zone' | 'counts_working_time'>;
export const scaleOf = (found: { calendar: Calendar | null; time_zone: string } | undefined): TimeScale => ({
  time_zone: found?.time_zone ?? 'UTC',
  counts_working_time: found?.calendar != null,
});

async function planOf(tx: TicketsTx, before: LockedTicket, effect: TicketEffect, now: string): Promise<Plan> {
  const found = await findClocks(tx, before);
  const noted = found ? noteMissed(before, found.clocks, now) : { ticket: before, clocks: undefined, sayings: [] };
  const { sayings } = noted;
  const scale = scaleOf(found);
  const after = { status: effect.status ?? before.status, first_response_at: effect.first_response_at ?? before.first_response_at };
  if (effect.priority === undefined) {
    if (!found || !noted.clocks) return { fields: {}, clocks: null, sayings, scale };
    const moved = moveClocks(noted.ticket, noted.clocks, after, found.calendar, now);
    return { fields: moved.ticket, clocks: moved.clocks, sayings, scale };
  }
  const { sla_breached_at } = noted.ticket;
  const policy = await findPolicyInForce(tx, before.organization_id, effect.priority);
  if (!policy) return { fields: { ...noClocks, sla_breached_at }, clocks: null, sayings, scale };
  const calendar = calendarOf(policy);
  const soFar = found
    ? { paused_ms: found.clocks.paused_ms, paused_since: before.sla_paused_since }
    : await findPauses(tx, before, calendar, now);
  const pauses = pausesAfter(soFar, before.status, after.status, calendar, now);
  const stopped_at = stoppedAt(after.status, found?.clocks.stopped_at ?? before.resolved_at, now);
  const set = setClocks({ ...noted.ticket, ...after }, policy, calendar, pauses, stopped_at, now);
  return { fields: set.ticket, clocks: set.clocks, sayings, scale };
}

const announcements = { warning: ticketSlaWarning, breached: ticketSlaBreached };

/** Records an SLA event in the timeline and emits it. The actor is always the system, even if a user's change triggered it. */
export async function say(
  tx: TicketsTx,
  { organization_id, request_id }: Context,
  ticket: Ticket,
  saying: Saying,
  now: string,
  scale = scaleOf(undefined),
): Promise<void> {
  const ctx = systemContext(organization_id, request_id);
  if (saying.kind === 'escalated') {
    await recordActivity(tx, ctx, ticket, 'escalated', {}, now);
    return emit(tx, ctx, ticketEscalated, ticket.id, { ticket });
  }
  const { kind, clock, due_at } = saying;
  await recordActivity(tx, ctx, ticket, kind === 'warning' ? 'sla_warning' : 'sla_breached', { clock: { from: null, to: clock } }, now);
  return emit(tx, ctx, announcements[kind], ticket.id, { ticket, clock, due_at, ...scale });
}
