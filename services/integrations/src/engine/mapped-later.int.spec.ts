import { syncTicketTask, updateIntegration, type Ticket } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { asStaff } from '../../test/integrations';
import { SyncFixture, type Fixture } from '../../test/sync-fixture';

let sync: SyncFixture;
beforeAll(async () => {
  sync = await SyncFixture.open();
});
afterEach(() => expect(sync.integrations.clickup.violations).toEqual([]));

const syncByHand = (fixture: Fixture, { id }: Ticket) =>
  sync.integrations.call(syncTicketTask, asStaff(fixture.organization), { params: { id } });
const statusOf = (task_id: string) => sync.integrations.clickup.task(task_id)!.status;
const known = { open: 'To Do', in_progress: 'In Progress', waiting_for_customer: 'Review', resolved: 'Complete', closed: 'Closed' };
const mapTo = (fixture: Fixture, status_mappings: object) =>
  sync.integrations.call(updateIntegration, asStaff(fixture.organization), {
    params: { id: fixture.integration.id },
    body: { status_mappings },
  });

describe('a status', () => {
  it('that was not mapped is sent once it is mapped, and nothing else is sent', async () => {
    const fixture = await sync.aFixture({ status_mappings: JSON.stringify({ ...known, in_progress: null }) });
    const [waiting, finished, other] = [
      await sync.aLinkedTicket(fixture),
      await sync.aLinkedTicket(fixture),
      await sync.aLinkedTicket(fixture),
    ];
    for (const { ticket } of [waiting, finished]) await sync.tickets.change(ticket.id, { status: 'in_progress' });
    sync.integrations.clickup.person.setStatus(finished.task_id, 'Complete');
    for (const { ticket } of [waiting, finished]) await sync.whenIdle(fixture, ticket);
    expect(statusOf(waiting.task_id)).toBe('To Do');
    sync.integrations.clickup.clearLog();
    expect((await mapTo(fixture, known)).status).toBe(200);
    await eventually(() => expect(statusOf(waiting.task_id)).toBe('In Progress'));
    for (const { ticket } of [waiting, finished, other]) await sync.whenIdle(fixture, ticket);
    // A finished task whose customer is still to be notified stays finished.
    expect(statusOf(finished.task_id)).toBe('Complete');
    expect(sync.calls.filter((call) => call.startsWith('PUT'))).toHaveLength(1);
  });

  it('that the task refused is sent again by a manual sync', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.integrations.clickup.failNext(400, 'CRTSK_001', { method: 'PUT', path: '/task/' });
    await sync.tickets.change(ticket.id, { status: 'in_progress' });
    await eventually(async () =>
      expect(await sync.integrations.syncLog(fixture.organization)).toContainEqual(
        expect.objectContaining({ level: 'warning', field: 'status' }),
      ),
    );
    await sync.whenIdle(fixture, ticket);
    expect(statusOf(task_id)).toBe('To Do');
    await syncByHand(fixture, ticket);
    await eventually(() => expect(statusOf(task_id)).toBe('In Progress'));
  });
});

describe('a sync that does not proceed', () => {
  it.each(['failed', 'stopped'] as const)('because it is %s loses no comment of either side', async (state) => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    await sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
      tx
        .updateTable('links')
        .set({ state, problem: 'Something' } as object)
        .execute(),
    );
    await sync.tickets.comment(ticket.id, 'Said meanwhile');
    sync.integrations.clickup.person.comment(task_id, 'Answered meanwhile');
    await sync.integrations.clickup.deliveriesSettled();
    await eventually(async () => {
      const link = await sync.integrations.findLink(fixture.organization, ticket.id);
      expect(link!.pending_comment_ids).toHaveLength(1);
      const pending = await sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
        tx.selectFrom('comment_links').select('id').where('state', '=', 'pending').execute(),
      );
      expect(pending).toHaveLength(1);
    });
    await syncByHand(fixture, ticket);
    await eventually(() => expect(sync.integrations.clickup.comments(task_id)).toHaveLength(2));
    await eventually(async () => expect(await sync.integrations.eventTypes(ticket.id)).toContain('task.comment_received'));
  });

  it('because the tool refused a change keeps the comments that webhooks reported', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.integrations.clickup.failNext(401, 'OAUTH_027', { method: 'GET', path: /\/comment/ });
    sync.integrations.clickup.person.comment(task_id, 'Not to be lost');
    await eventually(async () =>
      expect(await sync.integrations.findLink(fixture.organization, ticket.id)).toMatchObject({ state: 'failed' }),
    );
    await syncByHand(fixture, ticket);
    await eventually(async () => expect(await sync.integrations.eventTypes(ticket.id)).toContain('task.comment_received'));
  });
});
