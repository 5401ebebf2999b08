import { listIntegrations, updateIntegration, type Integration } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { eventually } from '@tandem/testing';
import { asStaff } from '../../test/integrations';
import { Stage, type Scene } from '../../test/scene';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterEach(() => {
  expect(stage.integrations.clickup.violations).toEqual([]);
  stage.integrations.clickup.faults.clear();
});

/** The token is valid, and every request about the workspace answers 401. */
const loseWorkspace = () =>
  stage.integrations.clickup.faults.answer(
    { status: 401, body: { err: 'Team not authorized', ECODE: 'OAUTH_027' } },
    { path: /\/(task|list|webhook|team\/\d+)/, times: Infinity },
  );
const found = async ({ organization, integration }: Scene) =>
  (await stage.integrations.findIntegrations(organization)).find(({ id }) => id === integration.id)!;
const paused = (scene: Scene) =>
  eventually(async () => expect(await found(scene)).toMatchObject({ is_active: false, pause_reason: 'unavailable' }));
const resumed = (scene: Scene) => eventually(async () => expect(await found(scene)).toMatchObject({ is_active: true, pause_reason: null }));
/** Makes the next probe due now. */
const probe = ({ integration, organization }: Scene, unavailable_since?: string) =>
  stage.integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx
      .updateTable('integrations')
      .set({ look_at: new Date().toISOString(), ...(unavailable_since && { unavailable_since }) })
      .where('id', '=', integration.id)
      .execute(),
  );
const probes = (scene: Scene, count: number) => eventually(async () => expect((await found(scene)).probes).toBe(count));

describe('a workspace that is not available for a minute', () => {
  it('fails no ticket: its list is requested with back-off, and everything is sent automatically once it is there', async () => {
    const scene = await stage.aScene();
    const pairs = [await stage.aPair(scene), await stage.aPair(scene), await stage.aPair(scene)];
    loseWorkspace();
    for (const { ticket } of pairs) await stage.tickets.change(ticket.id, { subject: `Changed ${ticket.ticket_number}` });
    const fresh = await stage.tickets.create(scene.organization);
    await paused(scene);
    for (const { ticket } of pairs)
      expect(await stage.integrations.findLink(scene.organization, ticket.id)).toMatchObject({
        state: 'linked',
        work_at: expect.any(String) as string,
      });
    expect(await stage.integrations.findConnection(scene.organization)).toMatchObject({ state: 'connected' });
    const { data } = await stage.integrations.call<Integration[]>(listIntegrations, asStaff(scene.organization));
    expect(data).toMatchObject([
      { health: 'attention', health_detail: expect.stringContaining('Tandem keeps trying') as string, failed_count: 0 },
    ]);
    stage.integrations.clickup.clearLog();
    await probe(scene);
    await probes(scene, 2);
    // The list, whether the token is valid, and the workspaces that it gives access to.
    expect(stage.calls).toEqual(['GET /v2/list/{list_id}/task', 'GET /v2/user', 'GET /v2/team']);
    expect(await stage.integrations.eventTypes(scene.integration.id)).not.toContain('task.sync_failed');

    stage.integrations.clickup.faults.clear();
    await probe(scene);
    await resumed(scene);
    for (const { ticket, task_id } of pairs)
      await eventually(() => expect(stage.integrations.clickup.task(task_id)!.name).toBe(`Changed ${ticket.ticket_number}`));
    await stage.settled(scene, fresh);
    expect((await stage.integrations.syncLog(scene.organization)).map(({ message }) => message)).toContainEqual(
      expect.stringContaining('is available again'),
    );
  });

  it('notifies an admin when it takes long, and is requested all the same', async () => {
    const scene = await stage.aScene();
    const { ticket, task_id } = await stage.aPair(scene);
    loseWorkspace();
    await stage.tickets.change(ticket.id, { subject: 'Much later' });
    await paused(scene);
    await probe(scene, new Date(Date.now() - 20 * 60_000).toISOString());
    await eventually(async () => expect(await found(scene)).toMatchObject({ pause_reason: 'list_gone' }));
    await probe(scene);
    await probes(scene, 3);
    const alarms = (await stage.integrations.events(scene.integration.id)).filter(({ type }) => type === 'task.sync_failed');
    expect(alarms.map(({ data }) => data.problem)).toEqual(['list_gone']);
    stage.integrations.clickup.faults.clear();
    await probe(scene);
    await eventually(() => expect(stage.integrations.clickup.task(task_id)!.name).toBe('Much later'));
  });

  it('is named as the cause, with the other organization that shares the account', async () => {
    const scene = await stage.aScene();
    const { ticket } = await stage.aPair(scene);
    loseWorkspace();
    await stage.integrations.db.forTenant({ organization_id: scene.organization.id }, async (tx) => {
      await tx.updateTable('connections').set({ account_id: '4711' }).where('id', '=', scene.connection.id).execute();
      await tx.updateTable('integrations').set({ workspace_id: '999', workspace_name: 'Northwind' }).execute();
    });
    await stage.tickets.change(ticket.id, { subject: 'Lost' });
    await paused(scene);
    expect((await found(scene)).pause_detail).toMatch(/no longer gives Tandem access to the workspace “Northwind”.*select this workspace/);
    await stage.integrations.aConnection(stage.integrations.anOrganization(), { id: newId(), account_id: '4711' });
    await probe(scene);
    await eventually(async () =>
      expect((await found(scene)).pause_detail).toMatch(/Another Tandem organization is connected with the same account/),
    );
  });

  it('leaves a pause by hand alone', async () => {
    const scene = await stage.aScene();
    const { ticket } = await stage.aPair(scene);
    loseWorkspace();
    await stage.tickets.change(ticket.id, { subject: 'Waits' });
    await paused(scene);
    const update = (is_active: boolean) =>
      stage.integrations.call(updateIntegration, asStaff(scene.organization), {
        params: { id: scene.integration.id },
        body: { is_active },
      });
    stage.integrations.clickup.faults.clear();
    await update(true);
    expect(await found(scene)).toMatchObject({ is_active: true, unavailable_since: null, pause_detail: null });
    await update(false);
    await probe(scene);
    expect(await found(scene)).toMatchObject({ is_active: false, pause_reason: 'by_hand' });
  });
});

it('a list that the tool did not show is requested again, and its integration goes on automatically', async () => {
  const scene = await stage.aScene();
  const { ticket, task_id } = await stage.aPair(scene);
  const missing = { status: 404, body: { err: 'List not found', ECODE: 'ITEM_013' } };
  stage.integrations.clickup.faults.answer(missing, { method: 'GET', path: `/list/${scene.integration.list_id}`, times: Infinity });
  await probe(scene);
  await eventually(async () => expect(await found(scene)).toMatchObject({ is_active: false, pause_reason: 'list_gone' }));
  await stage.tickets.change(ticket.id, { subject: 'After that' });
  stage.integrations.clickup.faults.clear();
  await probe(scene);
  await resumed(scene);
  await eventually(() => expect(stage.integrations.clickup.task(task_id)!.name).toBe('After that'));
});

it('resuming an integration tries the failed links again', async () => {
  const scene = await stage.aScene();
  const { ticket, task_id } = await stage.aPair(scene);
  stage.integrations.clickup.failNext(401, 'OAUTH_027', { method: 'PUT', path: task_id });
  await stage.tickets.change(ticket.id, { subject: 'Failed before' });
  await eventually(async () => expect(await stage.integrations.findLink(scene.organization, ticket.id)).toMatchObject({ state: 'failed' }));
  for (const is_active of [false, true])
    await stage.integrations.call(updateIntegration, asStaff(scene.organization), {
      params: { id: scene.integration.id },
      body: { is_active },
    });
  await eventually(() => expect(stage.integrations.clickup.task(task_id)!.name).toBe('Failed before'));
});
