import { syncTicketTask } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { asStaff } from '../../test/integrations';
import { Stage } from '../../test/scene';

/** 20 calls in each 1.5 seconds: a limit of 20 a minute, forty times as fast. */
let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open({}, { rateLimitPerMinute: 20, timeScale: 40 });
});

describe('a limit of calls', () => {
  it('is kept to, and what is left of it is for whoever waits at a screen', async () => {
    const scene = await stage.aScene();
    const { ticket, task_id } = await stage.aPair(scene);
    const made = await Promise.all(Array.from({ length: 60 }, () => stage.tickets.create(scene.organization)));
    // No webhook arrives; a person requests a sync while sixty tickets wait.
    stage.integrations.clickup.dropDeliveries(1_000);
    stage.integrations.clickup.person.rename(task_id, 'Asked for');
    expect((await stage.integrations.call(syncTicketTask, asStaff(scene.organization), { params: { id: ticket.id } })).status).toBe(202);
    await eventually(() => expect(stage.tickets.get(ticket.id).subject).toBe('Asked for'));
    expect(stage.integrations.clickup.tasks(scene.list).length).toBeLessThan(61);
    for (const each of made) await eventually(() => stage.settled(scene, each), { timeoutMs: 60_000 });
    expect(stage.integrations.clickup.tasks(scene.list)).toHaveLength(61);
    const refused = stage.integrations.clickup.requests.filter(({ status }) => status === 429);
    expect(refused.length).toBeLessThanOrEqual(3);
    const createdWith = stage.calls.filter((call) => call === 'POST /v2/list/{list_id}/task').length - refused.length;
    expect(createdWith).toBeLessThanOrEqual(60);
  }, 90_000);
});
