import { disconnectTaskTool, readTaskToolConnections, type Context } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { asStaff, IntegrationsUnderTest, type TestOrganization } from '../../test/integrations';

let integrations: IntegrationsUnderTest;
beforeAll(async () => (integrations = await IntegrationsUnderTest.start()));
afterAll(() => integrations?.close());

const disconnect = (organization: TestOrganization, ctx: Context = asStaff(organization)) =>
  integrations.call(disconnectTaskTool, ctx, { params: { provider: 'clickup' } });
describe('disconnecting', () => {
  it('removes the token, webhooks and integrations, and unlinks every ticket that had a task', async () => {
    const organization = integrations.anOrganization();
    const connection = await integrations.aConnection(organization);
    const integration = await integrations.anIntegration(connection);
    const copy = await integrations.aTicketCopy(organization);
    const linked = await integrations.aLink(integration, {
      ticket_id: copy.ticket_id,
      task_id: 'task1',
      next_sync_at: '2100-01-01T00:00:00.000Z',
    });
    const gone = await integrations.aLink(integration, { task_id: 'task2', state: 'gone' });
    const creating = await integrations.aLink(integration, { state: 'creating' });
    expect(await disconnect(organization)).toMatchObject({ status: 200, data: {} });
    expect(await integrations.findConnection(organization)).toBeUndefined();
    expect(await integrations.findIntegrations(organization)).toEqual([]);
    expect((await integrations.call(readTaskToolConnections, asStaff(organization))).data).toEqual([]);
    expect(await integrations.events(linked.ticket_id)).toMatchObject([
      { type: 'task.unlinked', data: { ticket_id: linked.ticket_id, task_id: 'task1', reason: 'disconnected' } },
    ]);
    for (const { ticket_id } of [gone, creating]) expect(await integrations.eventTypes(ticket_id)).toEqual([]);
    expect(await integrations.findLink(organization, linked.ticket_id)).toMatchObject({
      state: 'unlinked',
      next_sync_at: null,
      task: null,
      shadow: {},
    });
    const copies = await integrations.db.forTenant(asStaff(organization), (tx) => tx.selectFrom('ticket_copies').selectAll().execute());
    expect(copies).toEqual([]);
    expect((await integrations.events(connection.id)).at(-1)).toMatchObject({
      type: 'task.settings_changed',
      data: { what: 'task_tool.disconnected', target: 'ClickUp (Grace Okafor)' },
    });
    expect(await disconnect(organization)).toMatchObject({ status: 409, data: { code: 'task_tool.not_connected' } });
  });

  it('removes our webhooks from the tool', async () => {
    const organization = integrations.anOrganization();
    const token = integrations.clickup.issueToken();
    const connection = await integrations.aConnection(organization, { token });
    const integration = await integrations.anIntegration(connection);
    const body = JSON.stringify({ endpoint: 'http://127.0.0.1:9/hook', events: ['taskUpdated'], list_id: Number(integration.list_id) });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const address = `${integrations.clickup.apiUrl}/v2/team/${integration.workspace_id}/webhook`;
    const { id: webhook_id } = (await (await fetch(address, { method: 'POST', headers, body })).json()) as { id: string };
    await integrations.db.forTenant(asStaff(organization), (tx) => tx.updateTable('integrations').set({ webhook_id }).execute());
    expect(integrations.clickup.webhooks.map(({ id }) => id)).toContain(webhook_id);
    expect((await disconnect(organization)).status).toBe(200);
    expect(integrations.clickup.webhooks.map(({ id }) => id)).not.toContain(webhook_id);
  });

  it('unlinks thousands of tickets within one request', async () => {
    const organization = integrations.anOrganization();
    const { id, connection_id } = await integrations.anIntegration(await integrations.aConnection(organization));
    const rows = Array.from({ length: 6_000 }, (_, i) => ({
      organization_id: organization.id,
      ticket_id: newId(),
      integration_id: id,
      connection_id,
      state: 'linked' as const,
      task_id: `t${i}`,
    }));
    for (let from = 0; from < rows.length; from += 3_000)
      await integrations.db.forTenant(asStaff(organization), (tx) =>
        tx
          .insertInto('links')
          .values(rows.slice(from, from + 3_000))
          .execute(),
      );
    expect((await disconnect(organization)).status).toBe(200);
    const events = (await integrations.events()).filter(
      (event) => event.organization_id === organization.id && event.type === 'task.unlinked',
    );
    expect(new Set(events.map(({ subject }) => subject)).size).toBe(6_000);
  });

  it('works while the tool is down or refuses the token', async () => {
    for (const state of ['connected', 'broken'] as const) {
      const organization = integrations.anOrganization();
      const connection = await integrations.aConnection(organization, { token: 'pk_dead', state });
      await integrations.anIntegration(connection, { webhook_id: 'w1' });
      expect((await disconnect(organization)).status).toBe(200);
      expect(await integrations.findConnection(organization)).toBeUndefined();
    }
  });

  it('does not affect another organization’s connection', async () => {
    const [organization, other] = [integrations.anOrganization(), integrations.anOrganization()];
    const connection = await integrations.aConnection(other);
    expect(await disconnect(organization)).toMatchObject({ status: 409 });
    expect((await integrations.findConnection(other))!.id).toBe(connection.id);
    expect((await integrations.call<[]>(readTaskToolConnections, asStaff(organization))).data).toEqual([]);
  });
});
