import { readTicketTask, syncTicketTask, updateIntegration, type TicketTask } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { asStaff } from '../../test/integrations';
import { SyncFixture, type Fixture } from '../../test/sync-fixture';

let sync: SyncFixture;
beforeAll(async () => {
  sync = await SyncFixture.open();
});
afterEach(() => {
  expect(sync.integrations.clickup.violations).toEqual([]);
  sync.integrations.clickup.faults.clear();
});

const shown = async ({ organization }: Fixture, { id }: { id: string }): Promise<TicketTask> =>
  (await sync.integrations.call<{ task: TicketTask }>(readTicketTask, asStaff(organization), { params: { id } })).data.task;
const status = (task_id: string) => sync.integrations.clickup.task(task_id)!.status;

describe('a status that was renamed in the list', () => {
  it('reaches a task that is created afterward', async () => {
    const fixture = await sync.aFixture();
    sync.integrations.clickup.renameStatus(fixture.list, 'Review', 'In review');
    const ticket = await sync.tickets.create(fixture.organization, { status: 'waiting_for_customer' });
    const { task_id } = await sync.whenSynced(fixture, ticket);
    await eventually(() => expect(status(task_id)).toBe('In review'));
    await eventually(async () => expect(await shown(fixture, ticket)).toMatchObject({ differs: [], problem: null, state: 'linked' }));
    expect(sync.integrations.clickup.tasks(fixture.list)).toHaveLength(1);
  });

  it('reaches many tasks that are set to it at the same time', async () => {
    const fixture = await sync.aFixture();
    const pairs = [];
    for (let i = 0; i < 8; i += 1) pairs.push(await sync.aLinkedTicket(fixture));
    sync.integrations.clickup.renameStatus(fixture.list, 'In Progress', 'Doing');
    await Promise.all(pairs.map(({ ticket }) => sync.tickets.change(ticket.id, { status: 'in_progress' })));
    for (const { ticket, task_id } of pairs) {
      await eventually(() => expect(status(task_id)).toBe('Doing'));
      await eventually(async () => expect(await shown(fixture, ticket)).toMatchObject({ differs: [], problem: null }));
      expect(sync.tickets.get(ticket.id).status).toBe('in_progress');
    }
  });

  it('does not change a ticket whose task only has the new name', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture, { status: 'waiting_for_customer' });
    expect(status(task_id)).toBe('Review');
    sync.integrations.clickup.renameStatus(fixture.list, 'Review', 'In review');
    sync.integrations.clickup.person.setPriority(task_id, 1);
    await eventually(() => expect(sync.tickets.get(ticket.id).priority).toBe('urgent'));
    await sync.whenIdle(fixture, ticket);
    expect(sync.tickets.get(ticket.id).status).toBe('waiting_for_customer');
    expect(status(task_id)).toBe('In review');
  });
});

describe('a status that the list refuses permanently', () => {
  const refusal = { status: 400, body: { err: 'Status not allowed', ECODE: 'STATUS_001' } };
  const put = { method: 'PUT', path: '/task/' };

  it('differs with the reason, is agreed once the ticket changes back, and is then not sent', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.integrations.clickup.faults.answer(refusal, { ...put, times: Infinity });
    await sync.tickets.change(ticket.id, { status: 'in_progress' });
    await eventually(async () =>
      expect(await shown(fixture, ticket)).toMatchObject({ differs: [{ field: 'status', reason: 'ClickUp: Status not allowed' }] }),
    );
    sync.integrations.clickup.faults.clear();
    await sync.whenSynced(fixture, ticket);
    sync.integrations.clickup.clearLog();
    await sync.tickets.change(ticket.id, { status: 'open' });
    await eventually(async () => expect(await shown(fixture, ticket)).toMatchObject({ differs: [], problem: null }));
    expect(sync.calls.filter((call) => call.startsWith('PUT'))).toEqual([]);
    expect(status(task_id)).toBe('To Do');
  });

  it('is sent again by "Sync now", and when another status is mapped', async () => {
    const fixture = await sync.aFixture();
    const [one, two] = [await sync.aLinkedTicket(fixture), await sync.aLinkedTicket(fixture)];
    sync.integrations.clickup.faults.answer(refusal, { ...put, times: Infinity });
    for (const { ticket } of [one, two]) await sync.tickets.change(ticket.id, { status: 'in_progress' });
    for (const { ticket } of [one, two])
      await eventually(async () => expect((await shown(fixture, ticket)).differs).toMatchObject([{ field: 'status' }]));
    for (const { ticket } of [one, two]) await sync.whenSynced(fixture, ticket);
    sync.integrations.clickup.faults.clear();
    const params = { id: one.ticket.id };
    expect((await sync.integrations.call(syncTicketTask, asStaff(fixture.organization), { params })).status).toBe(202);
    await eventually(() => expect(status(one.task_id)).toBe('In Progress'));
    expect(status(two.task_id)).toBe('To Do');
    const status_mappings = { ...fixture.integration.status_mappings, in_progress: 'Review' };
    await sync.integrations.call(updateIntegration, asStaff(fixture.organization), {
      params: { id: fixture.integration.id },
      body: { status_mappings },
    });
    await eventually(() => expect(status(two.task_id)).toBe('Review'));
    for (const { ticket } of [one, two]) await eventually(async () => expect((await shown(fixture, ticket)).differs).toEqual([]));
  });
});

it('a list that returns 401 for a while delays its new tickets and comments, and other lists continue', async () => {
  const fixture = await sync.aFixture();
  const { clickup } = sync.integrations;
  const other = await sync.integrations.anIntegration(fixture.connection, {
    list: clickup.addList('Product', `Beside ${fixture.list}`).name,
    rules: JSON.stringify({ create: 'none', categories: [], tags: [], priorities: [] }),
  });
  const { ticket, task_id } = await sync.aLinkedTicket(fixture);
  const start = clickup.person.createTask(other.list_id, { name: 'Beside' });
  const unseen = { status: 401, body: { err: 'Team not authorized', ECODE: 'OAUTH_027' } };
  clickup.faults.answer(unseen, { path: new RegExp(`/list/${fixture.integration.list_id}/|/task/${task_id}`), times: Infinity });
  await sync.tickets.comment(ticket.id, 'Said meanwhile');
  const fresh = await sync.tickets.create(fixture.organization);
  const found = async (id: string) => (await sync.integrations.findIntegrations(fixture.organization)).find((each) => each.id === id)!;
  await eventually(async () =>
    expect(await found(fixture.integration.id)).toMatchObject({ is_active: false, pause_reason: 'unavailable' }),
  );
  expect(await found(other.id)).toMatchObject({ is_active: true, pause_reason: null });
  expect(start.deleted).toBe(false);
  const stateOf = async ({ id }: { id: string }) => (await sync.integrations.findLink(fixture.organization, id))?.state;
  // The link of a new ticket is created with those of other tickets, up to a second later.
  await eventually(async () => expect(await stateOf(fresh)).toBeDefined());
  for (const each of [ticket, fresh]) expect(await stateOf(each)).not.toBe('failed');

  clickup.faults.clear();
  await sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
    tx.updateTable('integrations').set({ next_check_at: new Date().toISOString() }).where('id', '=', fixture.integration.id).execute(),
  );
  await sync.whenSynced(fixture, fresh);
  await eventually(() => expect(clickup.comments(task_id)).toHaveLength(1));
  expect(clickup.tasks(fixture.list)).toHaveLength(2);
});
