import { syncTicketTask, type Ticket } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { sql } from 'kysely';
import { asStaff } from '../../test/integrations';
import { SyncFixture, type Fixture } from '../../test/sync-fixture';

let sync: SyncFixture;
beforeAll(async () => {
  sync = await SyncFixture.open();
});
afterEach(() => {
  expect(sync.integrations.clickup.violations).toEqual([]);
  sync.tickets.isPaused = false;
  sync.tickets.dropsChanges = false;
});
const titleOf = async ({ organization }: Fixture, { id }: Ticket) => (await sync.integrations.findLink(organization, id))!.shadow.title;
const isAsked = (fixture: Fixture, ticket: Ticket, pending_value: string) =>
  eventually(async () => {
    expect(await titleOf(fixture, ticket)).toMatchObject({ pending_value, pending_since: expect.any(String) as string });
    const link = await sync.integrations.findLink(fixture.organization, ticket.id);
    expect(Date.parse(link!.next_sync_at!)).toBeGreaterThan(Date.now() + 60_000);
  });

describe('the answer of the tickets service', () => {
  it.each([
    ['integrations', { is_active: false, pause_reason: 'by_hand' }, { is_active: true, pause_reason: null }],
    ['links', { state: 'stopped' }, { state: 'linked' }],
    ['links', { state: 'failed' }, { state: 'linked' }],
  ] as const)('clears a pending field even if %s changed to %j in the meantime', async (table, over, again) => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    const change = (values: object) =>
      sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
        tx
          .updateTable(table)
          .set(values as never)
          .execute(),
      );
    sync.tickets.isPaused = true;
    sync.integrations.clickup.person.rename(task_id, 'First');
    await isAsked(fixture, ticket, 'First');
    await change(over);
    sync.tickets.isPaused = false;
    await eventually(async () => expect(await titleOf(fixture, ticket)).toEqual({ ticket: 'First', task: 'First' }));
    await change(again);
    sync.integrations.clickup.person.rename(task_id, 'Second');
    await eventually(() => expect(sync.tickets.get(ticket.id).subject).toBe('Second'));
    await sync.whenIdle(fixture, ticket);
  });
});

describe('a proposal without an answer', () => {
  const lose = async (fixture: Fixture) => {
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.tickets.dropsChanges = true;
    sync.integrations.clickup.person.rename(task_id, 'Heard at last');
    await isAsked(fixture, ticket, 'Heard at last');
    await eventually(() => expect(sync.tickets.lost).toContain(ticket.id));
    sync.tickets.dropsChanges = false;
    return ticket;
  };

  it('is sent again at its retry time', async () => {
    const fixture = await sync.aFixture();
    const ticket = await lose(fixture);
    const past = '"2026-01-01T00:00:00.000Z"';
    await sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
      tx
        .updateTable('links')
        .set({
          next_sync_at: sql<string>`now() - interval '1 second'`,
          shadow: sql<string>`jsonb_set(shadow, '{title,retry_at}', ${past}::jsonb)`,
        })
        .execute(),
    );
    await eventually(() => expect(sync.tickets.get(ticket.id).subject).toBe('Heard at last'));
    await sync.whenIdle(fixture, ticket);
  });

  it('is sent again immediately by a manual sync', async () => {
    const fixture = await sync.aFixture();
    const ticket = await lose(fixture);
    await sync.integrations.call(syncTicketTask, asStaff(fixture.organization), { params: { id: ticket.id } });
    await eventually(() => expect(sync.tickets.get(ticket.id).subject).toBe('Heard at last'));
    await sync.whenIdle(fixture, ticket);
  });
});
