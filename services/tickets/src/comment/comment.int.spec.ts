import {
  addComment,
  listComments,
  readTicket,
  type Comment,
  type Context,
  type Role,
  type Ticket,
  type TokenPermission,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
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

const add = (id: string, body: unknown, ctx = asStaff(organization), headers?: Record<string, string>) =>
  tickets.call<Comment>(addComment, ctx, { params: { id }, body, headers });
const list = (id: string, query?: Record<string, string>, ctx = asStaff(organization)) =>
  tickets.call<Comment[]>(listComments, ctx, { params: { id }, query });

it('adds a reply by its author, counts it on the ticket and emits the event', async () => {
  const before = await tickets.aTicket(organization);
  const { status, data } = await add(before.id, { content: '  Hello  ' });
  expect(status).toBe(201);
  expect(data).toEqual({
    id: data.id, ticket_id: before.id, content: 'Hello', is_internal: false, is_from_customer: false, user_id: organization.agent, customer_email: null,
    author: { first_name: 'Ada', last_name: 'agent' }, mentions: [], attachments: [], has_original: false, email_proof: null, merged_from_id: null, tool_author: null, imported_author: null, token: null, rule: null,
    created_at: data.created_at,
  }); // prettier-ignore
  const { data: ticket } = await tickets.call<Ticket>(readTicket, asStaff(organization), { params: { id: before.id } });
  const answered = { first_response_at: data.created_at, first_response_time_hours: expect.any(Number) as number, public_reply_count: 1 };
  const counted = { comment_count: 1, last_comment_at: data.created_at };
  expect(ticket).toEqual({ ...before, ...answered, ...counted, version: 2, updated_at: data.created_at });
  const [, event, ...more] = await tickets.events(before.id);
  expect(more).toEqual([]);
  expect(event).toMatchObject({ type: 'ticket.comment.added', sequence: 2, data: { comment: data, ticket } });
});
it('marks an internal note in the response and in the event', async () => {
  const { id } = await tickets.aTicket(organization);
  expect((await add(id, { content: 'Between us', is_internal: true })).data.is_internal).toBe(true);
  const [, event] = await tickets.events(id);
  expect(event?.data['comment']).toMatchObject({ is_internal: true, content: 'Between us' });
});
it('keeps the status when staff comment', async () => {
  const { id } = await tickets.aTicket(organization);
  await add(id, { content: 'Hello' });
  expect((await tickets.call<Ticket>(readTicket, asStaff(organization), { params: { id } })).data.status).toBe('open');
});
it('counts every concurrent comment', async () => {
  const { id } = await tickets.aTicket(organization);
  await Promise.all(Array.from({ length: 16 }, (_, i) => add(id, { content: `Comment ${i}` })));
  expect((await tickets.call<Ticket>(readTicket, asStaff(organization), { params: { id } })).data.comment_count).toBe(16);
  expect((await list(id)).pagination.total).toBe(16);
});
it('writes one comment per idempotency key', async () => {
  const { id } = await tickets.aTicket(organization);
  const key = { 'idempotency-key': newId() };
  const answers = [
    await add(id, { content: 'Once' }, asStaff(organization), key),
    await add(id, { content: 'Once' }, asStaff(organization), key),
  ];
  expect(answers[0]?.data.id).toBe(answers[1]?.data.id);
  expect((await list(id)).data).toHaveLength(1);
});
it('lists oldest first, by page and by cursor, without gaps while comments are added', async () => {
  const { id } = await tickets.aTicket(organization);
  for (let i = 0; i < 5; i++) await add(id, { content: `${i}`, is_internal: i % 2 === 0 });
  const first = await list(id, { limit: '2' });
  expect(first.data.map(({ content }) => content)).toEqual(['0', '1']);
  expect(first.pagination).toMatchObject({ page: 1, limit: 2, total: 5 });
  await add(id, { content: '5' });
  const second = await list(id, { limit: '2', cursor: first.pagination.next_cursor! });
  expect(second.data.map(({ content }) => content)).toEqual(['2', '3']);
  expect((await list(id, { limit: '2', page: '2' })).data).toEqual(second.data);
  const third = await list(id, { limit: '2', cursor: second.pagination.next_cursor! });
  expect(third.data.map(({ content }) => content)).toEqual(['4', '5']);
  expect(third.pagination.next_cursor).toBeNull();
});
it.each([
  {},
  { content: ' \n ' },
  { content: null },
  { content: 'x'.repeat(100_001) },
  { content: 'x', is_internal: 'yes' },
  { content: 'x', is_from_customer: true },
])('%# rejects an invalid comment and writes nothing', async (body) => {
  const { id } = await tickets.aTicket(organization);
  const { status, data } = await add(id, body);
  expect([status, data.code]).toEqual([422, 'request.invalid']);
  expect((await list(id)).data).toEqual([]);
  expect(await tickets.eventTypes(id)).toEqual(['ticket.created']);
});
it('allows every role to read and write, and no other caller', async () => {
  const { id } = await tickets.aTicket(organization);
  for (const role of ['admin', 'manager', 'agent'] satisfies Role[]) {
    expect((await add(id, { content: role }, asStaff(organization, role))).status).toBe(201);
    expect((await list(id, {}, asStaff(organization, role))).status).toBe(200);
  }
  for (const ctx of [asCustomer(organization.id), asUserWithoutOrganization(), asToken(organization)]) {
    expect((await add(id, { content: 'x' }, ctx)).status).toBe(ctx.actor.type === 'customer' ? 401 : 403);
    expect((await list(id, {}, ctx)).status).toBe(ctx.actor.type === 'customer' ? 401 : 403);
  }
  expect((await list(id)).data).toHaveLength(3);
});
it('returns not found for a ticket of another organization', async () => {
  const { id } = await tickets.aTicket(organization);
  await add(id, { content: 'Ours' });
  for (const ticket of [id, newId()]) {
    expect((await add(ticket, { content: 'x' }, asStaff(otherOrganization))).data.code).toBe('ticket.not_found');
    expect((await list(ticket, {}, asStaff(otherOrganization))).data).toMatchObject({ code: 'ticket.not_found' });
  }
  expect((await list(id)).data).toHaveLength(1);
});

it('refuses a reply by an assistant’s token without tickets:send, whichever way it calls, but not a note', async () => {
  const { id } = await tickets.aTicket(organization);
  for (const via of ['api', 'mcp'] as const) {
    const token = (...more: TokenPermission[]) => {
      const ctx = asToken(organization, 'tickets:read', 'tickets:write', 'mcp', ...more);
      return { ...ctx, actor: { ...ctx.actor, via } } as Context;
    };
    expect(await add(id, { content: 'Dear Carla' }, token())).toMatchObject({ status: 403, data: { code: 'token.permission_missing' } });
    expect((await add(id, { content: 'A note', is_internal: true }, token())).status).toBe(201);
    const sent = await add(id, { content: 'Dear Carla' }, token('tickets:send'));
    expect([sent.status, sent.data.token]).toEqual([201, expect.objectContaining({ via })]);
  }
  expect((await add(id, { content: 'By an importer' }, asToken(organization, 'tickets:write'))).status).toBe(201);
});
