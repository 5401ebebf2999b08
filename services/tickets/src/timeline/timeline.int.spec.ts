import {
  addComment,
  addPublicComment,
  createTicket,
  readTimeline,
  submitTicket,
  updateTicket,
  type Activity,
  type Context,
  type Role,
  type Ticket,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { actingToken } from '../caller';
import { asCustomer, asUserWithoutOrganization, asStaff, asToken, TicketsUnderTest, type TestOrganization } from '../../test/tickets';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
let otherOrganization: TestOrganization;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  organization = await tickets.anOrganization();
  otherOrganization = await tickets.anOrganization();
});
afterAll(() => tickets?.close());

const timeline = (id: string, query?: Record<string, string>, ctx = asStaff(organization)) =>
  tickets.call<Activity[]>(readTimeline, ctx, { params: { id }, query });
const update = (id: string, body: unknown, ctx: Context = asStaff(organization)) =>
  tickets.call<Ticket>(updateTicket, ctx, { params: { id }, body });

it('lists actor and changes, the latest first', async () => {
  const body = { subject: 'S', customer_email: 'c@example.com' };
  const { data: ticket } = await tickets.call<Ticket>(createTicket, asStaff(organization), { body });
  const { data: changed } = await update(
    ticket.id,
    { priority: 'urgent', tags: ['fire'], description: 'Secret' },
    asStaff(organization, 'admin'),
  );
  const token = asToken(organization, 'tickets:write');
  await update(ticket.id, { status: 'resolved' }, token);
  const { status, data, pagination } = await timeline(ticket.id);
  expect(status).toBe(200);
  expect(pagination).toEqual({ page: 1, limit: 20, total: 3, next_cursor: null });
  const common = { id: expect.any(String), ticket_id: ticket.id, token: null, rule: null, created_at: expect.any(String) };
  expect(data).toEqual([
    {
      ...common, kind: 'changed', actor_type: 'token', user_id: null, author: null, token: actingToken(token), changes: { status: { from: 'open', to: 'resolved' } },
    },
    {
      ...common, kind: 'changed', actor_type: 'user', user_id: organization.admin, author: { first_name: 'Ada', last_name: 'admin' }, created_at: changed.updated_at,
      changes: { priority: { from: 'medium', to: 'urgent' }, tags: { from: [], to: ['fire'] }, description: { from: null, to: null } },
    },
    { ...common, kind: 'created', actor_type: 'user', user_id: organization.agent, author: { first_name: 'Ada', last_name: 'agent' }, created_at: ticket.created_at, changes: {} },
  ]); // prettier-ignore
});
it('shows the customer as actor of the creation and of a status change by a reply', async () => {
  const body = { subject: 'S', customer_email: 'c@example.com' };
  const { data: ticket } = await tickets.call<Ticket>(submitTicket, asCustomer(organization.id), { body });
  await update(ticket.id, { status: 'waiting_for_customer' });
  await tickets.call(addPublicComment, asCustomer(organization.id), {
    params: { id: ticket.id },
    body: { email: 'c@example.com', content: 'Here' },
  });
  expect((await timeline(ticket.id)).data.map(({ kind, actor_type, changes }) => [kind, actor_type, changes])).toEqual([
    ['changed', 'customer', { status: { from: 'waiting_for_customer', to: 'open' } }],
    ['changed', 'user', { status: { from: 'open', to: 'waiting_for_customer' } }],
    ['created', 'customer', {}],
  ]);
});
it('has no entries for comments, changes without effect and rejected changes', async () => {
  const { id } = await tickets.aTicket(organization);
  await update(id, { status: 'open' });
  await update(id, { assigned_to: newId() });
  await tickets.call(addComment, asStaff(organization), { params: { id }, body: { content: 'x' } });
  expect((await timeline(id)).data.map(({ kind }) => kind)).toEqual(['created']);
});
it('has an entry for each concurrent change, in the order of versions', async () => {
  const { id } = await tickets.aTicket(organization);
  await Promise.all(Array.from({ length: 12 }, (_, i) => update(id, { category: `Category ${i}` })));
  const { data } = await timeline(id);
  expect(data).toHaveLength(13);
  const steps = data.slice(0, 12).reverse().map(({ changes }) => changes['category']!); // prettier-ignore
  // Each change starts from the value that the previous one set.
  expect(steps.map(({ from }) => from)).toEqual([null, ...steps.slice(0, 11).map(({ to }) => to)]);
});
it('pages by cursor without gaps while entries are added', async () => {
  const { id } = await tickets.aTicket(organization);
  for (let i = 1; i <= 4; i++) await update(id, { category: `${i}` });
  const first = await timeline(id, { limit: '2' });
  await update(id, { category: '5' });
  const second = await timeline(id, { limit: '2', cursor: first.pagination.next_cursor! });
  const third = await timeline(id, { limit: '2', cursor: second.pagination.next_cursor! });
  const seen = [...first.data, ...second.data, ...third.data].map(({ kind, changes }) => changes['category']?.to ?? kind);
  expect(seen).toEqual(['4', '3', '2', '1', 'created']);
  expect(third.pagination.next_cursor).toBeNull();
});
it('returns all scripts, emoji and right-to-left text unchanged', async () => {
  const { id } = await tickets.aTicket(organization);
  const subject = '<img src=x onerror=alert(1)> 👩‍👩‍👧 \u202Eمرحبا שלום\u202C "\\';
  await update(id, { subject, tags: [subject.slice(0, 50)] });
  expect((await timeline(id)).data[0]?.changes).toMatchObject({ subject: { to: subject }, tags: { to: [subject.slice(0, 50)] } });
});
it('has no entry if the transaction fails', async () => {
  const { writeTicket } = await import('../ticket/ticket.service');
  const { ticketInput } = await import('../../test/tickets');
  const id = newId();
  const failing = tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
    await writeTicket(tx, asStaff(organization), ticketInput(), new Date().toISOString(), id);
    throw new Error('after it');
  });
  await expect(failing).rejects.toThrow('after it');
  const left = tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx.selectFrom('activities').select('id').where('ticket_id', '=', id).execute(),
  );
  expect(await left).toEqual([]);
});
it.each([[{ limit: '0' }], [{ limit: '101' }], [{ cursor: 'x' }], [{ kind: 'changed' }]])('rejects %j', async (query) => {
  const { id } = await tickets.aTicket(organization);
  expect((await timeline(id, query)).status).toBe(422);
});
it('allows every role and a token with read permission to read, and no other caller', async () => {
  const { id } = await tickets.aTicket(organization);
  for (const role of ['admin', 'manager', 'agent'] satisfies Role[])
    expect((await timeline(id, {}, asStaff(organization, role))).status).toBe(200);
  expect((await timeline(id, {}, asToken(organization, 'tickets:read'))).status).toBe(200);
  for (const ctx of [asUserWithoutOrganization(), asToken(organization)]) expect((await timeline(id, {}, ctx)).status).toBe(403);
  expect((await timeline(id, {}, asCustomer(organization.id))).status).toBe(401);
});
it('returns not found for a ticket of another organization', async () => {
  const { id } = await tickets.aTicket(organization);
  for (const ticket of [id, newId()])
    expect((await timeline(ticket, {}, asStaff(otherOrganization))).data).toMatchObject({ code: 'ticket.not_found' });
});
