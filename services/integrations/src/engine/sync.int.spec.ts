import { defaultDirections, syncFields, type Ticket } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { mapping, SyncFixture } from '../../test/sync-fixture';

let sync: SyncFixture;
beforeAll(async () => {
  sync = await SyncFixture.open();
});
afterEach(() => {
  expect(sync.integrations.clickup.violations).toEqual([]);
  sync.tickets.refusals.clear();
  sync.tickets.isPaused = false;
});
const everyWay = (direction: string) =>
  mapping(
    Object.fromEntries(
      syncFields.map((field) => [
        field,
        { direction: ['customer_email', 'due_at'].includes(field) ? defaultDirections[field] : direction },
      ]),
    ),
  );

describe('a new ticket', () => {
  it('creates one task with all of its fields and a link back, in one call', async () => {
    const fixture = await sync.aFixture();
    sync.integrations.clickup.clearLog();
    const ticket = await sync.tickets.create(fixture.organization, { priority: 'high', tags: ['printer'], status: 'in_progress' });
    const { task_id } = await sync.whenSynced(fixture, ticket);
    expect(sync.calls).toEqual(['POST /v2/list/{list_id}/task']);
    const task = sync.integrations.clickup.task(task_id)!;
    expect(task).toMatchObject({ name: ticket.subject, priority: 2, tags: ['printer'], status: 'In Progress' });
    for (const expected of ['It began at noon', `/tickets/${ticket.id}`, 'Carla']) expect(task.description).toContain(expected);
    expect(await sync.integrations.eventTypes(ticket.id)).toContain('task.linked');
  });

  it('of which the tool refuses one field creates a task without it', async () => {
    const status_mappings = { open: 'No such status', in_progress: null, waiting_for_customer: null, resolved: null, closed: null };
    const fixture = await sync.aFixture({ status_mappings: JSON.stringify(status_mappings) });
    const { task_id, ticket } = await sync.aLinkedTicket(fixture);
    expect(sync.integrations.clickup.task(task_id)).toMatchObject({ name: ticket.subject, status: 'To Do' });
    expect(await sync.integrations.syncLog(fixture.organization)).toContainEqual(
      expect.objectContaining({ level: 'warning', field: 'status' }),
    );
  });
});

describe('a change to the ticket', () => {
  it.each<[string, Partial<Ticket>, object, string[]]>([
    ['title', { subject: 'Another title' }, { name: 'Another title' }, []],
    ['status', { status: 'resolved' }, { status: 'Complete' }, []],
    ['priority', { priority: 'urgent' }, { priority: 1 }, []],
    ['description', { description: 'It never began.' }, { description: expect.stringContaining('never began') as string }, []],
    ['due time', { resolution_due_at: '2031-01-01T10:00:00.000Z' }, { due_date: Date.parse('2031-01-01T10:00:00.000Z') }, []],
    [
      'assignee',
      { assignee: { user_id: '01890000-0000-7000-8000-000000000001', first_name: null, last_name: null, email: 'Agent@demo.test' } },
      { assignees: [81_600_185] },
      ['GET /v2/team'],
    ],
  ])('of its %s changes the task in one call, and its echo costs none', async (_field, changes, expected, asked) => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    await sync.tickets.change(ticket.id, changes);
    await eventually(() => expect(sync.integrations.clickup.task(task_id)).toMatchObject(expected));
    await sync.whenIdle(fixture, ticket);
    expect(sync.calls).toEqual([...asked, 'PUT /v2/task/{task_id}']);
    expect(sync.changesSentTo(ticket)).toEqual([]);
  });

  it('of its customer does not overwrite a description that was edited in the tool; a new description keeps the edits', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    const { description } = sync.integrations.clickup.task(task_id)!;
    sync.integrations.clickup.person.describe(task_id, `${description}\n\nCall **Grace** first.`);
    await sync.whenIdle(fixture, ticket);
    sync.integrations.clickup.clearLog();
    await sync.tickets.change(ticket.id, { customer_email: 'dora@example.com' });
    await eventually(async () =>
      expect(await sync.integrations.syncLog(fixture.organization)).toContainEqual(
        expect.objectContaining({ level: 'info', field: 'customer_email' }),
      ),
    );
    await sync.whenIdle(fixture, ticket);
    expect(sync.calls).toEqual([]);
    await sync.tickets.change(ticket.id, { description: 'It never began.' });
    await eventually(() =>
      expect(sync.integrations.clickup.task(task_id)!.description).toMatch(/It never began\.[^]+dora[^]+Call .*Grace.* first/),
    );
  });

  it('of its tags keeps those that were added in the tool', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture, { tags: ['printer', 'fire'] });
    sync.integrations.clickup.person.addTag(task_id, 'ours');
    await sync.whenIdle(fixture, ticket);
    await sync.tickets.change(ticket.id, { tags: ['printer', 'smoke'] });
    await eventually(() => expect(sync.integrations.clickup.task(task_id)!.tags.sort()).toEqual(['ours', 'printer', 'smoke']));
    await sync.whenIdle(fixture, ticket);
    expect(sync.changesSentTo(ticket)).toEqual([]);
  });

  it('does not reach the task if the field syncs in the other direction', async () => {
    const fixture = await sync.aFixture(everyWay('to_ticket'));
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    await sync.tickets.change(ticket.id, { subject: 'Ours alone', status: 'closed', priority: 'low', tags: ['x'], description: 'Ours' });
    await sync.whenIdle(fixture, ticket);
    expect(sync.calls).toEqual([]);
    expect(sync.integrations.clickup.task(task_id)).toMatchObject({ name: 'The printer is on fire' });
  });

  it('to an unmapped status is logged once, and the other fields are sent', async () => {
    const status_mappings = {
      open: 'To Do',
      in_progress: 'In Progress',
      waiting_for_customer: null,
      resolved: 'Complete',
      closed: 'Closed',
    };
    const fixture = await sync.aFixture({ status_mappings: JSON.stringify(status_mappings) });
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    await sync.tickets.change(ticket.id, { status: 'waiting_for_customer', subject: 'Waiting' });
    await eventually(() => expect(sync.integrations.clickup.task(task_id)).toMatchObject({ name: 'Waiting', status: 'To Do' }));
    await sync.whenIdle(fixture, ticket);
    const warnings = (await sync.integrations.syncLog(fixture.organization)).filter(({ level }) => level === 'warning');
    expect(warnings).toMatchObject([{ field: 'status', direction: 'to_task', ticket_id: ticket.id }]);
  });
});

describe('a change to the task', () => {
  it('is applied to the ticket, field by field, and not sent back', async () => {
    const fixture = await sync.aFixture(everyWay('both'));
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    const { person } = sync.integrations.clickup;
    person.setStatus(task_id, 'In Progress');
    person.rename(task_id, 'Renamed over there');
    person.setPriority(task_id, 1);
    person.assign(task_id, 'agent@demo.test');
    person.addTag(task_id, 'urgent');
    await eventually(() =>
      expect(sync.tickets.get(ticket.id)).toMatchObject({
        status: 'in_progress',
        subject: 'Renamed over there',
        priority: 'urgent',
        tags: ['urgent'],
        assignee: { email: 'agent@demo.test' },
      }),
    );
    person.describe(task_id, 'Written over there');
    await eventually(() => expect(sync.tickets.get(ticket.id).description).toBe('Written over there'));
    person.unassign(task_id, 'agent@demo.test');
    await eventually(() => expect(sync.tickets.get(ticket.id).assignee).toBeNull());
    await sync.whenIdle(fixture, ticket);
    expect(sync.calls.filter((call) => !call.startsWith('GET'))).toEqual([]);
  });

  it('does not reach the ticket if the field syncs in the other direction', async () => {
    const fixture = await sync.aFixture(everyWay('to_task'));
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.integrations.clickup.person.rename(task_id, 'Theirs alone');
    sync.integrations.clickup.person.setStatus(task_id, 'In Progress');
    await sync.whenIdle(fixture, ticket);
    expect(sync.changesSentTo(ticket)).toEqual([]);
  });

  it('to no priority, or to several assignees, does not change the ticket', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture, { priority: 'high' });
    const { person } = sync.integrations.clickup;
    person.setPriority(task_id, null);
    person.assign(task_id, 'agent@demo.test');
    person.assign(task_id, 'manager@demo.test');
    person.rename(task_id, 'Last');
    await eventually(() => expect(sync.tickets.get(ticket.id).subject).toBe('Last'));
    await sync.whenIdle(fixture, ticket);
    expect(sync.tickets.get(ticket.id).priority).toBe('high');
    expect((await sync.integrations.syncLog(fixture.organization)).filter(({ level }) => level !== 'info')).toEqual([]);
  });

  it('that tickets refuses is logged, not sent again, and the ticket keeps its value', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.tickets.refusals.set('subject', 'A locked ticket keeps its subject');
    sync.integrations.clickup.person.rename(task_id, 'Not here');
    await eventually(async () =>
      expect(await sync.integrations.syncLog(fixture.organization)).toContainEqual(
        expect.objectContaining({ field: 'title', level: 'warning' }),
      ),
    );
    await sync.whenIdle(fixture, ticket);
    expect(sync.tickets.get(ticket.id).subject).toBe(ticket.subject);
    expect(sync.changesSentTo(ticket)).toHaveLength(1);
    expect(sync.integrations.clickup.task(task_id)!.name).toBe('Not here');
  });

  it('to a finished status only sets the reminder, unless the integration is configured to set the status', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.integrations.clickup.person.setStatus(task_id, 'Complete');
    await eventually(() =>
      expect(sync.tickets.received).toContainEqual(expect.objectContaining({ ticket_id: ticket.id, changes: {}, finished: true })),
    );
    sync.integrations.clickup.person.setStatus(task_id, 'In Progress');
    await eventually(() =>
      expect(sync.tickets.received).toContainEqual(expect.objectContaining({ ticket_id: ticket.id, finished: false })),
    );
    await eventually(() => expect(sync.tickets.get(ticket.id).status).toBe('in_progress'));

    const bold = await sync.aFixture({ on_task_finished: 'set_status' });
    const other = await sync.aLinkedTicket(bold);
    sync.integrations.clickup.person.setStatus(other.task_id, 'Complete');
    await eventually(() => expect(sync.tickets.get(other.ticket.id).status).toBe('resolved'));
  });

  it('that deletes it does not change the ticket', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.integrations.clickup.person.deleteTask(task_id);
    await eventually(async () =>
      expect(await sync.integrations.findLink(fixture.organization, ticket.id)).toMatchObject({ state: 'gone', next_sync_at: null }),
    );
    const events = await sync.integrations.events(ticket.id);
    expect(events.find(({ type }) => type === 'task.unlinked')?.data).toMatchObject({ task_id, reason: 'task_deleted' });
    await sync.tickets.change(ticket.id, { subject: 'Alone' });
    expect(sync.integrations.clickup.tasks(fixture.list)).toEqual([]);
  });
});

describe('simultaneous changes on both sides', () => {
  it.each([
    ['help_desk', 'Ours'],
    ['task', 'Theirs'],
    ['latest', 'Theirs'],
  ] as const)('is resolved by the rule %s, on both sides', async (conflict_rule, winner) => {
    const fixture = await sync.aFixture({ conflict_rule });
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    // No worker processes the connection while both sides change.
    await blockUntil(fixture, '2100-01-01T00:00:00.000Z');
    await sync.tickets.change(ticket.id, { subject: 'Ours' });
    sync.integrations.clickup.person.rename(task_id, 'Theirs');
    await sync.integrations.clickup.deliveriesSettled();
    await eventually(async () => {
      const link = await sync.integrations.findLink(fixture.organization, ticket.id);
      expect(link!.task_notified_at! > link!.task_read_at!).toBe(true);
      const copy = await sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
        tx.selectFrom('ticket_copies').selectAll().executeTakeFirst(),
      );
      expect(copy?.subject).toBe('Ours');
    });
    await blockUntil(fixture, null);
    await eventually(() => {
      expect(sync.integrations.clickup.task(task_id)!.name).toBe(winner);
      expect(sync.tickets.get(ticket.id).subject).toBe(winner);
    });
    await sync.whenIdle(fixture, ticket);
    expect(sync.integrations.clickup.task(task_id)!.name).toBe(winner);
  });

  const blockUntil = (fixture: { organization: { id: string } }, blocked_until: string | null) =>
    sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
      tx
        .updateTable('connections')
        .set({ blocked_until, block_reason: blocked_until === null ? null : 'unreachable' })
        .execute(),
    );
});

describe('a comment', () => {
  it('of the ticket is posted on the task with its author; an internal note is not', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    await sync.tickets.comment(ticket.id, 'Only among us', { is_internal: true });
    await sync.tickets.comment(ticket.id, 'Is it still burning?');
    await sync.tickets.comment(ticket.id, 'It is.', {
      is_from_customer: true,
      customer_email: 'carla@example.com',
      author: null,
      user_id: null,
    });
    await eventually(() => expect(sync.integrations.clickup.comments(task_id)).toHaveLength(2));
    await sync.whenIdle(fixture, ticket);
    const [first, second] = sync.integrations.clickup.comments(task_id).map((comment) => comment.text);
    expect(first).toMatch(/^Priya Raman: Is it still burning\?\s+— via Tandem · ACM-\d{4} · [0-9a-f]{8}$/);
    expect(second).toContain('Carla (customer): It is.');
    expect(sync.calls).toEqual(['POST /v2/task/{task_id}/comment', 'POST /v2/task/{task_id}/comment']);
    expect(await sync.integrations.eventTypes(ticket.id)).not.toContain('task.comment_received');
  });

  it('of the task is added to the ticket once, even if it is reported several times', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.integrations.clickup.holdDeliveries();
    const external_id = String(sync.integrations.clickup.person.comment(task_id, 'Looked at it.'));
    await eventually(() => expect(sync.integrations.clickup.heldDeliveries).toBeGreaterThan(0));
    sync.integrations.clickup.releaseDeliveries({ order: 'reverse', twice: true });
    await eventually(async () => expect(await sync.integrations.eventTypes(ticket.id)).toContain('task.comment_received'));
    await sync.whenIdle(fixture, ticket);
    const received = (await sync.integrations.events(ticket.id)).filter(({ type }) => type === 'task.comment_received');
    expect(received.map(({ data }) => data)).toMatchObject([{ external_id, content: 'Looked at it.', author_name: 'Priya Raman' }]);
  });
});
