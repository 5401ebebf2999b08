import { readTicketTask, syncTicketTask, type TicketTask } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { asStaff } from '../../test/integrations';
import { mapping, SyncFixture, type Fixture } from '../../test/sync-fixture';

let sync: SyncFixture;
beforeAll(async () => {
  sync = await SyncFixture.open();
});
afterEach(() => {
  expect(sync.integrations.clickup.violations).toEqual([]);
  sync.integrations.clickup.faults.clear();
});
const { stringContaining } = expect;
const post = { method: 'POST', path: /\/list\/\d+\/task$/ };
const put = { method: 'PUT', path: '/task/' };
const refused = { status: 400, body: { err: 'Assignee is no member', ECODE: 'ASSIGN_001' } };
const warnings = async (fixture: Fixture) =>
  (await sync.integrations.syncLog(fixture.organization))
    .filter(({ level }) => level !== 'info')
    .map(({ field, message }) => ({ field, message }));
const full = {
  subject: 'Fire',
  description: 'It began at noon.',
  priority: 'high' as const,
  tags: ['printer'],
};

describe('a task that the tool refuses to create as a whole', () => {
  it('is created with its title and our lines, and gets everything else afterward', async () => {
    const fixture = await sync.aFixture();
    const { clickup } = sync.integrations;
    clickup.faults.answer(refused, post);
    const ticket = await sync.tickets.create(fixture.organization, full);
    const { task_id } = await sync.whenSynced(fixture, ticket);
    expect(clickup.tasks(fixture.list)).toHaveLength(1);
    const task = clickup.task(task_id)!;
    expect(task).toMatchObject({ name: 'Fire', priority: 2, tags: ['printer'] });
    expect(task.description).toContain('It began at noon.');
    expect(task.description).toContain(`/tickets/${ticket.id}`);
    expect(await warnings(fixture)).toEqual([{ field: null, message: stringContaining('ClickUp: Assignee is no member') }]);
    await sync.whenIdle(fixture, ticket);
    expect(sync.changesSentTo(ticket)).toEqual([]);
  });

  it('is created without the one field that is refused again, and logs which and why', async () => {
    const fixture = await sync.aFixture();
    const { clickup } = sync.integrations;
    clickup.faults.answer(refused, post);
    // The tool refuses all fields together; then, one by one, it accepts the description and refuses the priority.
    clickup.faults.answer(refused, put);
    clickup.faults.answer(refused, { ...put, skip: 1 });
    const ticket = await sync.tickets.create(fixture.organization, { ...full, tags: [] });
    await eventually(async () =>
      expect(await warnings(fixture)).toContainEqual({ field: 'priority', message: stringContaining('ClickUp: Assignee is no member') }),
    );
    expect(clickup.tasks(fixture.list)).toMatchObject([{ name: 'Fire', description: stringContaining('It began at noon.') }]);
    const params = { id: ticket.id };
    await eventually(async () => {
      const { data } = await sync.integrations.call<{ task: TicketTask }>(readTicketTask, asStaff(fixture.organization), { params });
      expect(data.task.differs).toEqual([{ field: 'priority', reason: 'ClickUp: Assignee is no member' }]);
    });
    expect((await sync.integrations.call(syncTicketTask, asStaff(fixture.organization), { params })).status).toBe(202);
    await eventually(() => expect(clickup.tasks(fixture.list)).toMatchObject([{ priority: 2 }]));
  });

  it('fails with the reason if even its title is refused, and is not searched for later', async () => {
    const fixture = await sync.aFixture();
    const { clickup } = sync.integrations;
    clickup.faults.answer({ status: 422, body: { err: 'List is full', ECODE: 'LIST_001' } }, { ...post, times: 2 });
    const ticket = await sync.tickets.create(fixture.organization, full);
    await eventually(async () =>
      expect(await sync.integrations.findLink(fixture.organization, ticket.id)).toMatchObject({
        state: 'failed',
        problem: 'ClickUp: List is full',
      }),
    );
    expect(await sync.integrations.findLink(fixture.organization, ticket.id)).toMatchObject({ create_started_at: null, task_id: null });
    expect(clickup.tasks(fixture.list)).toEqual([]);
  });

  it('is found again after a crash between its parts, and completed', async () => {
    const fixture = await sync.aFixture();
    const { clickup } = sync.integrations;
    clickup.faults.answer(refused, post);
    clickup.faults.loseAnswer(post);
    const ticket = await sync.tickets.create(fixture.organization, full);
    const { task_id } = await sync.whenSynced(fixture, ticket);
    expect(clickup.tasks(fixture.list)).toHaveLength(1);
    await eventually(() => expect(clickup.task(task_id)).toMatchObject({ priority: 2, tags: ['printer'] }));
    expect(clickup.task(task_id)!.description).toContain('It began at noon.');
  });
});

describe('a text that is longer than the tool accepts', () => {
  it('is shortened with a link, and is not a difference afterward', async () => {
    const fixture = await sync.aFixture(mapping({ description: { direction: 'both' } }));
    const { clickup } = sync.integrations;
    const description = '漢'.repeat(99_999);
    const { ticket, task_id } = await sync.aLinkedTicket(fixture, { description });
    const { name, description: held } = clickup.task(task_id)!;
    expect(name).toBe(ticket.subject);
    expect(Buffer.byteLength(held)).toBeLessThanOrEqual(256_000);
    expect(held.slice(-600)).toContain(`Full text in Tandem: ${sync.integrations.env.PUBLIC_URL}/tickets/${ticket.id}`);
    // Neither a change of another field nor an edit in the tool may send the text again or copy the shortened text back.
    await sync.tickets.change(ticket.id, { priority: 'urgent' });
    await eventually(() => expect(clickup.task(task_id)!.priority).toBe(1));
    expect(clickup.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1);
    clickup.person.describe(task_id, held.replace('漢漢', 'Edited'));
    clickup.person.setPriority(task_id, 4);
    await eventually(() => expect(sync.tickets.get(ticket.id).priority).toBe('low'));
    await sync.whenIdle(fixture, ticket);
    expect(sync.tickets.get(ticket.id).description === description).toBe(true);
    expect(clickup.task(task_id)!.description.slice(0, 10)).toContain('Edited');
    await sync.tickets.change(ticket.id, { description: 'Short now' });
    await eventually(() => expect(clickup.task(task_id)!.description).toMatch(/^Short now\n/));
  });
});
