import { eventually } from '@tandem/testing';
import { Stage } from '../../test/scene';

/** Calls time out after 1.5 s; the first retry follows a second later. */
let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open({ TASK_TOOL_TIMEOUT_MS: '1500' });
});
afterEach(() => expect(stage.integrations.clickup.violations).toEqual([]));
const lateMs = 2_850;

describe('a request that takes effect after nobody waits for it any more', () => {
  it('makes one task', async () => {
    const scene = await stage.aScene();
    stage.integrations.clickup.faults.late(lateMs, { method: 'POST', path: /\/list\/\d+\/task$/ });
    const ticket = await stage.tickets.create(scene.organization);
    const { task_id } = await stage.settled(scene, ticket);
    expect(stage.integrations.clickup.tasks(scene.list).map(({ id }) => id)).toEqual([task_id]);
  });

  it('says a comment once', async () => {
    const scene = await stage.aScene();
    const { ticket, task_id } = await stage.aPair(scene);
    stage.integrations.clickup.faults.late(lateMs, { method: 'POST', path: /\/comment$/ });
    await stage.tickets.comment(ticket.id, 'Once');
    await eventually(() => expect(stage.integrations.clickup.comments(task_id)).toHaveLength(1));
    await stage.quiet(scene, ticket);
    expect(stage.integrations.clickup.comments(task_id)).toHaveLength(1);
  });
});

it('a tool that refuses connections has seen nothing: as soon as it is back the task is made', async () => {
  const scene = await stage.aScene();
  await stage.integrations.clickup.away();
  const ticket = await stage.tickets.create(scene.organization);
  await eventually(async () =>
    expect(await stage.integrations.findLink(scene.organization, ticket.id)).toMatchObject({
      ...{ state: 'creating', search_at: null, problem: 'ClickUp does not answer at the moment' },
    }),
  );
  // Open pages receive one event when the problem starts, and another when it ends.
  expect((await stage.integrations.eventTypes(ticket.id)).filter((type) => type === 'task.synced')).toHaveLength(1);
  await stage.integrations.clickup.back();
  await stage.settled(scene, ticket);
  expect(stage.integrations.clickup.tasks(scene.list)).toHaveLength(1);
});
