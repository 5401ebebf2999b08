import type { Actor, Role } from '@tandem/contracts';
import { newId } from '@tandem/db';
import {
  isImported,
  mayStillArrive,
  noticesOf,
  onAssigned,
  onComment,
  onEscalation,
  onSlaBreach,
  onSlaWarning,
  type Addressees,
} from './notification';

const [ada, grace, marek, olga] = ['a', 'g', 'm', 'o'];
const member = (user_id: string, role: Role = 'agent', is_active = true) => ({ user_id, role, is_active });
const members = [member(ada, 'admin'), member(grace), member(marek, 'manager'), member(olga)];
const user = (user_id: string): Actor => ({ type: 'user', user_id, role: 'agent', session_id: newId() });
const system: Actor = { type: 'system' };
const notified = (addressees: Addressees, assigned_to: string | null = null, team = members) =>
  noticesOf(addressees, team, assigned_to).map(({ user_id, kind }) => `${user_id} ${kind}`);

describe('an assignment', () => {
  it('notifies the new assignee', () => expect(notified(onAssigned({ assigned_to: grace }, user(ada)))).toEqual(['g assigned']));
  it('does not notify members who assigned themselves', () =>
    expect(notified(onAssigned({ assigned_to: grace }, user(grace)))).toEqual([]));
  it('notifies no one when the ticket is unassigned', () => expect(notified(onAssigned({ assigned_to: null }, user(ada)))).toEqual([]));
  it.each<Actor>([system, { type: 'token', token_id: newId(), name: 'Importer', permissions: [], via: 'api' }, { type: 'customer' }])(
    'notifies the assignee if the actor is %j',
    (actor) => expect(notified(onAssigned({ assigned_to: grace }, actor))).toEqual(['g assigned']),
  );
});

describe('a comment', () => {
  const ticket = { assigned_to: grace, watchers: [marek, grace] };
  const customer: Actor = { type: 'customer' };
  const byStaff = (mentions: string[] = []) => ({ mentions, user_id: grace, is_from_customer: false, customer_email: null });
  const byCustomer = (mentions: string[] = []) => ({
    mentions,
    user_id: null,
    is_from_customer: true,
    customer_email: 'carla@example.com',
  });

  it('of a customer notifies the assignee and the watchers once each', () =>
    expect(notified(onComment(ticket, byCustomer(), customer))).toEqual(['g customer_replied', 'm customer_replied']));
  it('of staff notifies only mentioned members, except its author', () =>
    expect(notified(onComment(ticket, byStaff([olga, grace, olga]), user(grace)))).toEqual(['o mention']));
  it('of staff without a mention notifies no one', () => expect(notified(onComment(ticket, byStaff(), user(grace)))).toEqual([]));
  it('in a note by email notifies them too, unless it is an automatic reply', () => {
    const note = { mentions: [], user_id: null, is_from_customer: false, customer_email: 'eve@example.com' };
    expect(notified(onComment(ticket, note, customer))).toEqual(['g customer_replied', 'm customer_replied']);
    expect(notified(onComment(ticket, note, system))).toEqual([]);
  });
  it('notifies a mentioned watcher only of the mention', () =>
    expect(notified(onComment(ticket, byCustomer([marek]), customer))).toEqual(['g customer_replied', 'm mention']));
});

describe('SLA events', () => {
  const ticket = { assigned_to: grace, watchers: [olga] };
  const unassigned = { assigned_to: null, watchers: [olga] };
  it('warn the assignee and the watchers', () => {
    expect(notified(onSlaWarning(ticket), grace)).toEqual(['g sla_warning', 'o sla_warning']);
    expect(notified(onSlaWarning(unassigned))).toEqual(['o sla_warning']);
  });
  it('notify the same members of a breach', () =>
    expect(notified(onSlaBreach(ticket), grace)).toEqual(['g sla_breached', 'o sla_breached']));
  it('notify managers and admins of a breach on an unassigned ticket', () =>
    expect(notified(onSlaBreach(unassigned))).toEqual(['a sla_breached', 'm sla_breached', 'o sla_breached']));
  it('notify managers and admins of a breach if the assignee is inactive', () =>
    expect(
      notified(onSlaBreach(ticket), grace, [...members.filter(({ user_id }) => user_id !== grace), member(grace, 'agent', false)]),
    ).toEqual(['a sla_breached', 'm sla_breached', 'o sla_breached']));
  it('notify managers, admins and the assignee of an escalation, but not the watchers', () => {
    expect(notified(onEscalation(ticket), grace)).toEqual(['a escalated', 'g escalated', 'm escalated']);
    expect(notified(onEscalation({ assigned_to: marek }), marek)).toEqual(['a escalated', 'm escalated']);
    expect(notified(onEscalation({ assigned_to: null }))).toEqual(['a escalated', 'm escalated']);
  });
});

it('notifies active members only', () => {
  const team = [member(ada, 'admin', false), member(grace, 'agent', false), member(marek, 'manager')];
  expect(notified(onEscalation({ assigned_to: grace }), grace, team)).toEqual(['m escalated']);
  const byCustomer = { mentions: [], user_id: null, is_from_customer: true, customer_email: 'carla@example.com' };
  expect(notified(onComment({ assigned_to: null, watchers: ['stranger'] }, byCustomer, { type: 'customer' }))).toEqual([]);
});

describe('an imported event', () => {
  it('is one of the system whose request ID marks an import', () => {
    expect(isImported({ actor: system, requestid: 'demo' })).toBe(true);
    expect(isImported({ actor: system, requestid: 'import' })).toBe(true);
  });
  it('is neither an automatic assignment nor an SLA event', () => {
    expect(isImported({ actor: system, requestid: newId() })).toBe(false);
    expect(isImported({ actor: system, requestid: 'sweep-sla' })).toBe(false);
  });
  it('is never one of a user', () => expect(isImported({ actor: user(ada), requestid: 'demo' })).toBe(false));
});

it('waits up to a minute for an unknown member', () => {
  const time = '2026-11-20T10:00:00.000Z';
  expect(mayStillArrive(time, Date.parse(time) + 59_000)).toBe(true);
  expect(mayStillArrive(time, Date.parse(time) + 61_000)).toBe(false);
});
