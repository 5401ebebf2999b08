import { eventually, startForTest } from '@tandem/testing';
import { SyncFixture } from '../../test/sync-fixture';
import { integrationsService } from '../integrations.module';

/** This process handles requests and events; each test starts and stops its own workers. */
let sync: SyncFixture;
beforeAll(async () => {
  sync = await SyncFixture.open({ RUN: 'http,events', SYNC_LEASE_MS: '1000' });
});
const aWorker = () => startForTest(integrationsService, { ...sync.integrations.env, RUN: 'jobs', SHUTDOWN_GRACE_MS: '1' });

describe('a process that dies', () => {
  it('while it creates a task leaves one task, which the next process finds', async () => {
    const first = await aWorker();
    const fixture = await sync.aFixture();
    // The task is created, but the worker that created it never receives the response.
    sync.integrations.clickup.faults.delay(1_500, { method: 'POST', path: /\/list\/\d+\/task$/ });
    const ticket = await sync.tickets.create(fixture.organization);
    await eventually(() => expect(sync.integrations.clickup.tasks(fixture.list)).toHaveLength(1));
    await first.close();
    expect(await sync.integrations.findLink(fixture.organization, ticket.id)).toMatchObject({
      state: 'creating',
      create_started_at: expect.any(String) as string,
    });
    const second = await aWorker();
    const { task_id } = await sync.whenSynced(fixture, ticket);
    expect(sync.integrations.clickup.tasks(fixture.list).map(({ id }) => id)).toEqual([task_id]);
    await second.close();
  }, 60_000);

  it('while it sends a comment leaves one comment', async () => {
    const first = await aWorker();
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.integrations.clickup.faults.delay(1_500, { method: 'POST', path: /\/comment$/ });
    await sync.tickets.comment(ticket.id, 'Only once');
    await eventually(() => expect(sync.integrations.clickup.comments(task_id)).toHaveLength(1));
    await first.close();
    const second = await aWorker();
    await sync.whenIdle(fixture, ticket);
    expect(sync.integrations.clickup.comments(task_id)).toHaveLength(1);
    expect(await sync.integrations.eventTypes(ticket.id)).not.toContain('task.comment_received');
    await second.close();
  }, 60_000);
});

describe('two processes', () => {
  it('never sync one connection at the same time: nothing is created or posted twice', async () => {
    const workers = await Promise.all([aWorker(), aWorker()]);
    const fixture = await sync.aFixture();
    sync.integrations.clickup.clearLog();
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, i) => sync.tickets.create(fixture.organization, { subject: `Number ${i}` })),
    );
    await Promise.all(made.map(({ id }) => sync.tickets.comment(id, 'A word')));
    for (const ticket of made) await sync.whenIdle(fixture, ticket);
    const tasks = sync.integrations.clickup.tasks(fixture.list);
    expect(tasks.map(({ name }) => name).sort()).toEqual(made.map(({ subject }) => subject).sort());
    for (const { id } of tasks) expect(sync.integrations.clickup.comments(id)).toHaveLength(1);
    expect(sync.calls.filter((call) => call === 'POST /v2/list/{list_id}/task')).toHaveLength(12);
    await Promise.all(workers.map((worker) => worker.close()));
  }, 60_000);
});
