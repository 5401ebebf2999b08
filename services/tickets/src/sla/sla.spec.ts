import type { Organization } from '@tandem/contracts';
import { calendarOf, type Calendar } from './calendar';
import {
  updateTimers,
  markBreached,
  pausesAfter,
  collectDue,
  newTimers,
  slaView,
  type TimedTicket,
  type SlaTimers,
  type Policy,
  type SlaState,
} from './sla';

const policy: Policy = {
  id: '01980000-0000-7000-8000-000000000001',
  name: 'Standard',
  response_time_hours: 4,
  resolution_time_hours: 24,
  escalation_enabled: true,
  escalation_time_hours: 48,
};
/** Wednesday, 18 November 2026. */
const created_at = '2026-11-18T10:00:00.000Z';
const at = (hours: number) => new Date(Date.parse(created_at) + hours * 3_600_000).toISOString();
const office: Organization['business_hours'] = (['mon', 'tue', 'wed', 'thu', 'fri'] as const).map((day) => ({
  day,
  from: '09:00',
  to: '17:00',
}));
const inOffice = calendarOf({ time_zone: 'UTC', business_hours: office, holidays: [] });

const fresh: TimedTicket = {
  status: 'open',
  created_at,
  first_response_at: null,
  response_due_at: null,
  resolution_due_at: null,
  next_due_at: null,
  sla_paused_since: null,
  sla_breached_at: null,
  escalated_at: null,
};

/** Applies changes to a ticket and its timers as the service does. */
class TicketLifecycle {
  ticket: TimedTicket;
  timers: SlaTimers;
  constructor(readonly calendar: Calendar | null = null) {
    const set = newTimers(fresh, policy, calendar, { paused_ms: 0, paused_since: null }, null, created_at);
    this.ticket = { ...fresh, ...set.ticket };
    this.timers = set.timers;
  }
  private take({ ticket, timers }: SlaState, after: Partial<TimedTicket> = {}): this {
    this.ticket = { ...this.ticket, ...after, ...ticket };
    this.timers = timers;
    return this;
  }
  change(after: Partial<Pick<TimedTicket, 'status' | 'first_response_at'>>, now: string): this {
    const marked = markBreached(this.ticket, this.timers, now);
    const { status, first_response_at } = { ...marked.ticket, ...after };
    return this.take(updateTimers(marked.ticket, marked.timers, { status, first_response_at }, this.calendar, now), after);
  }
  sweep(now: string): string[] {
    const due = collectDue(this.ticket, this.timers, this.calendar, now);
    this.take(due);
    return due.slaEvents.map((event) => ('clock' in event ? `${event.kind} ${event.clock}` : event.kind));
  }
  clock(name: 'response' | 'resolution', now: string) {
    return slaView(this.ticket, this.timers, this.calendar, now).clocks.find(({ clock }) => clock === name)!;
  }
}

describe('due times', () => {
  it('count from creation, and the earlier one is next', () => {
    const { ticket, timers } = new TicketLifecycle();
    expect(ticket).toMatchObject({ response_due_at: at(4), resolution_due_at: at(24), next_due_at: at(4) });
    // 80 % of four hours.
    expect(timers).toMatchObject({ check_at: at(3.2), escalates_at: at(48) });
  });

  it('count only business hours', () => {
    // Seven hours are left on Wednesday, so 24 end on Monday at 10:00: 7 + 8 + 8 + 1.
    expect(new TicketLifecycle(inOffice).ticket).toMatchObject({ response_due_at: at(4), resolution_due_at: '2026-11-23T10:00:00.000Z' });
  });

  it('are null without enough working time', () => {
    const never = calendarOf({ time_zone: 'UTC', business_hours: [{ day: 'mon', from: '09:00', to: '09:01' }], holidays: [] });
    const { ticket, timers } = new TicketLifecycle(never);
    expect(ticket).toMatchObject({ resolution_due_at: null });
    expect(timers.escalates_at).toBe(at(48));
  });
});

describe('waiting for the customer', () => {
  it('pauses both timers, and the remaining time continues afterwards', () => {
    const lifecycle = new TicketLifecycle().change({ status: 'waiting_for_customer' }, at(1));
    expect(lifecycle.ticket).toMatchObject({ sla_paused_since: at(1), next_due_at: null, response_due_at: at(4) });
    // The escalation time continues to run during the pause.
    expect(lifecycle.timers.check_at).toBe(at(48));
    lifecycle.change({ status: 'open' }, at(11));
    expect(lifecycle.ticket).toMatchObject({
      sla_paused_since: null,
      response_due_at: at(14),
      resolution_due_at: at(34),
      next_due_at: at(14),
    });
    expect(lifecycle.timers.paused_ms).toBe(10 * 3_600_000);
  });

  it('counts only working time', () => {
    const lifecycle = new TicketLifecycle(inOffice).change({ status: 'waiting_for_customer' }, at(1)).change({ status: 'open' }, at(23));
    // From 11:00 to 09:00 the next morning: six working hours. Three of four were left.
    expect(lifecycle.ticket.response_due_at).toBe('2026-11-19T12:00:00.000Z');
    expect(lifecycle.timers.paused_ms).toBe(6 * 3_600_000);
  });

  it('keeps an overdue timer overdue', () => {
    const lifecycle = new TicketLifecycle().change({ status: 'waiting_for_customer' }, at(5)).change({ status: 'in_progress' }, at(50));
    expect(lifecycle.ticket).toMatchObject({
      response_due_at: at(4),
      resolution_due_at: at(69),
      sla_breached_at: at(4),
      next_due_at: at(4),
    });
  });

  it('keeps a due time that was met', () => {
    const lifecycle = new TicketLifecycle().change({ first_response_at: at(1) }, at(1)).change({ status: 'waiting_for_customer' }, at(2));
    expect(lifecycle.change({ status: 'open' }, at(5)).ticket).toMatchObject({ response_due_at: at(4), resolution_due_at: at(27) });
  });

  it('adds up several pauses', () => {
    let pauses = { paused_ms: 0, paused_since: null as string | null };
    for (const [from, to, when] of [
      ['open', 'waiting_for_customer', 1],
      ['waiting_for_customer', 'waiting_for_customer', 2],
      ['waiting_for_customer', 'open', 3],
      ['open', 'in_progress', 4],
      ['in_progress', 'waiting_for_customer', 5],
      ['waiting_for_customer', 'resolved', 6],
    ] as const)
      pauses = pausesAfter(pauses, from, to, null, at(when));
    expect(pauses).toEqual({ paused_ms: 3 * 3_600_000, paused_since: null });
  });
});

describe('the end of the timers', () => {
  it('of the response is the first staff reply', () => {
    const lifecycle = new TicketLifecycle().change({ first_response_at: at(1) }, at(1));
    expect(lifecycle.ticket.next_due_at).toBe(at(24));
    expect(lifecycle.clock('response', at(9))).toMatchObject({ state: 'met', met_at: at(1), remaining_minutes: 180 });
  });

  it.each(['resolved', 'closed'] as const)('of both is when the ticket is %s', (status) => {
    const lifecycle = new TicketLifecycle().change({ status }, at(3));
    expect(lifecycle.ticket.next_due_at).toBeNull();
    expect(lifecycle.timers).toMatchObject({ stopped_at: at(3), check_at: null });
    expect(lifecycle.clock('resolution', at(99))).toMatchObject({ state: 'met', met_at: at(3) });
    expect(lifecycle.sweep(at(99))).toEqual([]);
    expect(slaView(lifecycle.ticket, lifecycle.timers, null, at(99)).escalates_at).toBeNull();
  });

  it('is unchanged when a resolved ticket is closed', () => {
    expect(new TicketLifecycle().change({ status: 'resolved' }, at(3)).change({ status: 'closed' }, at(30)).timers.stopped_at).toBe(at(3));
  });

  it('after the due time is a breach even if no sweep saw it', () => {
    const lifecycle = new TicketLifecycle().change({ first_response_at: at(5) }, at(5));
    expect(lifecycle.clock('response', at(9))).toMatchObject({ state: 'missed', remaining_minutes: -60 });
    expect(lifecycle.ticket.sla_breached_at).toBe(at(4));
    expect(lifecycle.timers.response_breached_at).toBe(at(5));
  });

  it('is undone by reopening, with the same due time', () => {
    const lifecycle = new TicketLifecycle().change({ status: 'resolved' }, at(3)).change({ status: 'open' }, at(10));
    expect(lifecycle.ticket).toMatchObject({ response_due_at: at(4), resolution_due_at: at(24), next_due_at: at(4) });
    expect(lifecycle.timers.stopped_at).toBeNull();
    expect(lifecycle.sweep(at(10))).toEqual(['breached response']);
  });
});

describe('due events', () => {
  it('are a warning at 80 %, a breach after the due time and an escalation by age, once each', () => {
    const lifecycle = new TicketLifecycle();
    expect(lifecycle.sweep(at(3.19))).toEqual([]);
    expect(lifecycle.sweep(at(3.2))).toEqual(['warning response']);
    expect(lifecycle.timers.check_at).toBe(at(4));
    expect(lifecycle.sweep(at(3.5))).toEqual([]);
    expect(lifecycle.sweep(at(4))).toEqual([]);
    expect(lifecycle.sweep(at(4.01))).toEqual(['breached response']);
    expect(lifecycle.ticket.sla_breached_at).toBe(at(4));
    expect(lifecycle.timers.check_at).toBe(at(19.2));
    expect(lifecycle.sweep(at(20))).toEqual(['warning resolution']);
    expect(lifecycle.sweep(at(25))).toEqual(['breached resolution']);
    expect(lifecycle.ticket.sla_breached_at).toBe(at(4));
    expect(lifecycle.timers.check_at).toBe(at(48));
    expect(lifecycle.sweep(at(48))).toEqual(['escalated']);
    expect(lifecycle.ticket.escalated_at).toBe(at(48));
    expect(lifecycle.timers.check_at).toBeNull();
    expect(lifecycle.sweep(at(500))).toEqual([]);
  });

  it('are collected at once after a long pause, without outdated warnings', () => {
    expect(new TicketLifecycle().sweep(at(100))).toEqual(['breached response', 'breached resolution', 'escalated']);
  });

  it('wait while the ticket waits for the customer, except for the escalation', () => {
    const lifecycle = new TicketLifecycle().change({ status: 'waiting_for_customer' }, at(1));
    expect(lifecycle.sweep(at(47))).toEqual([]);
    expect(lifecycle.sweep(at(48))).toEqual(['escalated']);
  });

  it('exclude the warning of a timer that was met', () => {
    expect(new TicketLifecycle().change({ first_response_at: at(1) }, at(1)).sweep(at(5))).toEqual([]);
  });

  it('wait for business hours', () => {
    const lifecycle = new TicketLifecycle(inOffice);
    expect(lifecycle.timers.check_at).toBe('2026-11-18T13:12:00.000Z');
    lifecycle.change({ first_response_at: at(1) }, at(1));
    // 80 % of 24 hours are 19.2: 7 + 8 + 4.2.
    expect(lifecycle.timers.check_at).toBe('2026-11-20T10:00:00.000Z');
  });
});

describe('the view of the timers', () => {
  it('shows a pause for the customer without a due time', () => {
    const lifecycle = new TicketLifecycle().change({ status: 'waiting_for_customer' }, at(1));
    expect(lifecycle.clock('response', at(9))).toEqual({
      clock: 'response',
      state: 'paused',
      due_at: null,
      met_at: null,
      remaining_minutes: 180,
      paused_by: 'waiting_for_customer',
      resumes_at: null,
    });
    expect(slaView(lifecycle.ticket, lifecycle.timers, null, at(9)).paused_minutes).toBe(480);
  });

  it('shows when business hours resume', () => {
    expect(new TicketLifecycle(inOffice).clock('resolution', '2026-11-20T17:00:00.000Z')).toMatchObject({
      state: 'paused',
      paused_by: 'outside_business_hours',
      resumes_at: '2026-11-23T09:00:00.000Z',
      remaining_minutes: 60,
    });
  });

  it('distinguishes running from overdue', () => {
    expect(new TicketLifecycle().clock('response', at(3))).toMatchObject({ state: 'running', remaining_minutes: 60, paused_by: null });
    expect(new TicketLifecycle().clock('response', at(6))).toMatchObject({ state: 'overdue', remaining_minutes: -120, due_at: at(4) });
  });
});

it('counts previous pauses when a priority change restarts the timers', () => {
  const pauses = { paused_ms: 2 * 3_600_000, paused_since: null };
  const { ticket, timers } = newTimers(fresh, { ...policy, response_time_hours: 1, escalation_enabled: false }, null, pauses, null, at(2));
  expect(ticket).toMatchObject({ response_due_at: at(3), resolution_due_at: at(26) });
  expect(timers).toMatchObject({ paused_ms: pauses.paused_ms, escalates_at: null, response_warned_at: null });
});
