import {
  listComments,
  mergeTicket,
  readTimeline,
  systemContext,
  taskChangeProposed,
  taskCommentReceived,
  taskLinked,
  updateTicket,
  type Activity,
  type Comment,
  type Ticket,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { eventually } from '@tandem/testing';
import { TasksOf } from '../../test/tasks';
import { aMember, asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { saveMember } from '../projection/identity-projection.store';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
let tasks: TasksOf;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  organization = await tickets.anOrganization();
  tasks = new TasksOf(tickets, organization);
});
afterAll(() => tickets?.close());

const ofTicket = ({ id }: { id: string }) => ({ params: { id } });
const commentsOf = async (ticket: Ticket) => (await tickets.call<Comment[]>(listComments, asStaff(organization), ofTicket(ticket))).data;
const timelineOf = async (ticket: Ticket) => (await tickets.call<Activity[]>(readTimeline, asStaff(organization), ofTicket(ticket))).data;
const acknowledged = async (ticket: Ticket) => {
  const events = await tickets.events(ticket.id);
  return events.filter(({ type }) => type === 'ticket.task_change_acknowledged').map(({ data }) => data);
};
const address = { provider: 'clickup', task_id: '86abc', url: 'https://app.clickup.com/t/86abc' };

describe('a linked task', () => {
  it('is saved with its URL and a new version, emitted once, and recorded in the timeline with the user who linked it', async () => {
    const ticket = await tickets.aTicket(organization);
    const before = await tickets.eventTypes(ticket.id);
    const actor = { type: 'user', user_id: organization.manager, role: 'manager', session_id: newId() } as const;
    await tasks.linked(ticket, { actor });
    const linked = await tasks.now(ticket);
    expect(linked).toMatchObject({ task: address, clickup_task_id: '86abc', version: ticket.version + 1, updated_at: ticket.updated_at });
    expect(await tickets.eventTypes(ticket.id)).toEqual([...before, 'ticket.updated']);
    expect((await timelineOf(ticket))[0]).toMatchObject({
      kind: 'changed',
      actor_type: 'user',
      author: { last_name: 'manager' },
      changes: { task: { from: null, to: address } },
    });
  });
  it('of another tool sets no ClickUp task id', async () => {
    const ticket = await tickets.aTicket(organization);
    await tasks.linked(ticket, { provider: 'github' });
    expect(await tasks.now(ticket)).toMatchObject({ task: { provider: 'github', task_id: '86abc' }, clickup_task_id: null });
  });
  it('changes nothing the second time', async () => {
    const ticket = await tickets.aTicket(organization);
    await tasks.linked(ticket);
    const once = await tasks.now(ticket);
    await tasks.linked(ticket);
    expect(await tasks.now(ticket)).toEqual(once);
  });
  it('is removed by unlinking, with its reminder', async () => {
    const ticket = await tickets.aTicket(organization);
    await tasks.linked(ticket);
    await tasks.changed(ticket, {}, true);
    await tasks.unlinked(ticket);
    expect(await tasks.now(ticket)).toMatchObject({ task: null, clickup_task_id: null, task_finished_at: null });
    expect((await timelineOf(ticket))[0]).toMatchObject({ actor_type: 'system', changes: { task: { from: address, to: null } } });
  });
  it('has the state of the latest event, in any order', async () => {
    const [gone, there] = [await tickets.aTicket(organization), await tickets.aTicket(organization)];
    await tasks.unlinked(gone, { sequence: 8 });
    await tasks.linked(gone, { sequence: 7 });
    expect((await tasks.now(gone)).task).toBeNull();
    await tasks.linked(there, { sequence: 9, task_id: 'new' });
    await tasks.unlinked(there, { sequence: 8 });
    await tasks.linked(there, { sequence: 7 });
    expect(await tasks.now(there)).toMatchObject({ task: { task_id: 'new' } });
  });
});

describe('a change to the task', () => {
  it('is made by the task tool: one version, the usual events, an answer', async () => {
    const ticket = await tickets.aTicket(organization, { tags: ['old'] });
    await tasks.changed(ticket, {
      status: { from: 'open', to: 'in_progress' },
      subject: { from: ticket.subject, to: 'The printer smokes' },
      assignee_email: { from: null, to: 'MANAGER@acme.test' },
      tags: { from: ['old'], to: ['new'] },
    });
    const after = await tasks.now(ticket);
    expect(after).toMatchObject({
      status: 'in_progress',
      subject: 'The printer smokes',
      assigned_to: organization.manager,
      tags: ['new'],
      version: ticket.version + 1,
    });
    const events = await tickets.events(ticket.id);
    expect(events.map(({ type, actor }) => [type, actor.type])).toEqual([
      ['ticket.created', 'system'],
      ['ticket.updated', 'task-tool'],
      ['ticket.assigned', 'task-tool'],
      ['ticket.task_change_acknowledged', 'task-tool'],
    ]);
    expect((await acknowledged(ticket))[0]).toMatchObject({ ticket: { version: after.version }, refused: {} });
    expect((await timelineOf(ticket))[0]).toMatchObject({
      actor_type: 'task-tool',
      changes: { status: { from: 'open', to: 'in_progress' } },
    });
  });
  it('that closes a ticket follows the same rules as any closing', async () => {
    const ticket = await tickets.aTicket(organization);
    await tasks.changed(ticket, { status: { from: 'open', to: 'resolved' } }, true);
    expect(await tasks.now(ticket)).toMatchObject({
      status: 'resolved',
      task_finished_at: null,
      resolved_at: expect.any(String) as string,
    });
    expect(await tickets.eventTypes(ticket.id)).toContain('ticket.resolved');
  });
  it('is refused if the ticket has been changed since, and is answered with the ticket’s current state', async () => {
    const ticket = await tickets.aTicket(organization);
    await tickets.call(updateTicket, asStaff(organization), { ...ofTicket(ticket), body: { priority: 'urgent' } });
    await tasks.changed(ticket, { priority: { from: 'medium', to: 'low' }, status: { from: 'open', to: 'in_progress' } });
    expect(await tasks.now(ticket)).toMatchObject({ priority: 'urgent', status: 'in_progress' });
    expect((await acknowledged(ticket))[0]).toMatchObject({
      ticket: { priority: 'urgent', status: 'in_progress' },
      refused: { priority: 'The ticket was changed in the meantime.' },
    });
  });
  it('that arrives twice changes nothing the second time, and is answered', async () => {
    const ticket = await tickets.aTicket(organization);
    const change = { priority: { from: 'medium' as const, to: 'low' as const } };
    await tasks.changed(ticket, change);
    const once = await tasks.now(ticket);
    await tasks.changed(ticket, change);
    expect(await tasks.now(ticket)).toEqual(once);
    expect((await acknowledged(ticket)).map(({ refused }) => refused as object)).toEqual([{}, {}]);
  });
  it('to a deactivated user, or one of another organization, is refused', async () => {
    const [elsewhere, ticket, gone] = [await tickets.anOrganization(), await tickets.aTicket(organization), newId()];
    await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
      saveMember(tx, aMember(organization.id, gone, { email: 'gone@acme.test', is_active: false }), 1),
    );
    const stranger = newId();
    await tickets.db.forTenant({ organization_id: elsewhere.id }, (tx) =>
      saveMember(tx, aMember(elsewhere.id, stranger, { email: 'stranger@acme.test' }), 1),
    );
    for (const to of ['gone@acme.test', 'stranger@acme.test', '%', "'; drop table tickets; --", 'x'.repeat(10_000)])
      await tasks.changed(ticket, { assignee_email: { from: null, to } });
    expect((await tasks.now(ticket)).assigned_to).toBeNull();
    const reason = 'No active member has this address.';
    expect((await acknowledged(ticket)).map(({ refused }) => refused as object)).toEqual(Array(5).fill({ assignee_email: reason }));
  });
  it('leaves a merged ticket closed', async () => {
    const [ticket, into] = [await tickets.aTicket(organization), await tickets.aTicket(organization)];
    await tickets.call(mergeTicket, asStaff(organization), { ...ofTicket(ticket), body: { into_id: into.id } });
    await tasks.changed(ticket, { status: { from: 'closed', to: 'open' } }, true);
    expect(await tasks.now(ticket)).toMatchObject({ status: 'closed', task_finished_at: null });
    expect((await acknowledged(ticket))[0]?.refused).toEqual({ status: `The ticket was merged into ${into.ticket_number}.` });
  });
  it('with invalid values is answered, and the rest of it applied', async () => {
    const ticket = await tickets.aTicket(organization);
    await tasks.changed(ticket, {
      subject: { from: ticket.subject, to: 'a\u0000b' },
      description: { from: ticket.description, to: 'x'.repeat(100_001) },
      tags: { from: [], to: ['x'.repeat(51)] },
      priority: { from: 'medium', to: 'low' },
    });
    expect(await tasks.now(ticket)).toMatchObject({ subject: ticket.subject, description: ticket.description, tags: [], priority: 'low' });
    expect(Object.keys((await acknowledged(ticket))[0]?.refused as object).sort()).toEqual(['description', 'subject', 'tags']);
  });
  it('of a ticket of another organization, or of none, changes and answers nothing', async () => {
    const elsewhere = await tickets.anOrganization();
    const theirs = await tickets.aTicket(elsewhere);
    for (const id of [theirs.id, newId()]) {
      await tasks.linked({ id });
      await tasks.unlinked({ id });
      await tasks.changed({ id }, { priority: { from: 'medium', to: 'low' } }, true);
      await tasks.commented({ id });
    }
    expect(await new TasksOf(tickets, elsewhere).now(theirs)).toEqual(theirs);
    expect(await tickets.eventTypes(theirs.id)).toEqual(['ticket.created']);
  });
});

describe('a comment of the task', () => {
  it('is an internal note with its author, and notifies staff pages only', async () => {
    const ticket = await tickets.aTicket(organization);
    await tasks.commented(ticket);
    expect(await commentsOf(ticket)).toMatchObject([
      {
        content: 'The part is ordered.',
        is_internal: true,
        is_from_customer: false,
        user_id: null,
        customer_email: null,
        author: null,
        tool_author: { name: 'Bea Builder', tool_name: 'ClickUp' },
      },
    ]);
    const events = await tickets.events(ticket.id);
    expect(events.map(({ type, actor }) => [type, actor.type]).slice(1)).toEqual([['ticket.comment.added', 'task-tool']]);
    expect(events.at(-1)!.data).toMatchObject({ comment: { is_internal: true }, ticket: { comment_count: 1, first_response_at: null } });
  });
  it('is added once, even if it is reported several times', async () => {
    const [ticket, other] = [await tickets.aTicket(organization), await tickets.aTicket(organization)];
    for (let n = 0; n < 3; n += 1) await tasks.commented(ticket, { external_id: '90' });
    await tasks.commented(ticket, { external_id: '91' });
    await tasks.commented(other, { external_id: '90' });
    expect([(await commentsOf(ticket)).length, (await commentsOf(other)).length]).toEqual([2, 1]);
  });
  it('of a merged ticket is added where the conversation continues, and once even if it arrived before the merge', async () => {
    const [ticket, into] = [await tickets.aTicket(organization), await tickets.aTicket(organization, { description: null })];
    await tasks.commented(ticket, { external_id: '1', content: 'Before' });
    await tickets.call(mergeTicket, asStaff(organization), { ...ofTicket(ticket), body: { into_id: into.id } });
    await tasks.commented(ticket, { external_id: '1', content: 'Before' });
    await tasks.commented(ticket, { external_id: '2', content: 'After' });
    const notes = (await commentsOf(into)).filter(({ is_internal }) => is_internal);
    expect(notes.map(({ content, tool_author }) => [content, tool_author?.tool_name])).toEqual([
      ['Before', 'ClickUp'],
      ['After', 'ClickUp'],
    ]);
  });
  it('may contain any text', async () => {
    const ticket = await tickets.aTicket(organization);
    await tasks.commented(ticket, { content: '\u0000', author_name: '', external_id: 'x'.repeat(9_000) });
    await tasks.commented(ticket, { content: 'x'.repeat(200_000), author_name: '\ud800', external_id: '\u0000' });
    expect((await commentsOf(ticket)).map(({ content }) => content.length)).toEqual([24, 100_000]);
  });
});

it('is received over the stream', async () => {
  const ticket = await tickets.aTicket(organization);
  const ctx = systemContext(organization.id, 'test');
  await tickets.db.forTenant(ctx, async (tx) => {
    const of = { ticket_id: ticket.id };
    await emit(tx, ctx, taskLinked, ticket.id, { ...of, ...address });
    const change = { priority: { from: 'medium' as const, to: 'high' as const } };
    await emit(tx, ctx, taskChangeProposed, ticket.id, {
      ...of,
      tool_name: 'ClickUp',
      changes: change,
      finished: true,
      outcome: 'finished',
    });
    const comment = { external_id: '7', author_name: 'Bea', content: 'Done', written_at: ticket.created_at };
    await emit(tx, ctx, taskCommentReceived, ticket.id, { ...of, tool_name: 'ClickUp', ...comment });
  });
  await eventually(async () =>
    expect(await tasks.now(ticket)).toMatchObject({
      task: address,
      priority: 'high',
      comment_count: 1,
      task_finished_at: expect.any(String) as string,
    }),
  );
});
