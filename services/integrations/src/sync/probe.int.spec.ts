import { eventually } from '@tandem/testing';
import { sql } from 'kysely';
import { Stage, type Scene } from '../../test/scene';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
const connectionOf = async ({ organization }: Scene) => (await stage.integrations.findConnection(organization))!;
const itsTimeHasCome = ({ organization }: Scene) =>
  stage.integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx
      .updateTable('connections')
      .set({ probe_at: sql<string>`now()` })
      .execute(),
  );
const minutesUntilNext = async (scene: Scene) => Math.round((Date.parse((await connectionOf(scene)).probe_at!) - Date.now()) / 60_000);
const broken = async () => {
  const token = stage.integrations.clickup.issueToken();
  const scene = await stage.aScene({ token });
  const pair = await stage.aPair(scene);
  stage.integrations.clickup.revokeToken(token);
  await stage.tickets.change(pair.ticket.id, { subject: 'Waits for a token' });
  await eventually(async () => expect(await connectionOf(scene)).toMatchObject({ state: 'broken' }));
  return { token, scene, ...pair };
};

describe('a connection whose token was refused', () => {
  it('is asked again after 1, 5 and 15 minutes, then every hour, with one call each time', async () => {
    const { scene } = await broken();
    expect(await minutesUntilNext(scene)).toBe(1);
    stage.integrations.clickup.clearLog();
    for (const [i, minutes] of [5, 15, 60, 60].entries()) {
      await itsTimeHasCome(scene);
      await eventually(async () => expect(await minutesUntilNext(scene)).toBe(minutes));
      await eventually(() => expect(stage.calls).toEqual(Array.from({ length: i + 1 }, () => 'GET /v2/user')));
    }
    expect(await connectionOf(scene)).toMatchObject({ state: 'broken', probes: 4 });
    expect((await stage.integrations.eventTypes(scene.connection.id)).filter((type) => type === 'task.sync_failed')).toHaveLength(1);
  });

  it('goes on by itself once the tool takes the token again, with everything that waited', async () => {
    const { token, scene, ticket, task_id } = await broken();
    stage.integrations.clickup.restoreToken(token);
    await itsTimeHasCome(scene);
    await eventually(() => expect(stage.integrations.clickup.task(task_id)!.name).toBe('Waits for a token'));
    await stage.settled(scene, ticket);
    expect(await connectionOf(scene)).toMatchObject({ state: 'connected', broken_at: null, probe_at: null, probes: 0 });
    expect(await stage.integrations.findIntegrations(scene.organization)).toMatchObject([{ is_active: true, pause_reason: null }]);
    expect((await stage.integrations.syncLog(scene.organization)).map(({ message }) => message)).toContain(
      'ClickUp is connected again: everything that waited goes on.',
    );
  });

  it('keeps what somebody paused by hand', async () => {
    const { token, scene } = await broken();
    await stage.integrations.db.forTenant({ organization_id: scene.organization.id }, (tx) =>
      tx.updateTable('integrations').set({ pause_reason: 'by_hand' }).execute(),
    );
    stage.integrations.clickup.restoreToken(token);
    await itsTimeHasCome(scene);
    await eventually(async () => expect(await connectionOf(scene)).toMatchObject({ state: 'connected' }));
    expect(await stage.integrations.findIntegrations(scene.organization)).toMatchObject([{ is_active: false, pause_reason: 'by_hand' }]);
  });
});
