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
import { asCustomer, asStaff, TicketsUnderTest, type Place } from '../../test/tickets';

let tickets: TicketsUnderTest;
const places = {} as Record<CustomerFollowUp, Place>;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  for (const customer_follow_up of ['locked', 'reopen', 'new_ticket'] as const) {
    places[customer_follow_up] = await tickets.aPlace();
    await tickets.settle(places[customer_follow_up], { customer_follow_up });
  }
});
afterAll(() => tickets?.close());

const email = 'carla@example.com';
const doors = { portal: [readPublicTicket, addPublicComment], widget: [readWidgetTicket, addWidgetComment] } as const;
type Door = keyof typeof doors;
const key = (door: Door) => (door === 'widget' ? { organization: 'acme' } : undefined);
const read = async (place: Place, id: string, door: Door = 'portal') =>
  (await tickets.call<PublicTicket>(doors[door][0], asCustomer(place.id), { params: { id }, query: { email, ...key(door) } })).data;
const say = (place: Place, id: string, body: object = {}, door: Door = 'portal') =>
  tickets.call<AddedPublicComment>(doors[door][1], asCustomer(place.id), {
    params: { id },
    query: key(door),
    body: { email, content: 'It burns again', ...body },
  });
const change = (place: Place, id: string, body: object) => tickets.call<Ticket>(updateTicket, asStaff(place), { params: { id }, body });
const whole = async (place: Place, id: string) => (await tickets.call<Ticket>(readTicket, asStaff(place), { params: { id } })).data;
async function over(place: Place, status: string, overrides: Parameters<TicketsUnderTest['aTicket']>[1] = {}): Promise<Ticket> {
  const { id } = await tickets.aTicket(place, overrides);
  return (await change(place, id, { status })).data;
}
const both = (['portal', 'widget'] as const).flatMap((door) => ['resolved', 'closed'].map((status) => [door, status] as const));

describe('locked', () => {
  it.each(both)('takes nothing through the %s once the ticket is %s', async (door, status) => {
    const place = places.locked;
    const { id } = await over(place, status);
    const events = await tickets.eventTypes(id);
    expect((await read(place, id, door)).writing).toBe('locked');
    const answer = await say(place, id, {}, door);
    expect([answer.status, answer.data.code]).toEqual([423, 'ticket.locked']);
    expect([(await read(place, id, door)).comments, await tickets.eventTypes(id)]).toEqual([[], events]);
  });
  it('is what a file meets too: it stays unused', async () => {
    const place = places.locked;
    const { id } = await over(place, 'closed');
    const file = await tickets.aFile(asCustomer(place.id));
    expect((await say(place, id, { attachment_ids: [file.id] })).status).toBe(423);
    const open = await tickets.aTicket(place);
    expect((await say(place, open.id, { attachment_ids: [file.id] })).status).toBe(201);
  });
});

describe('reopen', () => {
  it.each(both)('opens the ticket again with what was written through the %s once it is %s', async (door, status) => {
    const place = places.reopen;
    const { id, version } = await over(place, status);
    expect((await read(place, id, door)).writing).toBe('reopen');
    const answer = await say(place, id, {}, door);
    expect([answer.status, answer.data]).toMatchObject([201, { comment: { content: 'It burns again' }, new_ticket: null }]);
    const ticket = await whole(place, id);
    expect(ticket).toMatchObject({ status: 'open', resolved_at: null, comment_count: 1, version: version + 1 });
    expect((await read(place, id, door)).writing).toBe('comment');
    const events = (await tickets.events(id)).slice(-3);
    expect(events.map(({ type, actor }) => [type, actor.type])).toEqual(
      ['ticket.comment.added', 'ticket.updated', 'ticket.reopened'].map((type) => [type, 'customer']),
    );
    const { data: lines } = await tickets.call<Activity[]>(readTimeline, asStaff(place), { params: { id } });
    expect(lines).toContainEqual(
      expect.objectContaining({ kind: 'changed', user_id: null, changes: { status: { from: status, to: 'open' } } }),
    );
  });
  it('makes the clocks run again: the due time that was set stands, and what it misses is missed', async () => {
    const place = await tickets.aPlace();
    await tickets.settle(place, { customer_follow_up: 'reopen' });
    const body = { name: 'Standard', priority_level: 'medium', response_time_hours: 4, resolution_time_hours: 24 };
    await tickets.call(createSlaPolicy, asStaff(place, 'admin'), { body });
    const { id, resolution_due_at } = await tickets.aTicket(place);
    const stopped = (await change(place, id, { status: 'resolved' })).data;
    expect([stopped.next_due_at, resolution_due_at]).toEqual([null, expect.any(String)]);
    await say(place, id);
    const ticket = await whole(place, id);
    expect(ticket).toMatchObject({ resolution_due_at, next_due_at: ticket.response_due_at, sla_paused_since: null });
    const { data } = await tickets.call<TicketSla>(readTicketSla, asStaff(place), { params: { id } });
    expect(data.clocks.map(({ clock, state, met_at }) => [clock, state, met_at])).toEqual([
      ['response', 'running', null],
      ['resolution', 'running', null],
    ]);
    const checked = await tickets.db.forTenant({ organization_id: place.id }, (tx) =>
      tx.selectFrom('sla_clocks').select(['stopped_at', 'check_at']).where('ticket_id', '=', id).executeTakeFirstOrThrow(),
    );
    expect(checked).toEqual({ stopped_at: null, check_at: expect.any(String) });
  });
  it('takes two at once, and opens it once', async () => {
    const place = places.reopen;
    const { id } = await over(place, 'resolved');
    const answers = await Promise.all(['one', 'two', 'three'].map((content) => say(place, id, { content })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const types = await tickets.eventTypes(id);
    expect([types.filter((type) => type === 'ticket.comment.added'), types.filter((type) => type === 'ticket.reopened')]).toEqual([
      Array(3).fill('ticket.comment.added'),
      ['ticket.reopened'],
    ]);
    expect((await read(place, id)).comments.map(({ content }) => content).sort()).toEqual(['one', 'three', 'two']);
  });
  it('does not open one that was merged: it stays locked and leads on', async () => {
    const place = places.reopen;
    const [source, target] = [await tickets.aTicket(place), await over(place, 'resolved')];
    await tickets.call(mergeTicket, asStaff(place), { params: { id: source.id }, body: { into_id: target.id } });
    expect(await read(place, source.id)).toMatchObject({ writing: 'locked', merged_into: { id: target.id } });
    expect((await say(place, source.id)).data.code).toBe('ticket.locked');
    expect((await whole(place, source.id)).status).toBe('closed');
  });
});

describe('new_ticket', () => {
  const newOf = async (place: Place) =>
    (await tickets.call<TicketSummary[]>(listTickets, asStaff(place), { query: { limit: '100' } })).data;

  it.each(both)('opens a linked ticket of what was written through the %s once it is %s', async (door, status) => {
    const place = places.new_ticket;
    const before = await over(place, status, { category: 'Fires', tags: ['hot'] });
    expect((await read(place, before.id, door)).writing).toBe('new_ticket');
    const answer = await say(place, before.id, {}, door);
    expect([answer.status, answer.data.comment]).toEqual([201, null]);
    const { id, ticket_number } = answer.data.new_ticket!;
    expect(await whole(place, id)).toMatchObject({
      ...{ ticket_number, subject: before.subject, description: 'It burns again', category: 'Fires', tags: [], status: 'open' },
      ...{ customer_email: email, customer_name: 'Carla', channel: door, follow_up_of_id: before.id, comment_count: 0 },
    });
    expect(await read(place, id, door)).toMatchObject({
      follow_up_of: { id: before.id, ticket_number: before.ticket_number },
      writing: 'comment',
    });
    expect(await whole(place, before.id)).toEqual(before);
    expect(await tickets.events(id)).toMatchObject([{ type: 'ticket.created', actor: { type: 'customer' } }]);
  });
  it('takes the files along, as those of its description', async () => {
    const place = places.new_ticket;
    const before = await over(place, 'closed');
    const file = await tickets.aFile(asCustomer(place.id));
    const { data } = await say(place, before.id, { attachment_ids: [file.id] });
    expect((await read(place, data.new_ticket!.id)).attachments).toEqual([file]);
    expect((await read(place, before.id)).attachments).toEqual([]);
  });
  it('opens nothing where a file cannot be used', async () => {
    const place = places.new_ticket;
    const before = await over(place, 'closed');
    const known = await newOf(place);
    const file = await tickets.aFile(asStaff(place));
    const { status, data } = await say(place, before.id, { attachment_ids: [file.id] });
    expect([status, data.code, data.errors?.[0]?.path]).toEqual([422, 'attachment.not_usable', 'attachment_ids.0']);
    expect(await newOf(place)).toEqual(known);
  });
  it('loses nothing of what several write at once', async () => {
    const place = await tickets.aPlace();
    await tickets.settle(place, { customer_follow_up: 'new_ticket' });
    const before = await over(place, 'closed');
    const words = ['one', 'two', 'three', 'four'];
    const answers = await Promise.all(words.map((content) => say(place, before.id, { content })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const opened = await Promise.all(answers.map(({ data }) => whole(place, data.new_ticket!.id)));
    expect(opened.map(({ description }) => description)).toEqual(words);
    expect(new Set(opened.map(({ ticket_number }) => ticket_number)).size).toBe(4);
    expect(opened.every(({ follow_up_of_id }) => follow_up_of_id === before.id)).toBe(true);
  });
  it('opens one for words that are sent twice with one key', async () => {
    const place = places.new_ticket;
    const { id } = await over(place, 'closed');
    const send = () =>
      tickets.call<AddedPublicComment>(addPublicComment, asCustomer(place.id), {
        ...{ params: { id }, body: { email, content: 'Once' } },
        headers: { 'idempotency-key': `follow-up-${id}` },
      });
    const first = await send();
    expect((await send()).data).toEqual(first.data);
    expect((await newOf(place)).filter(({ description_preview }) => description_preview === 'Once')).toHaveLength(1);
  });
  it('is not the way of one that was merged: it stays locked and leads on', async () => {
    const place = places.new_ticket;
    const [source, target] = [await tickets.aTicket(place), await tickets.aTicket(place)];
    await tickets.call(mergeTicket, asStaff(place), { params: { id: source.id }, body: { into_id: target.id } });
    const known = await newOf(place);
    expect(await read(place, source.id)).toMatchObject({ writing: 'locked', merged_into: { id: target.id } });
    expect((await say(place, source.id)).data.code).toBe('ticket.locked');
    expect(await newOf(place)).toEqual(known);
  });
});

it.each(['open', 'in_progress', 'waiting_for_customer'])(
  'joins the conversation while the ticket is %s, whatever is settled',
  async (status) => {
    for (const place of Object.values(places)) {
      const { id } = await tickets.aTicket(place);
      await change(place, id, status === 'open' ? { priority: 'high' } : { status });
      expect((await read(place, id)).writing).toBe('comment');
      expect((await say(place, id)).data).toMatchObject({ comment: { content: 'It burns again' }, new_ticket: null });
      expect((await whole(place, id)).status).toBe(status === 'in_progress' ? 'in_progress' : 'open');
    }
  },
);
