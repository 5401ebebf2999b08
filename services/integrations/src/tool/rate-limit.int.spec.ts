import { syncTicketTask } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { asStaff } from '../../test/integrations';
import { SyncFixture } from '../../test/sync-fixture';

/** 20 calls in each 1.5 seconds: a limit of 20 a minute, forty times as fast. */
let sync: SyncFixture;
beforeAll(async () => {
  sync = await SyncFixture.open({}, { rateLimitPerMinute: 20, timeScale: 40 });
});

describe('a rate limit', () => {
  it('is respected, and its rest is reserved for calls that a person waits for', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    const made = await Promise.all(Array.from({ length: 60 }, () => sync.tickets.create(fixture.organization)));
    // No webhook arrives; a person requests a sync while sixty tickets wait.
    sync.integrations.clickup.dropDeliveries(1_000);
    sync.integrations.clickup.person.rename(task_id, 'Asked for');
    expect((await sync.integrations.call(syncTicketTask, asStaff(fixture.organization), { params: { id: ticket.id } })).status).toBe(202);
    await eventually(() => expect(sync.tickets.get(ticket.id).subject).toBe('Asked for'));
    expect(sync.integrations.clickup.tasks(fixture.list).length).toBeLessThan(61);
    for (const each of made) await eventually(() => sync.whenSynced(fixture, each));
    expect(sync.integrations.clickup.tasks(fixture.list)).toHaveLength(61);
    const refused = sync.integrations.clickup.requests.filter(({ status }) => status === 429);
    expect(refused.length).toBeLessThanOrEqual(3);
    const createdWith = sync.calls.filter((call) => call === 'POST /v2/list/{list_id}/task').length - refused.length;
    expect(createdWith).toBeLessThanOrEqual(60);
  }, 90_000);
});
