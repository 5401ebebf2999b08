import { createTicket, listTickets, readTicket, updateTicket, type Operation, type Role, type Ticket } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { organizationOf } from '@tandem/testing';
import { sql } from 'kysely';
import {
  ticketInput,
  asCustomer,
  asUserWithoutOrganization,
  asStaff,
  asToken,
  TicketsUnderTest,
  type Input,
  type TestOrganization,
} from '../../test/tickets';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
let otherOrganization: TestOrganization;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  organization = await tickets.anOrganization();
  otherOrganization = await tickets.anOrganization({ ticket_prefix: 'ELS' });
});
afterAll(() => tickets?.close());

const create = (body: unknown, ctx = asStaff(organization), headers?: Record<string, string>) =>
  tickets.call<Ticket>(createTicket, ctx, { body, headers });
const update = (id: string, body: unknown, headers?: Record<string, string>, ctx = asStaff(organization)) =>
  tickets.call<Ticket>(updateTicket, ctx, { params: { id }, body, headers });
const read = async (id: string) => (await tickets.call<Ticket>(readTicket, asStaff(organization), { params: { id } })).data;

describe('permissions', () => {
  const operations: [Operation, (id: string) => Input][] = [
    [listTickets, () => ({})],
    [createTicket, () => ({ body: { subject: 'S', customer_email: 'c@example.com' } })],
    [readTicket, (id) => ({ params: { id } })],
    [updateTicket, (id) => ({ params: { id }, body: { priority: 'low' } })],
  ];
  it.each(operations)('$name: every role, and no other caller', async (op, input) => {
    const { id } = await tickets.aTicket(organization);
    for (const role of ['admin', 'manager', 'agent'] satisfies Role[]) {
      expect((await tickets.call(op, asStaff(organization, role), input(id))).status).toBe(op.status);
    }
    const before = (await tickets.events()).length;
    expect((await tickets.call(op, undefined, input(id))).data.code).toBe('session.required');
    expect((await tickets.call(op, asCustomer(organization.id), input(id))).status).toBeGreaterThanOrEqual(401);
    expect((await tickets.call(op, asUserWithoutOrganization(), input(id))).status).toBe(403);
    expect((await tickets.call(op, asToken(organization), input(id))).data.code).toBe('token.permission_missing');
    expect((await tickets.events()).length).toBe(before);
  });
  it('returns not found for a ticket of another organization', async () => {
    const { id } = await tickets.aTicket(organization);
    for (const [op, input] of operations.slice(2)) {
      const other = await tickets.call(op, asStaff(otherOrganization), input(id));
      const unknown = await tickets.call(op, asStaff(otherOrganization), input(newId()));
      expect([other.status, other.data.code]).toEqual([404, 'ticket.not_found']);
      expect(other.data).toEqual(unknown.data);
    }
    expect(await tickets.eventTypes(id)).toEqual(['ticket.created']);
  });
  it.each([
    [readTicket, {}],
    [updateTicket, { body: { priority: 'low' } }],
  ] as const)('%# rejects an invalid ID', async (op, input) => {
    const answer = await tickets.call(op, asStaff(organization), { ...input, params: { id: '1 or 1=1' } });
    expect([answer.status, answer.data.code]).toEqual([422, 'request.invalid']);
  });
});

describe('external_id', () => {
  const input = (external_id: string) => ({ subject: 'Imported', customer_email: 'c@example.com', external_id });
  const found = async (external_id: string, at = organization) =>
    (await tickets.call<Ticket[]>(listTickets, asStaff(at), { query: { external_id } })).data.map(({ id }) => id);

  it('finds the ticket that has it, in its own organization only', async () => {
    const { status, data } = await create(input(' zd-1 '));
    expect([status, data.external_id]).toEqual([201, 'zd-1']);
    expect(await found('zd-1')).toEqual([data.id]);
    expect(await found('zd-2')).toEqual([]);
    expect(await found('zd-1', otherOrganization)).toEqual([]);
    expect((await create(input('zd-1'), asStaff(otherOrganization))).status).toBe(201);
  });
  it('belongs to one ticket: a second one is neither created nor changed, in either order', async () => {
    const first = (await create(input('zd-10'))).data;
    const second = await create(input('zd-10'));
    expect([second.status, second.data.code]).toEqual([409, 'ticket.external_id_taken']);
    const { id } = await tickets.aTicket(organization);
    const changed = await update(id, { external_id: 'zd-10', priority: 'urgent' });
    expect([changed.status, changed.data.code]).toEqual([409, 'ticket.external_id_taken']);
    expect(await read(id)).toMatchObject({ external_id: null, priority: 'medium', version: 1 });
    const both = await Promise.all([create(input('zd-11')), create(input('zd-11'))]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(await found('zd-10')).toEqual([first.id]);
  });
  it('can be changed and removed, and is then free again', async () => {
    const { id } = (await create(input('zd-20'))).data;
    const changed = await update(id, { external_id: 'zd-21' });
    expect([changed.status, changed.data.external_id]).toEqual([200, 'zd-21']);
    const updated = (await tickets.events(id)).find(({ type }) => type === 'ticket.updated');
    expect(updated!.data['changes']).toEqual({ external_id: { from: 'zd-20', to: 'zd-21' } });
    expect((await update(id, { external_id: ' ' })).data.external_id).toBeNull();
    expect((await create(input('zd-21'))).status).toBe(201);
  });
  it('is missing on any number of tickets', async () => {
    expect((await tickets.aTicket(organization)).external_id).toBeNull();
    expect((await create(input(''))).data.external_id).toBeNull();
  });
  it('rejects one that is too long', async () => {
    const { status, data } = await create(input('x'.repeat(256)));
    expect([status, data.errors?.[0]?.path]).toEqual([422, 'external_id']);
  });
});

describe('create', () => {
  it('creates a ticket with the next number, trimmed text and null for blank optional fields, and emits the event', async () => {
    const { status, data } = await create({
      subject: '  Help  ',
      customer_email: ' Carla@Example.com ',
      description: ' ',
      customer_name: '',
      category: '',
    });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      subject: 'Help', customer_email: 'carla@example.com', description: null, customer_name: null, category: null,
      status: 'open', priority: 'medium', tags: [], assigned_to: null, assignee: null, comment_count: 0, resolved_at: null, version: 1, organization_id: organization.id,
    }); // prettier-ignore
    expect(data.ticket_number).toMatch(/^ACM-\d{4}$/);
    const [event, ...more] = await tickets.events(data.id);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: 'ticket.created',
      sequence: 1,
      organization_id: organization.id,
      actor: { type: 'user', user_id: organization.agent },
      data: { ticket: data },
    });
  });
  it.each([
    [{ customer_email: 'c@example.com' }, 'subject'],
    [{ subject: ' ', customer_email: 'c@example.com' }, 'subject'],
    [{ subject: 'S' }, 'customer_email'],
    [{ subject: 'S', customer_email: 'nobody' }, 'customer_email'],
    [{ subject: 'S'.repeat(256), customer_email: 'c@example.com' }, 'subject'],
    [{ subject: 'S\u0000', customer_email: 'c@example.com' }, 'subject'],
    [{ subject: 'S', customer_email: 'c@example.com', priority: 'critical' }, 'priority'],
    [{ subject: 'S', customer_email: 'c@example.com', language: 'tlh' }, 'language'],
    [{ subject: 'S', customer_email: 'c@example.com', cc: ['nobody'] }, 'cc.0'],
    [{ subject: 'S', customer_email: 'c@example.com', cc: Array.from({ length: 21 }, (_, i) => `${i}@example.com`) }, 'cc'],
    [{ subject: 'S', customer_email: 'c@example.com', status: 'closed' }, 'status'],
    [{ subject: 'S', customer_email: 'c@example.com', organization_id: newId() }, 'organization_id'],
    [{ subject: ['S'], customer_email: 'c@example.com' }, 'subject'],
  ])('rejects %j and writes nothing', async (body, path) => {
    const before = await tickets.call(listTickets, asStaff(organization));
    const { status, data } = await create(body);
    expect([status, data.code]).toEqual([422, 'request.invalid']);
    expect(data.errors?.map((field) => field.path)).toContain(path);
    expect((await tickets.call(listTickets, asStaff(organization))).pagination).toEqual(before.pagination);
  });
  it('stores texts of maximum length', async () => {
    const { status, data } = await create({
      subject: '界'.repeat(255), description: '界'.repeat(100_000), customer_email: `${'a'.repeat(60)}@example.com`, customer_name: '界'.repeat(200),
      category: '界'.repeat(100), tags: Array.from({ length: 20 }, (_, i) => `${i}`.padEnd(50, 'x')),
    }); // prettier-ignore
    expect(status).toBe(201);
    expect((await read(data.id)).description).toHaveLength(100_000);
  });
  it('returns the stored response, and creates no second ticket, for a repeated idempotency key', async () => {
    const key = { 'idempotency-key': newId() };
    const first = await create({ subject: 'Once', customer_email: 'c@example.com' }, asStaff(organization), key);
    const again = await create({ subject: 'Once', customer_email: 'c@example.com' }, asStaff(organization), key);
    expect(again.status).toBe(201);
    expect(again.data.id).toBe(first.data.id);
  });
  it('stores the response of an idempotency key in the transaction that creates the ticket', async () => {
    const solo = await tickets.anOrganization();
    const { data } = await create({ subject: 'Once', customer_email: 'c@example.com' }, asStaff(solo), { 'idempotency-key': newId() });
    const writers = await tickets.db.forTenant({ organization_id: solo.id }, (tx) =>
      Promise.all([
        tx
          .selectFrom('tickets')
          .select(sql<string>`xmin::text`.as('writer'))
          .where('id', '=', data.id)
          .executeTakeFirst(),
        tx
          .selectFrom('idempotency_keys')
          .select(sql<string>`xmin::text`.as('writer'))
          .where('status', '=', 'done')
          .executeTakeFirst(),
      ]),
    );
    expect(writers).toEqual([{ writer: expect.any(String) }, writers[0]]);
  });
  it('changes a ticket once per idempotency key, even if a teammate has reverted it before the repeat', async () => {
    const { id } = await tickets.aTicket(organization);
    const key = { 'idempotency-key': newId() };
    const first = await update(id, { status: 'resolved' }, key);
    await update(id, { status: 'open' });
    const again = await update(id, { status: 'resolved' }, key);
    expect([first.status, again.status, again.data.version]).toEqual([200, 200, first.data.version]);
    expect((await read(id)).status).toBe('open');
  });
  it('numbers 64 concurrent tickets without gaps or duplicates', async () => {
    const busy = await tickets.anOrganization({ ticket_prefix: 'BSY' });
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, i) => create({ subject: `Ticket ${i}`, customer_email: 'c@example.com' }, asStaff(busy))),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(64).fill(201));
    expect(answers.map(({ data }) => data.ticket_number).sort()).toEqual(
      Array.from({ length: 64 }, (_, i) => `BSY-${String(i + 1).padStart(4, '0')}`),
    );
  });
  it('rolls back the number and the event if the transaction fails', async () => {
    const calm = await tickets.anOrganization({ ticket_prefix: 'CLM' });
    const events = (await tickets.events()).length;
    const { insertTicket } = await import('./ticket.store');
    const { emit } = await import('@tandem/messaging');
    const { ticketCreated } = await import('@tandem/contracts');
    const failing = tickets.db.forTenant({ organization_id: calm.id }, async (tx) => {
      const created = await insertTicket(
        tx,
        { ...ticketInput(), id: newId(), organization_id: calm.id, created_at: new Date().toISOString() },
        { actor_type: 'user', user_id: calm.agent, token: null },
      );
      await emit(tx, asStaff(calm), ticketCreated, created!.ticket.id, { ticket: created!.ticket });
      throw new Error('after the event');
    });
    await expect(failing).rejects.toThrow('after the event');
    expect((await tickets.events()).length).toBe(events);
    expect((await create({ subject: 'S', customer_email: 'c@example.com' }, asStaff(calm))).data.ticket_number).toBe('CLM-0001');
  });
  it('numbers tickets beyond 9,999', async () => {
    const old = await tickets.anOrganization({ ticket_prefix: 'OLD' });
    await tickets.db.forTenant({ organization_id: old.id }, (tx) =>
      tx.updateTable('ticket_counters').set({ last_number: 9_999 }).execute(),
    );
    expect((await tickets.aTicket(old)).ticket_number).toBe('OLD-10000');
  });
  it('waits for an organization that has not been projected yet, and uses its prefix', async () => {
    const { saveOrganization } = await import('../projection/identity-projection.store');
    const late: TestOrganization = { id: newId(), admin: newId(), manager: newId(), agent: newId() };
    const answer = create({ subject: 'Early bird', customer_email: 'c@example.com' }, asStaff(late));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await tickets.db.forTenant({ organization_id: late.id }, (tx) =>
      saveOrganization(tx, organizationOf(late.id, { ticket_prefix: 'LAT' }), 1),
    );
    expect((await answer).data.ticket_number).toBe('LAT-0001');
  });
  it('returns 503 with Retry-After, and writes nothing, if the organization is not projected in time', async () => {
    const unknown: TestOrganization = { id: newId(), admin: newId(), manager: newId(), agent: newId() };
    const { status, headers, data } = await create({ subject: 'S', customer_email: 'c@example.com' }, asStaff(unknown));
    expect([status, data.code]).toEqual([503, 'service.unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await tickets.call(listTickets, asStaff(unknown))).pagination.total).toBe(0);
  });
});

describe('read', () => {
  it('returns the ticket with its assignee and an ETag, and 304 for a matching If-None-Match', async () => {
    const { id } = await tickets.aTicket(organization);
    await update(id, { assigned_to: organization.manager });
    const { headers, data } = await tickets.call<Ticket>(readTicket, asStaff(organization), { params: { id } });
    expect(data.assignee).toEqual({ user_id: organization.manager, first_name: 'Ada', last_name: 'manager', email: 'manager@acme.test' });
    expect(headers.get('etag')).toBe('"v2"');
    expect((await tickets.call(readTicket, asStaff(organization), { params: { id }, headers: { 'if-none-match': '"v2"' } })).status).toBe(
      304,
    );
  });
});

describe('update', () => {
  it('changes the given fields only, and emits both values', async () => {
    const ticket = await tickets.aTicket(organization);
    const { status, data } = await update(ticket.id, {
      priority: 'urgent',
      description: 'Longer',
      tags: ['fire'],
      language: 'de',
      cc: ['Bob@example.com', 'bob@example.com'],
    });
    expect(status).toBe(200);
    const changed = { priority: 'urgent', description: 'Longer', tags: ['fire'], language: 'de', cc: ['bob@example.com'] };
    expect(data).toEqual({ ...ticket, ...changed, version: 2, updated_at: data.updated_at });
    const [, event] = await tickets.events(ticket.id);
    expect(event).toMatchObject({ type: 'ticket.updated', sequence: 2 });
    expect(event?.data).toEqual({
      ticket: data,
      changes: {
        priority: { from: 'medium', to: 'urgent' },
        description: { from: null, to: null },
        tags: { from: [], to: ['fire'] },
        language: { from: null, to: 'de' },
        cc: { from: [], to: ['bob@example.com'] },
      },
      with_reply: false,
    });
  });
  it('never has the customer in Cc, even after either changes', async () => {
    const [carla, bob, eve] = ['carla@example.com', 'bob@example.com', 'eve@example.com'];
    const { data: ticket } = await create({ subject: 'S', customer_email: carla, cc: ['Carla@example.com', bob] });
    expect(ticket.cc).toEqual([bob]);
    expect((await update(ticket.id, { cc: [carla, bob, eve] })).data.cc).toEqual([bob, eve]);
    expect((await update(ticket.id, { cc: [carla, bob, eve] })).data.version).toBe(2);
    expect((await update(ticket.id, { customer_email: bob })).data.cc).toEqual([eve]);
    expect((await update(ticket.id, { customer_email: eve, cc: [carla, eve] })).data.cc).toEqual([carla]);
  });
  it('sets resolved_at when resolved, keeps it when closed, clears it when open, and emits each event', async () => {
    const { id } = await tickets.aTicket(organization);
    const resolved = (await update(id, { status: 'resolved' })).data;
    expect(resolved.resolved_at).toBe(resolved.updated_at);
    expect((await update(id, { status: 'closed' })).data.resolved_at).toBe(resolved.resolved_at);
    expect((await update(id, { status: 'open' })).data.resolved_at).toBeNull();
    expect(await tickets.eventTypes(id)).toEqual(
      ['ticket.created', 'ticket.updated', 'ticket.resolved', 'ticket.updated', 'ticket.closed', 'ticket.updated', 'ticket.reopened'], // prettier-ignore
    );
  });
  it('emits an assignment with the previous assignee', async () => {
    const { id } = await tickets.aTicket(organization);
    await update(id, { assigned_to: organization.agent });
    await update(id, { assigned_to: organization.admin });
    await update(id, { assigned_to: null });
    const assigned = (await tickets.events(id)).filter(({ type }) => type === 'ticket.assigned');
    expect(assigned.map(({ data }) => [data.from, data.ticket.assignee.user_id])).toEqual([
      [null, organization.agent],
      [organization.agent, organization.admin],
    ]);
  });
  it('writes and emits nothing without a change', async () => {
    const ticket = await tickets.aTicket(organization);
    const { status, data } = await update(ticket.id, { status: 'open', subject: ` ${ticket.subject} `, tags: [] });
    expect([status, data]).toEqual([200, ticket]);
    expect(await tickets.eventTypes(ticket.id)).toEqual(['ticket.created']);
  });
  it('rejects an assignee who is not an active member', async () => {
    const { saveMember } = await import('../projection/identity-projection.store');
    const { aMember } = await import('../../test/tickets');
    const gone = newId();
    await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
      saveMember(tx, aMember(organization.id, gone, { is_active: false }), 1),
    );
    const ticket = await tickets.aTicket(organization);
    for (const assigned_to of [newId(), otherOrganization.agent, gone]) {
      const { status, data } = await update(ticket.id, { assigned_to, priority: 'low' });
      expect([status, data.code]).toEqual([422, 'assignee.not_a_member']);
    }
    expect(await read(ticket.id)).toEqual(ticket);
    expect(await tickets.eventTypes(ticket.id)).toEqual(['ticket.created']);
  });
  it.each([
    {},
    { status: 'done' },
    { subject: '' },
    { assigned_to: 'me' },
    { version: 7 },
    { resolved_at: null },
    { comment_count: 3 },
    { status: null },
    [],
    'x',
  ])('rejects %j', async (body) => {
    const { id } = await tickets.aTicket(organization);
    const { status } = await update(id, body);
    expect([400, 422]).toContain(status);
    expect(await tickets.eventTypes(id)).toEqual(['ticket.created']);
  });
  it('rejects If-Match of an older version', async () => {
    const { id } = await tickets.aTicket(organization);
    expect((await update(id, { priority: 'high' }, { 'if-match': '"v1"' })).status).toBe(200);
    const lost = await update(id, { priority: 'low' }, { 'if-match': '"v1"' });
    expect([lost.status, lost.data.code]).toEqual([412, 'ticket.changed']);
    expect((await read(id)).priority).toBe('high');
  });
  it('applies concurrent changes to different fields', async () => {
    const { id } = await tickets.aTicket(organization);
    const changes = {
      status: 'in_progress', priority: 'urgent', assigned_to: organization.agent, subject: 'New', description: 'New', category: 'New',
      tags: ['new'], customer_name: 'New', customer_email: 'new@example.com',
    }; // prettier-ignore
    const answers = await Promise.all(Object.entries(changes).map(([field, value]) => update(id, { [field]: value })));
    expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(200));
    expect(await read(id)).toMatchObject({ ...changes, version: 10, assignee: { user_id: organization.agent } });
    expect((await tickets.events(id)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });
  it('accepts exactly one of several concurrent changes with the same If-Match', async () => {
    const { id } = await tickets.aTicket(organization);
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => update(id, { subject: `Mine ${i}` }, { 'if-match': '"v1"' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412, 412, 412]);
  });
});
