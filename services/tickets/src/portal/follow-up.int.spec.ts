import {
  addPublicComment,
  addWidgetComment,
  createSlaPolicy,
  listTickets,
  mergeTicket,
  readPublicTicket,
  readTicket,
  readTicketSla,
  readTimeline,
  readWidgetTicket,
  updateTicket,
  type Activity,
  type AddedPublicComment,
  type CustomerFollowUp,
  type PublicTicket,
  type Ticket,
  type TicketSla,
  type TicketSummary,
} from '@tandem/contracts';
import { asCustomer, asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';

let tickets: TicketsUnderTest;
const organizations = {} as Record<CustomerFollowUp, TestOrganization>;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  for (const customer_follow_up of ['locked', 'reopen', 'new_ticket'] as const) {
    organizations[customer_follow_up] = await tickets.anOrganization();
    await tickets.changeSettings(organizations[customer_follow_up], { customer_follow_up });
  }
});
afterAll(() => tickets?.close());

const email = 'carla@example.com';
const operations = { portal: [readPublicTicket, addPublicComment], widget: [readWidgetTicket, addWidgetComment] } as const;
type Channel = keyof typeof operations;
const key = (channel: Channel) => (channel === 'widget' ? { organization: 'acme' } : undefined);
const read = async (organization: TestOrganization, id: string, channel: Channel = 'portal') =>
  (
    await tickets.call<PublicTicket>(operations[channel][0], asCustomer(organization.id), {
      params: { id },
      query: { email, ...key(channel) },
    })
  ).data;
const postComment = (organization: TestOrganization, id: string, body: object = {}, channel: Channel = 'portal') =>
  tickets.call<AddedPublicComment>(operations[channel][1], asCustomer(organization.id), {
    params: { id },
    query: key(channel),
    body: { email, content: 'It burns again', ...body },
  });
const change = (organization: TestOrganization, id: string, body: object) =>
  tickets.call<Ticket>(updateTicket, asStaff(organization), { params: { id }, body });
const whole = async (organization: TestOrganization, id: string) =>
  (await tickets.call<Ticket>(readTicket, asStaff(organization), { params: { id } })).data;
async function over(
  organization: TestOrganization,
  status: string,
  overrides: Parameters<TicketsUnderTest['aTicket']>[1] = {},
): Promise<Ticket> {
  const { id } = await tickets.aTicket(organization, overrides);
  return (await change(organization, id, { status })).data;
}
const both = (['portal', 'widget'] as const).flatMap((channel) => ['resolved', 'closed'].map((status) => [channel, status] as const));

describe('locked', () => {
  it.each(both)('rejects messages through the %s when the ticket is %s', async (channel, status) => {
    const organization = organizations.locked;
    const { id } = await over(organization, status);
    const events = await tickets.eventTypes(id);
    expect((await read(organization, id, channel)).writing).toBe('locked');
    const answer = await postComment(organization, id, {}, channel);
    expect([answer.status, answer.data.code]).toEqual([423, 'ticket.locked']);
    expect([(await read(organization, id, channel)).comments, await tickets.eventTypes(id)]).toEqual([[], events]);
  });
  it('leaves the file of a rejected message unused', async () => {
    const organization = organizations.locked;
    const { id } = await over(organization, 'closed');
    const file = await tickets.aFile(asCustomer(organization.id));
    expect((await postComment(organization, id, { attachment_ids: [file.id] })).status).toBe(423);
    const open = await tickets.aTicket(organization);
    expect((await postComment(organization, open.id, { attachment_ids: [file.id] })).status).toBe(201);
  });
});

describe('reopen', () => {
  it.each(both)('reopens the ticket with a message through the %s when it is %s', async (channel, status) => {
    const organization = organizations.reopen;
    const { id, version } = await over(organization, status);
    expect((await read(organization, id, channel)).writing).toBe('reopen');
    const answer = await postComment(organization, id, {}, channel);
    expect([answer.status, answer.data]).toMatchObject([201, { comment: { content: 'It burns again' }, new_ticket: null }]);
    const ticket = await whole(organization, id);
    expect(ticket).toMatchObject({ status: 'open', resolved_at: null, comment_count: 1, version: version + 1 });
    expect((await read(organization, id, channel)).writing).toBe('comment');
    const events = (await tickets.events(id)).slice(-3);
    expect(events.map(({ type, actor }) => [type, actor.type])).toEqual(
      ['ticket.comment.added', 'ticket.updated', 'ticket.reopened'].map((type) => [type, 'customer']),
    );
    const { data: lines } = await tickets.call<Activity[]>(readTimeline, asStaff(organization), { params: { id } });
    expect(lines).toContainEqual(
      expect.objectContaining({ kind: 'changed', user_id: null, changes: { status: { from: status, to: 'open' } } }),
    );
  });
  it('resumes the timers with the original due times, which can be missed', async () => {
    const organization = await tickets.anOrganization();
    await tickets.changeSettings(organization, { customer_follow_up: 'reopen' });
    const body = { name: 'Standard', priority_level: 'medium', response_time_hours: 4, resolution_time_hours: 24 };
    await tickets.call(createSlaPolicy, asStaff(organization, 'admin'), { body });
    const { id, resolution_due_at } = await tickets.aTicket(organization);
    const stopped = (await change(organization, id, { status: 'resolved' })).data;
    expect([stopped.next_due_at, resolution_due_at]).toEqual([null, expect.any(String)]);
    await postComment(organization, id);
    const ticket = await whole(organization, id);
    expect(ticket).toMatchObject({ resolution_due_at, next_due_at: ticket.response_due_at, sla_paused_since: null });
    const { data } = await tickets.call<TicketSla>(readTicketSla, asStaff(organization), { params: { id } });
    expect(data.clocks.map(({ clock, state, met_at }) => [clock, state, met_at])).toEqual([
      ['response', 'running', null],
      ['resolution', 'running', null],
    ]);
    const checked = await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.selectFrom('sla_clocks').select(['stopped_at', 'check_at']).where('ticket_id', '=', id).executeTakeFirstOrThrow(),
    );
    expect(checked).toEqual({ stopped_at: null, check_at: expect.any(String) });
  });
  it('accepts two concurrent messages and reopens the ticket once', async () => {
    const organization = organizations.reopen;
    const { id } = await over(organization, 'resolved');
    const answers = await Promise.all(['one', 'two', 'three'].map((content) => postComment(organization, id, { content })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const types = await tickets.eventTypes(id);
    expect([types.filter((type) => type === 'ticket.comment.added'), types.filter((type) => type === 'ticket.reopened')]).toEqual([
      Array(3).fill('ticket.comment.added'),
      ['ticket.reopened'],
    ]);
    expect((await read(organization, id)).comments.map(({ content }) => content).sort()).toEqual(['one', 'three', 'two']);
  });
  it('does not reopen a merged ticket', async () => {
    const organization = organizations.reopen;
    const [source, target] = [await tickets.aTicket(organization), await over(organization, 'resolved')];
    await tickets.call(mergeTicket, asStaff(organization), { params: { id: source.id }, body: { into_id: target.id } });
    expect(await read(organization, source.id)).toMatchObject({ writing: 'locked', merged_into: { id: target.id } });
    expect((await postComment(organization, source.id)).data.code).toBe('ticket.locked');
    expect((await whole(organization, source.id)).status).toBe('closed');
  });
});

describe('new_ticket', () => {
  const newOf = async (organization: TestOrganization) =>
    (await tickets.call<TicketSummary[]>(listTickets, asStaff(organization), { query: { limit: '100' } })).data;

  it.each(both)('opens a follow-up ticket for a message through the %s when the ticket is %s', async (channel, status) => {
    const organization = organizations.new_ticket;
    const before = await over(organization, status, { category: 'Fires', tags: ['hot'] });
    expect((await read(organization, before.id, channel)).writing).toBe('new_ticket');
    const answer = await postComment(organization, before.id, {}, channel);
    expect([answer.status, answer.data.comment]).toEqual([201, null]);
    const { id, ticket_number } = answer.data.new_ticket!;
    expect(await whole(organization, id)).toMatchObject({
      ticket_number,
      subject: before.subject,
      description: 'It burns again',
      category: 'Fires',
      tags: [],
      status: 'open',
      customer_email: email,
      customer_name: 'Carla',
      channel,
      follow_up_of_id: before.id,
      comment_count: 0,
    });
    expect(await read(organization, id, channel)).toMatchObject({
      follow_up_of: { id: before.id, ticket_number: before.ticket_number },
      writing: 'comment',
    });
    expect(await whole(organization, before.id)).toEqual(before);
    expect(await tickets.events(id)).toMatchObject([{ type: 'ticket.created', actor: { type: 'customer' } }]);
  });
  it('attaches the files to the description of the follow-up ticket', async () => {
    const organization = organizations.new_ticket;
    const before = await over(organization, 'closed');
    const file = await tickets.aFile(asCustomer(organization.id));
    const { data } = await postComment(organization, before.id, { attachment_ids: [file.id] });
    expect((await read(organization, data.new_ticket!.id)).attachments).toEqual([file]);
    expect((await read(organization, before.id)).attachments).toEqual([]);
  });
  it('opens no ticket if a file cannot be attached', async () => {
    const organization = organizations.new_ticket;
    const before = await over(organization, 'closed');
    const known = await newOf(organization);
    const file = await tickets.aFile(asStaff(organization));
    const { status, data } = await postComment(organization, before.id, { attachment_ids: [file.id] });
    expect([status, data.code, data.errors?.[0]?.path]).toEqual([422, 'attachment.not_usable', 'attachment_ids.0']);
    expect(await newOf(organization)).toEqual(known);
  });
  it('opens one ticket per concurrent message', async () => {
    const organization = await tickets.anOrganization();
    await tickets.changeSettings(organization, { customer_follow_up: 'new_ticket' });
    const before = await over(organization, 'closed');
    const words = ['one', 'two', 'three', 'four'];
    const answers = await Promise.all(words.map((content) => postComment(organization, before.id, { content })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const opened = await Promise.all(answers.map(({ data }) => whole(organization, data.new_ticket!.id)));
    expect(opened.map(({ description }) => description)).toEqual(words);
    expect(new Set(opened.map(({ ticket_number }) => ticket_number)).size).toBe(4);
    expect(opened.every(({ follow_up_of_id }) => follow_up_of_id === before.id)).toBe(true);
  });
  it('opens one ticket for two messages with one idempotency key', async () => {
    const organization = organizations.new_ticket;
    const { id } = await over(organization, 'closed');
    const send = () =>
      tickets.call<AddedPublicComment>(addPublicComment, asCustomer(organization.id), {
        params: { id },
        body: { email, content: 'Once' },
        headers: { 'idempotency-key': `follow-up-${id}` },
      });
    const first = await send();
    expect((await send()).data).toEqual(first.data);
    expect((await newOf(organization)).filter(({ description_preview }) => description_preview === 'Once')).toHaveLength(1);
  });
  it('does not follow up a merged ticket', async () => {
    const organization = organizations.new_ticket;
    const [source, target] = [await tickets.aTicket(organization), await tickets.aTicket(organization)];
    await tickets.call(mergeTicket, asStaff(organization), { params: { id: source.id }, body: { into_id: target.id } });
    const known = await newOf(organization);
    expect(await read(organization, source.id)).toMatchObject({ writing: 'locked', merged_into: { id: target.id } });
    expect((await postComment(organization, source.id)).data.code).toBe('ticket.locked');
    expect(await newOf(organization)).toEqual(known);
  });
});

it.each(['open', 'in_progress', 'waiting_for_customer'])('adds a comment while the ticket is %s, with any setting', async (status) => {
  for (const organization of Object.values(organizations)) {
    const { id } = await tickets.aTicket(organization);
    await change(organization, id, status === 'open' ? { priority: 'high' } : { status });
    expect((await read(organization, id)).writing).toBe('comment');
    expect((await postComment(organization, id)).data).toMatchObject({ comment: { content: 'It burns again' }, new_ticket: null });
    expect((await whole(organization, id)).status).toBe(status === 'in_progress' ? 'in_progress' : 'open');
  }
});
