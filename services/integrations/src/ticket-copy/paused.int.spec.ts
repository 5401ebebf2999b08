import { connectTaskTool, updateIntegration } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { asStaff } from '../../test/integrations';
import { SyncFixture, type Fixture } from '../../test/sync-fixture';

let sync: SyncFixture;
beforeAll(async () => {
  sync = await SyncFixture.open();
});
afterEach(() => expect(sync.integrations.clickup.violations).toEqual([]));

const update = ({ organization, integration }: Fixture, body: object) =>
  sync.integrations.call(updateIntegration, asStaff(organization), { params: { id: integration.id }, body });
/** Creates a ticket, whose link waits for the paused integration. */
async function aWaitingTicket(fixture: Fixture) {
  const ticket = await sync.tickets.create(fixture.organization);
  await eventually(async () =>
    expect(await sync.integrations.findLink(fixture.organization, ticket.id)).toMatchObject({
      state: 'creating',
      integration_id: fixture.integration.id,
    }),
  );
  return ticket;
}

describe('a ticket that is created while nothing may be sent', () => {
  it('gets its task when a broken connection is connected again', async () => {
    const fixture = await sync.aFixture();
    sync.integrations.clickup.revokeToken();
    await sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
      tx.updateTable('integrations').set({ next_check_at: new Date().toISOString() }).execute(),
    );
    await eventually(async () =>
      expect(await sync.integrations.findIntegrations(fixture.organization)).toMatchObject([
        { is_active: false, pause_reason: 'connection_broken' },
      ]),
    );
    const ticket = await aWaitingTicket(fixture);
    await sync.tickets.comment(ticket.id, 'It burns again.');
    const token = sync.integrations.clickup.issueToken({ personal: true });
    const connected = await sync.integrations.call(connectTaskTool, asStaff(fixture.organization), {
      body: { provider: 'clickup', token },
    });
    expect(connected.status).toBe(201);
    const { task_id } = await sync.whenSynced(fixture, ticket);
    await eventually(() => expect(sync.integrations.clickup.comments(task_id)).toHaveLength(1));
    expect(sync.integrations.clickup.tasks(fixture.list)).toHaveLength(1);
  });

  it('gets its task when a manually paused integration is resumed', async () => {
    const fixture = await sync.aFixture();
    expect((await update(fixture, { is_active: false })).status).toBe(200);
    const ticket = await aWaitingTicket(fixture);
    expect(sync.integrations.clickup.tasks(fixture.list)).toEqual([]);
    expect((await update(fixture, { is_active: true })).status).toBe(200);
    await sync.whenSynced(fixture, ticket);
    expect(sync.integrations.clickup.tasks(fixture.list)).toHaveLength(1);
  });
});
