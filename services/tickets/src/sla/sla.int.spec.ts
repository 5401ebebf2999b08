import {
  addComment,
  addPublicComment,
  createSlaPolicy,
  createTicket,
  deleteSlaPolicy,
  listSlaPolicies,
  readTicket,
  readTicketSla,
  slaDefaults,
  submitTicket,
  updateSlaPolicy,
  updateTicket,
  type SlaPolicy,
  type Ticket,
  type TicketSla,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { organizationOf } from '@tandem/testing';
import { asCustomer, asStaff, ticketInput, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { saveOrganization } from '../projection/identity-projection.store';

let tickets: TicketsUnderTest;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
});
afterAll(() => tickets?.close());

const hour = 3_600_000;
const ago = (hours: number) => new Date(Date.now() - hours * hour).toISOString();
const later = (iso: string, hours: number) => new Date(Date.parse(iso) + hours * hour).toISOString();
const aPolicy = { name: 'Standard', priority_level: 'medium', response_time_hours: 4, resolution_time_hours: 24 };

async function createPolicy(organization: TestOrganization, overrides: object = {}): Promise<SlaPolicy> {
  const { status, data } = await tickets.call<SlaPolicy>(createSlaPolicy, asStaff(organization, 'admin'), {
    body: { ...aPolicy, ...overrides },
  });
  expect(status).toBe(201);
  return data;
}
const policies = async (organization: TestOrganization) => (await tickets.call<SlaPolicy[]>(listSlaPolicies, asStaff(organization))).data;
const patchTicket = async (organization: TestOrganization, id: string, body: object) =>
  (await tickets.call<Ticket>(updateTicket, asStaff(organization), { params: { id }, body })).data;
const slaView = async (organization: TestOrganization, id: string) =>
  (await tickets.call<TicketSla | null>(readTicketSla, asStaff(organization), { params: { id } })).data as TicketSla | null;
const clocksOf = (organization: TestOrganization, ticket_id: string) =>
  tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx.selectFrom('sla_clocks').selectAll().where('ticket_id', '=', ticket_id).executeTakeFirst(),
  );
const settle = (organization: TestOrganization, settings: Parameters<typeof organizationOf>[1], sequence = 2) =>
  tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
    saveOrganization(tx, organizationOf(organization.id, settings), sequence),
  );

describe('policies', () => {
  it('start with the default times', async () => {
    const organization = await tickets.anOrganization();
    const { status, data } = await tickets.call<SlaPolicy>(createSlaPolicy, asStaff(organization, 'admin'), {
      body: { name: '  Standard  ', priority_level: 'high' },
    });
    expect(status).toBe(201);
    expect(data).toMatchObject({ ...slaDefaults, name: 'Standard', priority_level: 'high', organization_id: organization.id });
  });

  it('are listed for every role, the most urgent first, and for no other organization', async () => {
    const [organization, other] = await Promise.all([tickets.anOrganization(), tickets.anOrganization()]);
    for (const priority_level of ['low', 'urgent', 'medium']) await createPolicy(organization, { priority_level });
    expect((await policies(organization)).map(({ priority_level }) => priority_level)).toEqual(['urgent', 'medium', 'low']);
    expect(await policies(other)).toEqual([]);
  });

  it.each(['manager', 'agent'] as const)('cannot be written by a %s', async (role) => {
    const organization = await tickets.anOrganization();
    const { id } = await createPolicy(organization);
    const ctx = asStaff(organization, role);
    expect((await tickets.call(createSlaPolicy, ctx, { body: aPolicy })).status).toBe(403);
    expect((await tickets.call(updateSlaPolicy, ctx, { params: { id }, body: { is_active: false } })).status).toBe(403);
    expect((await tickets.call(deleteSlaPolicy, ctx, { params: { id } })).status).toBe(403);
    expect(await policies(organization)).toMatchObject([{ id, is_active: true }]);
  });

  it.each([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['priority_level', { priority_level: 'critical' }],
    ['response_time_hours', { response_time_hours: 0 }],
    ['response_time_hours', { response_time_hours: 1.5 }],
    ['resolution_time_hours', { resolution_time_hours: 8761 }],
    ['escalation_time_hours', { escalation_time_hours: '48' }],
  ])('reject invalid input and name the field: %s', async (path, input) => {
    const organization = await tickets.anOrganization();
    const { status, data } = await tickets.call(createSlaPolicy, asStaff(organization, 'admin'), { body: { ...aPolicy, ...input } });
    expect(status).toBe(422);
    expect(data.errors).toEqual([expect.objectContaining({ path })]);
    expect(await policies(organization)).toEqual([]);
  });

  it('are not found in other organizations', async () => {
    const [organization, other] = await Promise.all([tickets.anOrganization(), tickets.anOrganization()]);
    const { id } = await createPolicy(organization);
    const stranger = asStaff(other, 'admin');
    expect((await tickets.call(updateSlaPolicy, stranger, { params: { id }, body: { name: 'Mine' } })).data.code).toBe(
      'sla_policy.not_found',
    );
    expect((await tickets.call(deleteSlaPolicy, stranger, { params: { id } })).data.code).toBe('sla_policy.not_found');
    expect(await policies(organization)).toMatchObject([{ id, name: 'Standard' }]);
  });

  it('are deactivated by a new active one of the same priority, with an event for both', async () => {
    const organization = await tickets.anOrganization();
    const first = await createPolicy(organization);
    const second = await createPolicy(organization, { name: 'Better' });
    expect(await policies(organization)).toMatchObject([
      { id: second.id, is_active: true },
      { id: first.id, is_active: false },
    ]);
    await tickets.call(updateSlaPolicy, asStaff(organization, 'admin'), { params: { id: first.id }, body: { is_active: true } });
    const [event] = (await tickets.events(second.id)).slice(-1);
    expect(event).toMatchObject({
      type: 'sla_policy.changed',
      actor: { type: 'user', user_id: organization.admin },
      data: { what: 'updated', policy: { is_active: false }, changes: { is_active: { from: true, to: false } } },
    });
    expect((await tickets.events(first.id)).map(({ data }) => [data.what, data.changes])).toEqual([
      ['created', {}],
      ['updated', { is_active: { from: true, to: false } }],
      ['updated', { is_active: { from: false, to: true } }],
    ]);
  });

  it('have one active one per priority after concurrent creations', async () => {
    const organization = await tickets.anOrganization();
    await Promise.all(Array.from({ length: 10 }, () => createPolicy(organization)));
    expect((await policies(organization)).map(({ is_active }) => is_active).sort()).toEqual([...Array<boolean>(9).fill(false), true]);
  });

  it('are limited to 50', async () => {
    const organization = await tickets.anOrganization();
    for (let each = 0; each < 50; each += 1) await createPolicy(organization, { is_active: false });
    const { data } = await tickets.call(createSlaPolicy, asStaff(organization, 'admin'), { body: aPolicy });
    expect(data.code).toBe('sla_policy.too_many');
    expect(await policies(organization)).toHaveLength(50);
  });

  it('emit no event for a change without effect', async () => {
    const organization = await tickets.anOrganization();
    const { id } = await createPolicy(organization);
    await tickets.call(updateSlaPolicy, asStaff(organization, 'admin'), { params: { id }, body: { name: 'Standard' } });
    expect(await tickets.eventTypes(id)).toEqual(['sla_policy.changed']);
  });

  it('do not affect existing due times when they change or are removed', async () => {
    const organization = await tickets.anOrganization();
    const { id } = await createPolicy(organization);
    const ticket = await tickets.aTicket(organization);
    await tickets.call(updateSlaPolicy, asStaff(organization, 'admin'), { params: { id }, body: { response_time_hours: 1 } });
    expect((await tickets.call(deleteSlaPolicy, asStaff(organization, 'admin'), { params: { id } })).status).toBe(200);
    expect(await slaView(organization, ticket.id)).toMatchObject({ policy: { id, name: 'Standard', response_time_hours: 4 } });
    expect((await tickets.events(id)).at(-1)?.data).toMatchObject({ what: 'deleted', policy: { id } });
  });
});

describe('a new ticket', () => {
  it('has no timers without a policy for its priority', async () => {
    const organization = await tickets.anOrganization();
    await createPolicy(organization, { priority_level: 'urgent' });
    await createPolicy(organization, { is_active: false });
    const ticket = await tickets.aTicket(organization);
    expect(ticket).toMatchObject({ response_due_at: null, resolution_due_at: null, next_due_at: null });
    expect(await slaView(organization, ticket.id)).toBeNull();
    expect(await clocksOf(organization, ticket.id)).toBeUndefined();
  });

  it('has its due times in the response and in the event', async () => {
    const organization = await tickets.anOrganization();
    await createPolicy(organization);
    const { data } = await tickets.call<Ticket>(createTicket, asStaff(organization), { body: ticketInput() });
    const due = {
      response_due_at: later(data.created_at, 4),
      resolution_due_at: later(data.created_at, 24),
      next_due_at: later(data.created_at, 4),
    };
    expect(data).toMatchObject({ ...due, version: 1 });
    expect((await tickets.events(data.id))[0]?.data.ticket).toMatchObject(due);
    expect((await tickets.call<Ticket>(readTicket, asStaff(organization), { params: { id: data.id } })).data).toMatchObject(due);
  });

  it('counts the organization’s business hours', async () => {
    const organization = await tickets.anOrganization();
    await settle(organization, {
      time_zone: 'Europe/Berlin',
      business_hours: [{ day: 'mon', from: '09:00', to: '17:00' }],
      holidays: [{ date: '2026-11-23', name: 'Day off' }],
    });
    await createPolicy(organization);
    const ticket = await tickets.aTicket(organization, { created_at: '2026-11-16T13:00:00.000Z' });
    // Monday 14:00 in Berlin: three hours are left of this Monday, and the next one is a holiday.
    expect(ticket).toMatchObject({ response_due_at: '2026-11-30T09:00:00.000Z', resolution_due_at: '2026-12-14T13:00:00.000Z' });
  });

  it('has the organization’s default priority and its policy if none is given', async () => {
    const organization = await tickets.anOrganization();
    await settle(organization, { default_priority: 'high' });
    await createPolicy(organization, { priority_level: 'high' });
    const { priority: _, ...body } = ticketInput();
    const made = await tickets.call<Ticket>(createTicket, asStaff(organization), { body });
    expect(made.data).toMatchObject({ priority: 'high', response_due_at: expect.any(String) });
    const { tags: __, attachment_ids: ___, ...form } = body;
    const sent = await tickets.call(submitTicket, asCustomer(organization.id), { body: form });
    expect(sent.data).toMatchObject({ priority: 'high' });
    expect((await tickets.call<Ticket>(createTicket, asStaff(organization), { body: { ...body, priority: 'low' } })).data.priority).toBe(
      'low',
    );
  });
});

describe('the timers of a ticket', () => {
  let organization: TestOrganization;
  beforeAll(async () => {
    organization = await tickets.anOrganization();
    await createPolicy(organization);
    await createPolicy(organization, { name: 'Urgent', priority_level: 'urgent', response_time_hours: 1, resolution_time_hours: 2 });
  });
  const comment = (id: string, body: object) =>
    tickets.call(addComment, asStaff(organization), { params: { id }, body: { content: 'Hello', is_internal: false, ...body } });
  const read = async (id: string) => (await tickets.call<Ticket>(readTicket, asStaff(organization), { params: { id } })).data;

  it('end the response with the first public staff comment, not with a note or a customer comment', async () => {
    const { id, customer_email } = await tickets.aTicket(organization);
    await comment(id, { is_internal: true });
    await tickets.call(addPublicComment, asCustomer(organization.id), {
      params: { id },
      body: { email: customer_email, content: 'Hello?' },
    });
    expect(await read(id)).toMatchObject({ first_response_at: null });
    await comment(id, {});
    const { first_response_at, next_due_at, resolution_due_at } = await read(id);
    expect(first_response_at).not.toBeNull();
    expect(next_due_at).toBe(resolution_due_at);
    await comment(id, {});
    expect(await read(id)).toMatchObject({ first_response_at });
  });

  it('record the first response without a policy, too', async () => {
    const { id } = await tickets.aTicket(organization, { priority: 'low' });
    await comment(id, {});
    expect(await read(id)).toMatchObject({ first_response_at: expect.any(String), next_due_at: null });
    expect(await clocksOf(organization, id)).toBeUndefined();
  });

  it('pause while the ticket waits for the customer', async () => {
    const { id, customer_email, response_due_at } = await tickets.aTicket(organization);
    const waiting = await patchTicket(organization, id, { status: 'waiting_for_customer' });
    expect(waiting).toMatchObject({ next_due_at: null, response_due_at, sla_paused_since: waiting.updated_at });
    expect((await slaView(organization, id))?.clocks[0]).toMatchObject({
      state: 'paused',
      paused_by: 'waiting_for_customer',
      due_at: null,
    });
    await tickets.call(addPublicComment, asCustomer(organization.id), { params: { id }, body: { email: customer_email, content: 'Here' } });
    const ticket = await read(id);
    const pause = Date.parse(ticket.updated_at) - Date.parse(waiting.updated_at);
    expect(ticket).toMatchObject({ status: 'open', sla_paused_since: null, next_due_at: later(response_due_at!, pause / hour) });
    expect(await clocksOf(organization, id)).toMatchObject({ paused_ms: pause });
  });

  it('restart from creation after a priority change', async () => {
    const { id, created_at } = await tickets.aTicket(organization);
    expect(await patchTicket(organization, id, { priority: 'urgent' })).toMatchObject({
      response_due_at: later(created_at, 1),
      resolution_due_at: later(created_at, 2),
      next_due_at: later(created_at, 1),
    });
    expect((await slaView(organization, id))?.policy.name).toBe('Urgent');
  });

  it('are deleted for a priority without a policy, and restored with previous pauses', async () => {
    const { id, created_at } = await tickets.aTicket(organization, { created_at: ago(3) });
    const waiting = await patchTicket(organization, id, { status: 'waiting_for_customer' });
    expect(await patchTicket(organization, id, { priority: 'low' })).toMatchObject({
      response_due_at: null,
      next_due_at: null,
      sla_paused_since: null,
    });
    expect(await slaView(organization, id)).toBeNull();
    const open = await patchTicket(organization, id, { status: 'open' });
    const pause = Date.parse(open.updated_at) - Date.parse(waiting.updated_at);
    expect(await patchTicket(organization, id, { priority: 'medium' })).toMatchObject({ next_due_at: later(created_at, 4 + pause / hour) });
    expect(await clocksOf(organization, id)).toMatchObject({ paused_ms: pause });
  });

  it('stop on resolution, and resume with the same due time on reopening', async () => {
    const { id, response_due_at } = await tickets.aTicket(organization);
    expect(await patchTicket(organization, id, { status: 'resolved' })).toMatchObject({ next_due_at: null, response_due_at });
    expect(await clocksOf(organization, id)).toMatchObject({ check_at: null, stopped_at: expect.any(String) });
    expect(await patchTicket(organization, id, { status: 'open' })).toMatchObject({ next_due_at: response_due_at, response_due_at });
  });

  it('emit a breach that no sweep has seen', async () => {
    const { id } = await tickets.aTicket(organization, { created_at: ago(5) });
    await comment(id, {});
    expect((await tickets.eventTypes(id)).filter((type) => type.startsWith('ticket.sla'))).toEqual(['ticket.sla.breached']);
    expect((await slaView(organization, id))?.clocks[0]).toMatchObject({ state: 'missed' });
    expect((await read(id)).sla_breached_at).not.toBeNull();
  });

  it('are not found in other organizations', async () => {
    const { id } = await tickets.aTicket(organization);
    const other = await tickets.anOrganization();
    expect((await tickets.call(readTicketSla, asStaff(other), { params: { id } })).data.code).toBe('ticket.not_found');
    expect((await tickets.call(readTicketSla, asStaff(organization), { params: { id: newId() } })).data.code).toBe('ticket.not_found');
  });
});
