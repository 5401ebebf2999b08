import {
  addComment,
  listComments,
  readTicket,
  readTimeline,
  updateTicket,
  type Activity,
  type Comment,
  type Ticket,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { sql } from 'kysely';
import { aMember, asCustomer, asStaff, asToken, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { saveMember } from '../projection/identity-projection.store';
import { writeComment } from './comment.service';
import { getTicketForUpdate } from '../ticket/ticket.service';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
let otherOrganization: TestOrganization;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  organization = await tickets.anOrganization();
  otherOrganization = await tickets.anOrganization();
});
afterAll(() => tickets?.close());

const add = (id: string, body: object, ctx = asStaff(organization)) =>
  tickets.call<Comment>(addComment, ctx, { params: { id }, body: { content: 'x', ...body } });
const list = (id: string, query?: Record<string, string>) =>
  tickets.call<Comment[]>(listComments, asStaff(organization), { params: { id }, query });
const read = async (id: string) => (await tickets.call<Ticket>(readTicket, asStaff(organization), { params: { id } })).data;
const byCustomer = (id: string) =>
  tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
    const input = { content: 'From the customer', is_internal: false, author: { customer_email: 'carla@example.com' } };
    const ticket = await getTicketForUpdate(tx, id);
    return (await writeComment(tx, asCustomer(organization.id), ticket, input, new Date().toISOString())).comment;
  });
/** Expects that the request was refused with this code and field, and changed nothing. */
async function expectRefused(ticket: Ticket, answer: Awaited<ReturnType<typeof add>>, code: string, path?: string) {
  expect([answer.data.code, answer.data.errors?.[0]?.path]).toEqual([code, path]);
  expect(await read(ticket.id)).toEqual(ticket);
  expect((await list(ticket.id)).data).toEqual([]);
  expect(await tickets.eventTypes(ticket.id)).toEqual(['ticket.created']);
}

describe('mentions', () => {
  it('adds colleagues as watchers once, but not the author', async () => {
    const { id } = await tickets.aTicket(organization);
    const mentions = [organization.manager, organization.agent, organization.admin, organization.manager];
    const { status, data } = await add(id, { mentions, is_internal: true });
    expect([status, data.mentions]).toEqual([201, [organization.manager, organization.agent, organization.admin]]);
    expect(await read(id)).toMatchObject({ watchers: [organization.manager, organization.admin], version: 2 });
    const [, written, updated] = await tickets.events(id);
    expect(written?.data).toMatchObject({
      comment: { mentions: data.mentions },
      ticket: { watchers: [organization.manager, organization.admin] },
    });
    expect(updated?.data.changes).toEqual({ watchers: { from: [], to: [organization.manager, organization.admin] } });
    await add(id, { mentions: [organization.manager] });
    expect(await tickets.eventTypes(id)).toEqual(['ticket.created', 'ticket.comment.added', 'ticket.updated', 'ticket.comment.added']);
  });
  it('must be active members of the organization, or the comment is rejected', async () => {
    const gone = newId();
    await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
      saveMember(tx, aMember(organization.id, gone, { is_active: false }), 1),
    );
    const ticket = await tickets.aTicket(organization);
    for (const stranger of [newId(), otherOrganization.agent, gone])
      await expectRefused(
        ticket,
        await add(ticket.id, { mentions: [organization.manager, stranger] }),
        'assignee.not_a_member',
        'mentions.1',
      );
    await expectRefused(ticket, await add(ticket.id, { mentions: ['@ada'] }), 'request.invalid', 'mentions.0');
    await expectRefused(ticket, await add(ticket.id, { mentions: Array.from({ length: 21 }, newId) }), 'request.invalid', 'mentions');
  });
});

describe('changes', () => {
  it('are saved in the same version as the comment, and emitted after it', async () => {
    const { id } = await tickets.aTicket(organization);
    const changes = { status: 'resolved', priority: 'low', assigned_to: organization.manager, tags: ['done'] };
    const { status, data } = await add(id, { content: 'Solved', changes });
    expect(status).toBe(201);
    const ticket = await read(id);
    expect(ticket).toMatchObject({ ...changes, version: 2, comment_count: 1, resolved_at: data.created_at, updated_at: data.created_at });
    const events = await tickets.events(id);
    expect(events.map(({ type }) => type)).toEqual([
      'ticket.created',
      'ticket.comment.added',
      'ticket.updated',
      'ticket.assigned',
      'ticket.resolved',
    ]);
    const step = {
      status: { from: 'open', to: 'resolved' },
      priority: { from: 'medium', to: 'low' },
      assigned_to: { from: null, to: organization.manager },
      tags: { from: [], to: ['done'] },
    };
    expect([events[1]?.data.ticket, events[2]?.data]).toEqual([ticket, { ticket, changes: step, with_reply: true }]);
    const { data: lines } = await tickets.call<Activity[]>(readTimeline, asStaff(organization), { params: { id } });
    expect(lines[0]).toMatchObject({ kind: 'changed', user_id: organization.agent, changes: step, created_at: data.created_at });
  });
  it('without effect emit no event', async () => {
    const { id } = await tickets.aTicket(organization);
    expect((await add(id, { changes: { status: 'open', tags: [] } })).status).toBe(201);
    expect(await tickets.eventTypes(id)).toEqual(['ticket.created', 'ticket.comment.added']);
  });
  it('that are rejected roll the comment back', async () => {
    const ticket = await tickets.aTicket(organization);
    const assigned = await add(ticket.id, { changes: { assigned_to: otherOrganization.agent, status: 'closed' } });
    await expectRefused(ticket, assigned, 'assignee.not_a_member', 'changes.assigned_to');
    await expectRefused(ticket, await add(ticket.id, { changes: { status: 'done' } }), 'request.invalid', 'changes.status');
    await expectRefused(ticket, await add(ticket.id, { changes: { subject: 'x' } }), 'request.invalid', 'changes.subject');
  });
  it('do not overwrite concurrent changes', async () => {
    const { id } = await tickets.aTicket(organization);
    const patch = (body: object) => tickets.call(updateTicket, asStaff(organization), { params: { id }, body });
    await Promise.all([add(id, { changes: { status: 'resolved' } }), patch({ priority: 'high' }), add(id, { changes: { tags: ['a'] } })]);
    expect(await read(id)).toMatchObject({ status: 'resolved', priority: 'high', tags: ['a'], comment_count: 2, version: 4 });
  });
});

describe('the check for an outdated conversation', () => {
  it('rejects a reply if another author has commented since, and changes nothing', async () => {
    const { id } = await tickets.aTicket(organization);
    const { data: first } = await add(id, {}, asStaff(organization, 'admin'));
    await add(id, { is_internal: true }, asStaff(organization, 'manager'));
    const before = [await read(id), await tickets.eventTypes(id)];
    for (const last_seen_comment_id of [first.id, null, newId()]) {
      const { status, data } = await add(id, { last_seen_comment_id, changes: { status: 'closed' } });
      expect([status, data.code]).toEqual([409, 'comment.outdated']);
    }
    expect([await read(id), await tickets.eventTypes(id)]).toEqual(before);
    const newest = (await list(id, { order: 'desc', limit: '1' })).data[0]!;
    expect((await add(id, { last_seen_comment_id: newest.id })).status).toBe(201);
  });
  it('accepts a reply from an author who has seen or written all newer comments, or sends no last seen comment', async () => {
    const { id } = await tickets.aTicket(organization);
    expect((await add(id, { last_seen_comment_id: null })).status).toBe(201);
    expect((await add(id, { last_seen_comment_id: null })).status).toBe(201);
    expect((await add(id, {}, asStaff(organization, 'admin'))).status).toBe(201);
  });
  it('treats customers and API tokens as other authors, and every author as another one for a token', async () => {
    const { id } = await tickets.aTicket(organization);
    const { data: own } = await add(id, {});
    const customers = await byCustomer(id);
    expect((await add(id, { last_seen_comment_id: own.id })).data.code).toBe('comment.outdated');
    const { data: tokens } = await add(id, { last_seen_comment_id: customers.id }, asToken(organization, 'tickets:write'));
    expect(tokens).toMatchObject({ user_id: null, author: null, is_from_customer: false });
    expect((await add(id, { last_seen_comment_id: customers.id })).data.code).toBe('comment.outdated');
    expect((await add(id, { last_seen_comment_id: customers.id }, asToken(organization, 'tickets:write'))).data.code).toBe(
      'comment.outdated',
    );
    expect((await add(id, { last_seen_comment_id: tokens.id }, asToken(organization, 'tickets:write'))).status).toBe(201);
  });
  it('rejects exactly one of two concurrent replies', async () => {
    for (let round = 0; round < 8; round++) {
      const { id } = await tickets.aTicket(organization);
      const seen = await byCustomer(id);
      const answers = await Promise.all(
        (['agent', 'admin'] as const).map((role) => add(id, { last_seen_comment_id: seen.id }, asStaff(organization, role))),
      );
      expect(answers.map(({ status, data }) => [status, data.code]).sort()).toEqual([
        [201, undefined],
        [409, 'comment.outdated'],
      ]);
      expect((await read(id)).comment_count).toBe(2);
    }
  });
  it('detects a comment whose author’s clock was behind', async () => {
    const { id } = await tickets.aTicket(organization);
    const ahead = new Date(Date.now() + 600_000).toISOString();
    const write = (user_id: string, now: string) =>
      tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
        const input = { content: 'x', is_internal: false, author: { user_id } };
        return (await writeComment(tx, asStaff(organization), await getTicketForUpdate(tx, id), input, now)).comment;
      });
    const seen = await write(organization.admin, ahead);
    await write(organization.manager, new Date().toISOString());
    expect((await add(id, { last_seen_comment_id: seen.id })).data.code).toBe('comment.outdated');
    expect((await list(id)).data.map(({ user_id }) => user_id)).toEqual([organization.admin, organization.manager]);
  });
});

describe('the list of comments', () => {
  it('pages from the end without gaps while comments are added', async () => {
    const { id } = await tickets.aTicket(organization);
    for (let i = 0; i < 5; i++) await add(id, { content: `${i}` });
    const first = await list(id, { order: 'desc', limit: '2' });
    expect(first.pagination).toMatchObject({ page: 1, limit: 2, total: 5 });
    await add(id, { content: '5' });
    const second = await list(id, { order: 'desc', limit: '2', cursor: first.pagination.next_cursor! });
    const third = await list(id, { order: 'desc', limit: '2', cursor: second.pagination.next_cursor! });
    expect([first, second, third].map(({ data }) => data.map(({ content }) => content))).toEqual([['4', '3'], ['2', '1'], ['0']]);
    expect(third.pagination.next_cursor).toBeNull();
    expect((await list(id, { order: 'sideways' })).data).toMatchObject({ code: 'request.invalid', errors: [{ path: 'order' }] });
  });
  it('returns all scripts, emoji and right-to-left text unchanged', async () => {
    const { id } = await tickets.aTicket(organization);
    const texts = [
      '<script>alert(1)</script><a href="javascript:x">',
      '👩‍👩‍👧 🏳️‍🌈 e\u0301 \u{10FFFD}',
      '\u202Eمرحبا שלום\u202C',
      '{{x}} %_\\\'"`\t\r\n.',
    ];
    for (const content of texts) expect((await add(id, { content, is_internal: true })).data.content).toBe(content);
    expect((await list(id)).data.map(({ content }) => content)).toEqual(texts);
  });
  it('shows the start, the middle and the end of 10,000 comments', async () => {
    const { id } = await tickets.aTicket(organization);
    await tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
      await sql`insert into comments (organization_id, id, ticket_id, content, is_internal, is_from_customer, user_id, created_at)
        select ${organization.id}, gen_random_uuid(), ${id}, 'Comment ' || i, false, false, ${organization.agent}, timestamptz '2026-01-01' + i * interval '1 minute'
        from generate_series(1, 10000) i`.execute(tx);
      await tx.updateTable('tickets').set({ comment_count: 10_000 }).where('id', '=', id).execute();
    });
    const last = await list(id, { order: 'desc', limit: '50' });
    expect(last.data.map(({ content }) => content)).toEqual(Array.from({ length: 50 }, (_, i) => `Comment ${10_000 - i}`));
    expect(last.pagination.total).toBe(10_000);
    const middle = (await list(id, { order: 'desc', limit: '50', page: '100' })).pagination.next_cursor!;
    expect((await list(id, { order: 'desc', limit: '1', cursor: middle })).data[0]?.content).toBe('Comment 5000');
    expect((await list(id, { order: 'asc', limit: '1' })).data[0]?.content).toBe('Comment 1');
  });
});
