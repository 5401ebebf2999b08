import { connectTaskTool, updateIntegration } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { asStaff } from '../../test/integrations';
import { Stage, type Scene } from '../../test/scene';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterEach(() => expect(stage.integrations.clickup.violations).toEqual([]));

const update = ({ organization, integration }: Scene, body: object) =>
  stage.integrations.call(updateIntegration, asStaff(organization), { params: { id: integration.id }, body });
/** Creates a ticket, whose link waits for the paused integration. */
async function aWaitingTicket(scene: Scene) {
  const ticket = await stage.tickets.create(scene.organization);
  await eventually(async () =>
    expect(await stage.integrations.findLink(scene.organization, ticket.id)).toMatchObject({
      state: 'creating',
      integration_id: scene.integration.id,
    }),
  );
  return ticket;
}

describe('a ticket that is made while nothing may be sent', () => {
  it('gets its task when a broken connection is connected again', async () => {
    const scene = await stage.aScene();
    stage.integrations.clickup.revokeToken();
    await stage.integrations.db.forTenant({ organization_id: scene.organization.id }, (tx) =>
      tx.updateTable('integrations').set({ look_at: new Date().toISOString() }).execute(),
    );
    await eventually(async () =>
      expect(await stage.integrations.findIntegrations(scene.organization)).toMatchObject([
        { is_active: false, pause_reason: 'connection_broken' },
      ]),
    );
    const ticket = await aWaitingTicket(scene);
    await stage.tickets.comment(ticket.id, 'It burns again.');
    const token = stage.integrations.clickup.issueToken({ personal: true });
    const connected = await stage.integrations.call(connectTaskTool, asStaff(scene.organization), { body: { provider: 'clickup', token } });
    expect(connected.status).toBe(201);
    const { task_id } = await stage.settled(scene, ticket);
    await eventually(() => expect(stage.integrations.clickup.comments(task_id)).toHaveLength(1));
    expect(stage.integrations.clickup.tasks(scene.list)).toHaveLength(1);
  });

  it('gets its task when somebody who paused the integration resumes it', async () => {
    const scene = await stage.aScene();
    expect((await update(scene, { is_active: false })).status).toBe(200);
    const ticket = await aWaitingTicket(scene);
    expect(stage.integrations.clickup.tasks(scene.list)).toEqual([]);
    expect((await update(scene, { is_active: true })).status).toBe(200);
    await stage.settled(scene, ticket);
    expect(stage.integrations.clickup.tasks(scene.list)).toHaveLength(1);
  });
});
