import { eventually } from '@tandem/testing';
import { SyncFixture } from '../../test/sync-fixture';

/** Calls time out after 1.5 s; the first retry follows a second later. */
let sync: SyncFixture;
beforeAll(async () => {
  sync = await SyncFixture.open({ TASK_TOOL_TIMEOUT_MS: '1500' });
});
afterEach(() => expect(sync.integrations.clickup.violations).toEqual([]));
const lateMs = 2_850;

describe('a request that takes effect after its timeout', () => {
  it('creates one task', async () => {
    const fixture = await sync.aFixture();
    sync.integrations.clickup.faults.late(lateMs, { method: 'POST', path: /\/list\/\d+\/task$/ });
    const ticket = await sync.tickets.create(fixture.organization);
    const { task_id } = await sync.whenSynced(fixture, ticket);
    expect(sync.integrations.clickup.tasks(fixture.list).map(({ id }) => id)).toEqual([task_id]);
  });

  it('posts a comment once', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.integrations.clickup.faults.late(lateMs, { method: 'POST', path: /\/comment$/ });
    await sync.tickets.comment(ticket.id, 'Once');
    await eventually(() => expect(sync.integrations.clickup.comments(task_id)).toHaveLength(1));
    await sync.whenIdle(fixture, ticket);
    expect(sync.integrations.clickup.comments(task_id)).toHaveLength(1);
  });
});

it('a tool that refuses connections has received nothing: the task is created as soon as it is back', async () => {
  const fixture = await sync.aFixture();
  await sync.integrations.clickup.away();
  const ticket = await sync.tickets.create(fixture.organization);
  await eventually(async () =>
    expect(await sync.integrations.findLink(fixture.organization, ticket.id)).toMatchObject({
      state: 'creating',
      retry_search_at: null,
      problem: 'ClickUp does not answer at the moment',
    }),
  );
  // Open pages receive one event when the problem starts, and another when it ends.
  expect((await sync.integrations.eventTypes(ticket.id)).filter((type) => type === 'task.synced')).toHaveLength(1);
  await sync.integrations.clickup.back();
  await sync.whenSynced(fixture, ticket);
  expect(sync.integrations.clickup.tasks(fixture.list)).toHaveLength(1);
});
