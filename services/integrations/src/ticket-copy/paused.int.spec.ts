import { connectTaskTool, updateIntegration } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { asStaff } from '../../test/integrations';
import { Stage, type Scene } from '../../test/scene';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterEach(() => expect(stage.house.clickup.violations).toEqual([]));

const update = ({ place, integration }: Scene, body: object) =>
  stage.house.call(updateIntegration, asStaff(place), { params: { id: integration.id }, body });
/** Creates a ticket, whose link waits for the paused integration. */
async function aWaitingTicket(scene: Scene) {
  const ticket = await stage.tickets.create(scene.place);
  await eventually(async () =>
    expect(await stage.house.findLink(scene.place, ticket.id)).toMatchObject({ state: 'creating', integration_id: scene.integration.id }),
  );
  return ticket;
}

describe('a ticket that is made while nothing may be sent', () => {
  it('gets its task when a broken connection is connected again', async () => {
    const scene = await stage.aScene();
    stage.house.clickup.revokeToken();
    await stage.house.db.forTenant({ organization_id: scene.place.id }, (tx) =>
      tx.updateTable('integrations').set({ look_at: new Date().toISOString() }).execute(),
    );
    await eventually(async () =>
      expect(await stage.house.findIntegrations(scene.place)).toMatchObject([{ is_active: false, pause_reason: 'connection_broken' }]),
    );
    const ticket = await aWaitingTicket(scene);
    await stage.tickets.comment(ticket.id, 'It burns again.');
    const token = stage.house.clickup.issueToken({ personal: true });
    const connected = await stage.house.call(connectTaskTool, asStaff(scene.place), { body: { provider: 'clickup', token } });
    expect(connected.status).toBe(201);
    const { task_id } = await stage.settled(scene, ticket);
    await eventually(() => expect(stage.house.clickup.comments(task_id)).toHaveLength(1));
    expect(stage.house.clickup.tasks(scene.list)).toHaveLength(1);
  });

  it('gets its task when somebody who paused the integration resumes it', async () => {
    const scene = await stage.aScene();
    expect((await update(scene, { is_active: false })).status).toBe(200);
    const ticket = await aWaitingTicket(scene);
    expect(stage.house.clickup.tasks(scene.list)).toEqual([]);
    expect((await update(scene, { is_active: true })).status).toBe(200);
    await stage.settled(scene, ticket);
    expect(stage.house.clickup.tasks(scene.list)).toHaveLength(1);
  });
});
