import { ticketChannels, ticketPriorities, type Changes, type Ticket, type TicketMoment, type TicketStatus } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { ticketOf } from '@tandem/testing';

/** One event of a ticket, as the tickets and notifications services publish them. */
export type HistoryEvent =
  | { kind: 'created'; ticket: Ticket; sequence: number }
  | { kind: 'comment'; ticket: Ticket; sequence: number }
  | { kind: 'breached'; ticket: Ticket; sequence: number }
  | { kind: 'escalated'; ticket: Ticket; sequence: number }
  | { kind: 'updated'; ticket: Ticket; changes: Changes; sequence: number }
  | { kind: 'rated'; ticket_id: string; rating: number; feedback: string | null; at: string }
  | { kind: 'surveyed'; ticket_id: string; at: string };

/** A ticket in its final state, with its complete history. */
export interface History {
  ticket: Ticket;
  moments: TicketMoment[];
  survey: { rating: number; feedback: string | null; created_at: string } | null;
  survey_sent_at: string | null;
  events: HistoryEvent[];
  sequence: number;
}

/** Random numbers that are the same in every run with the same seed. */
export function randomNumbers(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    below: (end: number) => Math.floor(next() * end),
    chance: (p: number) => next() < p,
    pick: <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!,
    shuffled: <T>(values: readonly T[]): T[] =>
      values
        .map((value) => ({ value, key: next() }))
        .sort((a, b) => a.key - b.key)
        .map(({ value }) => value),
  };
}
export type RandomNumbers = ReturnType<typeof randomNumbers>;

const isDone = (status: TicketStatus) => status === 'resolved' || status === 'closed';
export const categories = ['Billing', 'Shipping', '__proto__', 'constructor', '', 'שלום'];
export const tags = ['vip', 'bug', '__proto__', 'a,b', '10', '2'];

/** A ticket that is created, changed, moved between assignees, reopened, breached, merged or rated late. */
export function randomHistory(
  random: RandomNumbers,
  organization_id: string,
  people: readonly string[],
  from: number,
  to: number,
): History {
  let at = from + random.below(to - from);
  const id = newId();
  const time = () => new Date(at).toISOString();
  const category = random.pick(categories) || null;
  let ticket = ticketOf(organization_id, {
    id,
    ticket_number: `ACM-${id.slice(-6)}`,
    priority: random.pick(ticketPriorities),
    category,
    tags: random.shuffled(tags).slice(0, random.below(4)),
    channel: random.pick([...ticketChannels, null]),
    created_at: time(),
    updated_at: time(),
  });
  let sequence = 1;
  const events: HistoryEvent[] = [{ kind: 'created', ticket, sequence }];
  const moments: TicketMoment[] = [];
  const hoursSince = () => (at - Date.parse(ticket.created_at)) / 3_600_000;

  const update = (patch: Partial<Ticket>) => {
    at += 1 + random.below(random.chance(0.3) ? 4 * 86_400_000 : 3 * 3_600_000);
    const before = ticket;
    ticket = { ...ticket, ...patch, updated_at: time() };
    const changes: Changes = {};
    if (patch.status && patch.status !== before.status) {
      changes['status'] = { from: before.status, to: patch.status };
      if (isDone(before.status) !== isDone(patch.status)) {
        const kind = isDone(patch.status) ? 'resolved' : 'reopened';
        moments.push({ kind, at: time() });
        if (kind === 'reopened') ticket = { ...ticket, reopen_count: ticket.reopen_count + 1 };
      }
      if (patch.status === 'resolved') ticket = { ...ticket, resolved_at: time(), resolution_time_hours: hoursSince() };
      if (patch.status === 'open' || patch.status === 'in_progress') ticket = { ...ticket, resolved_at: null, resolution_time_hours: null };
    }
    events.push({ kind: 'updated', ticket, changes, sequence: (sequence += 1) });
  };
  const reply = () => {
    at += 1 + random.below(5 * 3_600_000);
    const first = ticket.first_response_at === null ? { first_response_at: time(), first_response_time_hours: hoursSince() } : {};
    ticket = { ...ticket, ...first, public_reply_count: ticket.public_reply_count + 1, updated_at: time() };
    events.push({ kind: 'comment', ticket, sequence: (sequence += 1) });
  };
  const breach = () => {
    at += 1 + random.below(86_400_000);
    ticket = { ...ticket, sla_breached_at: ticket.sla_breached_at ?? time(), updated_at: time() };
    events.push({ kind: 'breached', ticket, sequence: (sequence += 1) });
  };
  const escalate = () => {
    at += 1 + random.below(86_400_000);
    ticket = { ...ticket, escalated_at: ticket.escalated_at ?? time(), updated_at: time() };
    events.push({ kind: 'escalated', ticket, sequence: (sequence += 1) });
  };

  for (let steps = random.below(9); steps > 0; steps -= 1) {
    random.pick([
      () => update({ assigned_to: random.pick([...people, null]) }),
      () => update({ status: random.pick(['open', 'in_progress', 'waiting_for_customer', 'resolved', 'closed'] as const) }),
      () => update({ status: 'resolved' }),
      () => update({ priority: random.pick(ticketPriorities), tags: random.shuffled(tags).slice(0, 2) }),
      () => update({ category: random.pick(categories) || null }),
      () => update({ subject: 'Changed' }),
      reply,
      reply,
      breach,
      escalate,
    ])();
  }
  if (random.chance(0.1)) {
    for (let times = 0; times < 5; times += 1) {
      update({ status: 'resolved' });
      update({ status: 'open' });
    }
  }
  if (random.chance(0.1)) update({ status: 'closed', merged_into_id: newId() });

  let survey_sent_at: string | null = null;
  let survey: History['survey'] = null;
  if (random.chance(0.5)) {
    survey_sent_at = time();
    events.push({ kind: 'surveyed', ticket_id: id, at: survey_sent_at });
  }
  if (random.chance(0.4)) {
    survey = {
      rating: 1 + random.below(5),
      feedback: random.chance(0.5) ? `=Thanks, "${id}"` : null,
      created_at: new Date(at + random.below(20 * 86_400_000)).toISOString(),
    };
    events.push({ kind: 'rated', ticket_id: id, rating: survey.rating, feedback: survey.feedback, at: survey.created_at });
  }
  return { ticket, moments, survey, survey_sent_at, events, sequence };
}
