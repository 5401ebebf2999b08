import { eventually } from '@tandem/testing';
import { sql } from 'kysely';
import { SyncFixture, type Fixture } from '../../test/sync-fixture';

let sync: SyncFixture;
beforeAll(async () => {
  sync = await SyncFixture.open();
});
const connectionOf = async ({ organization }: Fixture) => (await sync.integrations.findConnection(organization))!;
const makeProbeDue = ({ organization }: Fixture) =>
  sync.integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx
      .updateTable('connections')
      .set({ probe_at: sql<string>`now() - interval '1 second'` })
      .execute(),
  );
const minutesUntilNext = async (fixture: Fixture) =>
  Math.round((Date.parse((await connectionOf(fixture)).probe_at!) - Date.now()) / 60_000);
const broken = async () => {
  const token = sync.integrations.clickup.issueToken();
  const fixture = await sync.aFixture({ token });
  const pair = await sync.aLinkedTicket(fixture);
  sync.integrations.clickup.revokeToken(token);
  await sync.tickets.change(pair.ticket.id, { subject: 'Waits for a token' });
  await eventually(async () => expect(await connectionOf(fixture)).toMatchObject({ state: 'broken' }));
  return { token, fixture, ...pair };
};

describe('a connection whose token was refused', () => {
  it('is checked after 1, 5 and 15 minutes, then every hour, with one call each time', async () => {
    const { fixture } = await broken();
    expect(await minutesUntilNext(fixture)).toBe(1);
    sync.integrations.clickup.clearLog();
    for (const [i, minutes] of [5, 15, 60, 60].entries()) {
      await makeProbeDue(fixture);
      await eventually(async () => expect(await minutesUntilNext(fixture)).toBe(minutes));
      await eventually(() => expect(sync.calls).toEqual(Array.from({ length: i + 1 }, () => 'GET /v2/user')));
    }
    expect(await connectionOf(fixture)).toMatchObject({ state: 'broken', probes: 4 });
    expect((await sync.integrations.eventTypes(fixture.connection.id)).filter((type) => type === 'task.sync_failed')).toHaveLength(1);
  });

  it('resumes automatically once the tool accepts the token again, with all waiting work', async () => {
    const { token, fixture, ticket, task_id } = await broken();
    sync.integrations.clickup.restoreToken(token);
    await makeProbeDue(fixture);
    await eventually(() => expect(sync.integrations.clickup.task(task_id)!.name).toBe('Waits for a token'));
    await sync.whenSynced(fixture, ticket);
    expect(await connectionOf(fixture)).toMatchObject({ state: 'connected', broken_at: null, probe_at: null, probes: 0 });
    expect(await sync.integrations.findIntegrations(fixture.organization)).toMatchObject([{ is_active: true, pause_reason: null }]);
    expect((await sync.integrations.syncLog(fixture.organization)).map(({ message }) => message)).toContain(
      'ClickUp is connected again. Waiting changes are sent now.',
    );
  });

  it('keeps a manual pause', async () => {
    const { token, fixture } = await broken();
    await sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
      tx.updateTable('integrations').set({ pause_reason: 'by_hand' }).execute(),
    );
    sync.integrations.clickup.restoreToken(token);
    await makeProbeDue(fixture);
    await eventually(async () => expect(await connectionOf(fixture)).toMatchObject({ state: 'connected' }));
    expect(await sync.integrations.findIntegrations(fixture.organization)).toMatchObject([{ is_active: false, pause_reason: 'by_hand' }]);
  });
});
