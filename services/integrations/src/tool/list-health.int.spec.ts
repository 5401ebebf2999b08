import { listIntegrations, updateIntegration, type Integration } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { eventually } from '@tandem/testing';
import { asStaff } from '../../test/integrations';
import { SyncFixture, type Fixture } from '../../test/sync-fixture';

let sync: SyncFixture;
beforeAll(async () => {
  sync = await SyncFixture.open();
});
afterEach(() => {
  expect(sync.integrations.clickup.violations).toEqual([]);
  sync.integrations.clickup.faults.clear();
});

/** The token is valid, and every request about the workspace answers 401. */
const loseWorkspace = () =>
  sync.integrations.clickup.faults.answer(
    { status: 401, body: { err: 'Team not authorized', ECODE: 'OAUTH_027' } },
    { path: /\/(task|list|webhook|team\/\d+)/, times: Infinity },
  );
const found = async ({ organization, integration }: Fixture) =>
  (await sync.integrations.findIntegrations(organization)).find(({ id }) => id === integration.id)!;
/** Waits until the integration is paused and no call is in flight: the other links check the list at the same time. */
const paused = (fixture: Fixture) =>
  eventually(async () => {
    expect(await found(fixture)).toMatchObject({ is_active: false, pause_reason: 'unavailable' });
    expect(await sync.integrations.findConnection(fixture.organization)).toMatchObject({ lease_id: null });
  });
const resumed = (fixture: Fixture) =>
  eventually(async () => expect(await found(fixture)).toMatchObject({ is_active: true, pause_reason: null }));
/** Makes the next probe due now. */
const probe = ({ integration, organization }: Fixture, unavailable_since?: string) =>
  sync.integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx
      .updateTable('integrations')
      .set({ next_check_at: new Date().toISOString(), ...(unavailable_since && { unavailable_since }) })
      .where('id', '=', integration.id)
      .execute(),
  );
const probes = (fixture: Fixture, count: number) => eventually(async () => expect((await found(fixture)).probes).toBe(count));

describe('a workspace that is unavailable for a minute', () => {
  it('fails no ticket: its list is requested with back-off, and everything is sent automatically afterward', async () => {
    const fixture = await sync.aFixture();
    const pairs = [await sync.aLinkedTicket(fixture), await sync.aLinkedTicket(fixture), await sync.aLinkedTicket(fixture)];
    loseWorkspace();
    for (const { ticket } of pairs) await sync.tickets.change(ticket.id, { subject: `Changed ${ticket.ticket_number}` });
    const fresh = await sync.tickets.create(fixture.organization);
    await paused(fixture);
    // Changes may arrive after the list was paused.
    for (const { ticket } of pairs)
      await eventually(async () =>
        expect(await sync.integrations.findLink(fixture.organization, ticket.id)).toMatchObject({
          state: 'linked',
          next_sync_at: expect.any(String) as string,
        }),
      );
    expect(await sync.integrations.findConnection(fixture.organization)).toMatchObject({ state: 'connected' });
    const { data } = await sync.integrations.call<Integration[]>(listIntegrations, asStaff(fixture.organization));
    expect(data).toMatchObject([
      { health: 'attention', health_detail: expect.stringContaining('Tandem keeps trying') as string, failed_count: 0 },
    ]);
    sync.integrations.clickup.clearLog();
    await probe(fixture);
    await probes(fixture, 2);
    // The list, whether the token is valid, and the workspaces that it gives access to.
    expect(sync.calls).toEqual(['GET /v2/list/{list_id}/task', 'GET /v2/user', 'GET /v2/team']);
    expect(await sync.integrations.eventTypes(fixture.integration.id)).not.toContain('task.sync_failed');

    sync.integrations.clickup.faults.clear();
    await probe(fixture);
    await resumed(fixture);
    for (const { ticket, task_id } of pairs)
      await eventually(() => expect(sync.integrations.clickup.task(task_id)!.name).toBe(`Changed ${ticket.ticket_number}`));
    await sync.whenSynced(fixture, fresh);
    expect((await sync.integrations.syncLog(fixture.organization)).map(({ message }) => message)).toContainEqual(
      expect.stringContaining('is available again'),
    );
  });

  it('notifies an admin after some time, and is still requested', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    loseWorkspace();
    await sync.tickets.change(ticket.id, { subject: 'Much later' });
    await paused(fixture);
    await probe(fixture, new Date(Date.now() - 20 * 60_000).toISOString());
    await eventually(async () => expect(await found(fixture)).toMatchObject({ pause_reason: 'list_gone' }));
    await probe(fixture);
    await probes(fixture, 3);
    const alarms = (await sync.integrations.events(fixture.integration.id)).filter(({ type }) => type === 'task.sync_failed');
    expect(alarms.map(({ data }) => data.problem)).toEqual(['list_gone']);
    sync.integrations.clickup.faults.clear();
    await probe(fixture);
    await eventually(() => expect(sync.integrations.clickup.task(task_id)!.name).toBe('Much later'));
  });

  it('is named as the cause, with the other organization that shares the account', async () => {
    const fixture = await sync.aFixture();
    const { ticket } = await sync.aLinkedTicket(fixture);
    loseWorkspace();
    await sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, async (tx) => {
      await tx.updateTable('connections').set({ account_id: '4711' }).where('id', '=', fixture.connection.id).execute();
      await tx.updateTable('integrations').set({ workspace_id: '999', workspace_name: 'Northwind' }).execute();
    });
    await sync.tickets.change(ticket.id, { subject: 'Lost' });
    await paused(fixture);
    expect((await found(fixture)).pause_detail).toMatch(
      /no longer gives Tandem access to the workspace “Northwind”.*select this workspace/,
    );
    await sync.integrations.aConnection(sync.integrations.anOrganization(), { id: newId(), account_id: '4711' });
    await probe(fixture);
    await eventually(async () =>
      expect((await found(fixture)).pause_detail).toMatch(/Another Tandem organization is connected with the same account/),
    );
  });

  it('does not change a manual pause', async () => {
    const fixture = await sync.aFixture();
    const { ticket } = await sync.aLinkedTicket(fixture);
    loseWorkspace();
    await sync.tickets.change(ticket.id, { subject: 'Waits' });
    await paused(fixture);
    const update = (is_active: boolean) =>
      sync.integrations.call(updateIntegration, asStaff(fixture.organization), {
        params: { id: fixture.integration.id },
        body: { is_active },
      });
    sync.integrations.clickup.faults.clear();
    await update(true);
    expect(await found(fixture)).toMatchObject({ is_active: true, unavailable_since: null, pause_detail: null });
    await update(false);
    await probe(fixture);
    expect(await found(fixture)).toMatchObject({ is_active: false, pause_reason: 'by_hand' });
  });
});

it('a list that the tool did not show is requested again, and its integration resumes automatically', async () => {
  const fixture = await sync.aFixture();
  const { ticket, task_id } = await sync.aLinkedTicket(fixture);
  const missing = { status: 404, body: { err: 'List not found', ECODE: 'ITEM_013' } };
  sync.integrations.clickup.faults.answer(missing, { method: 'GET', path: `/list/${fixture.integration.list_id}`, times: Infinity });
  await probe(fixture);
  await eventually(async () => expect(await found(fixture)).toMatchObject({ is_active: false, pause_reason: 'list_gone' }));
  await sync.tickets.change(ticket.id, { subject: 'After that' });
  sync.integrations.clickup.faults.clear();
  await probe(fixture);
  await resumed(fixture);
  await eventually(() => expect(sync.integrations.clickup.task(task_id)!.name).toBe('After that'));
});

it('resuming an integration retries the failed links', async () => {
  const fixture = await sync.aFixture();
  const { ticket, task_id } = await sync.aLinkedTicket(fixture);
  sync.integrations.clickup.failNext(401, 'OAUTH_027', { method: 'PUT', path: task_id });
  await sync.tickets.change(ticket.id, { subject: 'Failed before' });
  await eventually(async () =>
    expect(await sync.integrations.findLink(fixture.organization, ticket.id)).toMatchObject({ state: 'failed' }),
  );
  for (const is_active of [false, true])
    await sync.integrations.call(updateIntegration, asStaff(fixture.organization), {
      params: { id: fixture.integration.id },
      body: { is_active },
    });
  await eventually(() => expect(sync.integrations.clickup.task(task_id)!.name).toBe('Failed before'));
});
