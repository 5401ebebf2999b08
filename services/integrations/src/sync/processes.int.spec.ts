import { eventually, startForTest } from '@tandem/testing';
import { Stage } from '../../test/scene';
import { integrationsService } from '../integrations.module';

/** This process handles requests and events; each test starts and stops its own workers. */
let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open({ RUN: 'http,events', SYNC_LEASE_MS: '1000' });
});
const aWorker = () => startForTest(integrationsService, { ...stage.integrations.env, RUN: 'jobs', SHUTDOWN_GRACE_MS: '1' });

describe('a process that dies in the middle', () => {
  it('of making a task leaves one task behind, and the next one finds it', async () => {
    const first = await aWorker();
    const scene = await stage.aScene();
    // The task is created, but the worker that created it never receives the response.
    stage.integrations.clickup.faults.delay(1_500, { method: 'POST', path: /\/list\/\d+\/task$/ });
    const ticket = await stage.tickets.create(scene.organization);
    await eventually(() => expect(stage.integrations.clickup.tasks(scene.list)).toHaveLength(1));
    await first.close();
    expect(await stage.integrations.findLink(scene.organization, ticket.id)).toMatchObject({
      state: 'creating',
      create_begun_at: expect.any(String) as string,
    });
    const second = await aWorker();
    const { task_id } = await stage.settled(scene, ticket);
    expect(stage.integrations.clickup.tasks(scene.list).map(({ id }) => id)).toEqual([task_id]);
    await second.close();
  }, 60_000);

  it('of sending a comment leaves one comment behind', async () => {
    const first = await aWorker();
    const scene = await stage.aScene();
    const { ticket, task_id } = await stage.aPair(scene);
    stage.integrations.clickup.faults.delay(1_500, { method: 'POST', path: /\/comment$/ });
    await stage.tickets.comment(ticket.id, 'Only once');
    await eventually(() => expect(stage.integrations.clickup.comments(task_id)).toHaveLength(1));
    await first.close();
    const second = await aWorker();
    await stage.quiet(scene, ticket);
    expect(stage.integrations.clickup.comments(task_id)).toHaveLength(1);
    expect(await stage.integrations.eventTypes(ticket.id)).not.toContain('task.comment_received');
    await second.close();
  }, 60_000);
});

describe('two processes', () => {
  it('never work on one connection at once: nothing is made or said twice', async () => {
    const workers = await Promise.all([aWorker(), aWorker()]);
    const scene = await stage.aScene();
    stage.integrations.clickup.clearLog();
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, i) => stage.tickets.create(scene.organization, { subject: `Number ${i}` })),
    );
    await Promise.all(made.map(({ id }) => stage.tickets.comment(id, 'A word')));
    for (const ticket of made) await stage.quiet(scene, ticket);
    const tasks = stage.integrations.clickup.tasks(scene.list);
    expect(tasks.map(({ name }) => name).sort()).toEqual(made.map(({ subject }) => subject).sort());
    for (const { id } of tasks) expect(stage.integrations.clickup.comments(id)).toHaveLength(1);
    expect(stage.calls.filter((call) => call === 'POST /v2/list/{list_id}/task')).toHaveLength(12);
    await Promise.all(workers.map((worker) => worker.close()));
  }, 60_000);
});
