import {
  addComment,
  addPublicComment,
  countViews,
  createView,
  dismissFinishedTask,
  listTickets,
  readPublicTicket,
  readTimeline,
  updateTicket,
  type Activity,
  type OutputOf,
  type Ticket,
  type TicketSummary,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { TasksOf } from '../../test/tasks';
import { asCustomer, asStaff, asToken, TicketsUnderTest, type TestOrganization } from '../../test/tickets';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
let tasks: TasksOf;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
});
beforeEach(async () => {
  organization = await tickets.anOrganization();
  tasks = new TasksOf(tickets, organization);
});
afterAll(() => tickets?.close());

const ofTicket = ({ id }: { id: string }) => ({ params: { id } });
async function aFinishedTicket(): Promise<Ticket> {
  const ticket = await tickets.aTicket(organization);
  await tasks.linked(ticket);
  await tasks.changed(ticket, {}, true);
  return tasks.now(ticket);
}
const finished = async (ticket: Ticket) => (await tasks.now(ticket)).task_finished_at;
const found = async (query: Record<string, string>) =>
  (await tickets.call<TicketSummary[]>(listTickets, asStaff(organization), { query })).data.map(({ id }) => id);

describe('a finished task', () => {
  it('adds its ticket to the view, emits one event and records it', async () => {
    const ticket = await aFinishedTicket();
    expect(ticket.task_finished_at).not.toBeNull();
    await tasks.changed(ticket, {}, true);
    expect(await finished(ticket)).toBe(ticket.task_finished_at);
    const updates = (await tickets.events(ticket.id)).filter(({ type }) => type === 'ticket.updated');
    expect(updates.map(({ data }) => data.changes as object)).toEqual([
      { task: { from: null, to: expect.anything() } },
      { task_finished_at: { from: null, to: ticket.task_finished_at } },
    ]);
    const { data } = await tickets.call<Activity[]>(readTimeline, asStaff(organization), ofTicket(ticket));
    expect(data[0]).toMatchObject({ actor_type: 'task-tool', changes: { task_finished_at: { from: null } } });
  });
  it('that was closed as not planned has this outcome until it is closed as finished', async () => {
    const ticket = await tickets.aTicket(organization);
    await tasks.linked(ticket);
    await tasks.changed(ticket, {}, true, undefined, 'not_planned');
    const closed = await tasks.now(ticket);
    expect(closed).toMatchObject({ task_finished_at: expect.any(String) as string, task_outcome: 'not_planned' });
    const { data } = await tickets.call<Activity[]>(readTimeline, asStaff(organization), ofTicket(ticket));
    expect(data[0]!.changes).toMatchObject({ task_outcome: { to: 'not_planned' } });
    const [listed] = (await tickets.call<TicketSummary[]>(listTickets, asStaff(organization), { query: { task: 'finished' } })).data;
    expect(listed).toMatchObject({ id: ticket.id, task_outcome: 'not_planned' });
    await tasks.changed(ticket, {}, true, undefined, 'not_planned');
    expect(await tasks.now(ticket)).toMatchObject({ version: closed.version });
    await tasks.changed(ticket, {}, true);
    expect(await tasks.now(ticket)).toMatchObject({ task_outcome: 'finished', version: closed.version + 1 });
  });
  it.each(['resolved', 'closed'] as const)('of a ticket that is %s sets no reminder', async (status) => {
    const ticket = await tickets.aTicket(organization);
    await tickets.call(updateTicket, asStaff(organization), { ...ofTicket(ticket), body: { status } });
    await tasks.changed(ticket, {}, true);
    expect(await finished(ticket)).toBeNull();
  });
  it('that was unlinked since sets no reminder', async () => {
    const ticket = await tickets.aTicket(organization);
    await tasks.linked(ticket, { sequence: 1 });
    await tasks.unlinked(ticket, { sequence: 5 });
    await tasks.changed(ticket, {}, true, 4);
    expect(await finished(ticket)).toBeNull();
    await tasks.changed(await tickets.aTicket(organization), {}, true, 1);
  });
  it('may be reported before its link', async () => {
    const ticket = await tickets.aTicket(organization);
    await tasks.changed(ticket, {}, true, 3);
    await tasks.linked(ticket, { sequence: 2 });
    expect(await tasks.now(ticket)).toMatchObject({ task: { task_id: '86abc' }, task_finished_at: expect.any(String) as string });
  });
});

describe('a ticket leaves the view', () => {
  it('when the task is reopened', async () => {
    const ticket = await aFinishedTicket();
    await tasks.changed(ticket, { status: { from: 'open', to: 'in_progress' } }, false);
    expect(await tasks.now(ticket)).toMatchObject({ status: 'in_progress', task_finished_at: null });
  });
  it('when staff answer the customer, but not by a note or by the customer’s own comment', async () => {
    const ticket = await aFinishedTicket();
    const say = (is_internal: boolean) =>
      tickets.call(addComment, asStaff(organization), { ...ofTicket(ticket), body: { content: 'Done', is_internal } });
    await say(true);
    const theirs = { email: ticket.customer_email, content: 'Well?' };
    expect((await tickets.call(addPublicComment, asCustomer(organization.id), { ...ofTicket(ticket), body: theirs })).status).toBe(201);
    await tasks.commented(ticket);
    expect(await finished(ticket)).not.toBeNull();
    await say(false);
    expect(await finished(ticket)).toBeNull();
    const updates = (await tickets.events(ticket.id)).filter(({ type }) => type === 'ticket.updated');
    expect(updates.at(-1)!.data.changes).toMatchObject({ task_finished_at: { to: null } });
  });
  it.each(['resolved', 'closed'] as const)('when it becomes %s', async (status) => {
    const ticket = await aFinishedTicket();
    await tickets.call(updateTicket, asStaff(organization), { ...ofTicket(ticket), body: { status } });
    expect(await finished(ticket)).toBeNull();
  });
  it('when the reminder is dismissed, repeatedly', async () => {
    const ticket = await aFinishedTicket();
    const dismiss = () => tickets.call<Ticket>(dismissFinishedTask, asStaff(organization), ofTicket(ticket));
    const { status, data } = await dismiss();
    expect([status, data.task_finished_at, data.version]).toEqual([200, null, ticket.version + 1]);
    expect((await dismiss()).data.version).toBe(data.version);
    expect((await tickets.call<Activity[]>(readTimeline, asStaff(organization), ofTicket(ticket))).data[0]).toMatchObject({
      actor_type: 'user',
      user_id: organization.agent,
      changes: { task_finished_at: { to: null } },
    });
  });
  it('only by staff of its organization', async () => {
    const [ticket, elsewhere] = [await aFinishedTicket(), await tickets.anOrganization()];
    const strangers = await tickets.call(dismissFinishedTask, asStaff(elsewhere), ofTicket(ticket));
    expect([strangers.status, strangers.data.code]).toEqual([404, 'ticket.not_found']);
    expect((await tickets.call(dismissFinishedTask, asStaff(organization), ofTicket({ id: newId() }))).status).toBe(404);
    expect((await tickets.call(dismissFinishedTask, asStaff(organization), ofTicket({ id: 'x' }))).status).toBe(422);
    expect((await tickets.call(dismissFinishedTask, asCustomer(organization.id), ofTicket(ticket))).status).toBe(401);
    expect((await tickets.call(dismissFinishedTask, asToken(organization, 'tickets:read'), ofTicket(ticket))).status).toBe(403);
    expect(await finished(ticket)).not.toBeNull();
  });
});

describe('lists', () => {
  it('can be filtered by tasks, combined with other filters and in each order', async () => {
    const [plain, linked, done] = [
      await tickets.aTicket(organization),
      await tickets.aTicket(organization, { tags: ['vip'] }),
      await aFinishedTicket(),
    ];
    await tasks.linked(linked);
    expect(await found({ task: 'finished' })).toEqual([done.id]);
    expect(await found({ task: 'unlinked' })).toEqual([plain.id]);
    for (const sort of ['newest', 'updated', 'priority', 'due'])
      expect((await found({ task: 'linked', sort })).sort()).toEqual([linked.id, done.id].sort());
    expect(await found({ task: 'linked', tag: 'vip' })).toEqual([linked.id]);
    expect(await found({ task: 'finished', tag: 'vip' })).toEqual([]);
    expect(await found({ task: 'linked', status: 'closed' })).toEqual([]);
    expect(await found({ task: 'linked', priority: 'medium', sort: 'oldest' })).toEqual([linked.id, done.id]);
    for (const [task, ids] of [['linked', [done.id, linked.id]], ['unlinked', [plain.id]], ['finished', [done.id]]] as const)
      expect(await found({ task, search: 'printer' })).toEqual(ids); // prettier-ignore
    expect((await tickets.call(listTickets, asStaff(organization), { query: { task: 'lost' } })).status).toBe(422);
  });
  it('show the task of each ticket on every page', async () => {
    const all = [await aFinishedTicket(), await aFinishedTicket(), await aFinishedTicket()];
    const first = await tickets.call<TicketSummary[]>(listTickets, asStaff(organization), { query: { task: 'finished', limit: '2' } });
    expect(first.data[0]).toMatchObject({ task: all[2]!.task, clickup_task_id: '86abc', task_finished_at: all[2]!.task_finished_at });
    expect(first.pagination.total).toBe(3);
    expect(await found({ task: 'finished', limit: '2', cursor: first.pagination.next_cursor! })).toEqual([all[0]!.id]);
  });
  it('are counted, including in a saved view', async () => {
    await tickets.aTicket(organization);
    await aFinishedTicket();
    const linked = await tickets.aTicket(organization);
    await tasks.linked(linked);
    const { data: view } = await tickets.call<{ id: string }>(createView, asStaff(organization), {
      body: { name: 'Tasks', filter: { task: 'linked' } },
    });
    const { data } = await tickets.call<OutputOf<typeof countViews>>(countViews, asStaff(organization));
    expect([data.all.count, data.finished_task, data.views[view.id]?.count]).toEqual([3, { count: 1, is_capped: false }, 2]);
  });
});

it('hides its task and its notes from the customer', async () => {
  const ticket = await aFinishedTicket();
  await tasks.commented(ticket, { content: 'Carla need not know' });
  const query = { email: ticket.customer_email };
  const { status, data } = await tickets.call(readPublicTicket, asCustomer(organization.id), { ...ofTicket(ticket), query });
  expect(status).toBe(200);
  expect(JSON.stringify(data)).not.toMatch(/task|tool|clickup|86abc|Carla need not know|\bBea\b/i);
  const written = await tickets.call(addPublicComment, asCustomer(organization.id), {
    ...ofTicket(ticket),
    body: { ...query, content: 'Well?' },
  });
  expect(written.status).toBe(201);
  expect(JSON.stringify(written.data)).not.toMatch(/task|tool|clickup/i);
});
