import { createWebhookEndpoint, updateWebhookEndpoint, type Context, type WebhookEndpoint } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { enableMetrics, eventually } from '@tandem/testing';
import { sql } from 'kysely';
import { NotificationsUnderTest, type TestOrganization } from '../../test/notifications';
import { dueStep, WebhookCheckWorker } from './webhook-check.worker';
import { insertEvent } from './webhook-event.store';

describe('a failing endpoint', () => {
  const now = Date.parse('2026-11-20T00:00:00.000Z');
  const ago = (hours: number) => new Date(now - hours * 3_600_000).toISOString();
  const failing = (hours: number, warned_hours: number, otherHoursAgo?: number) =>
    dueStep(
      {
        state: 'active',
        failing_since: ago(hours),
        warned_hours,
        other_failure_at: otherHoursAgo === undefined ? null : ago(otherHoursAgo),
      },
      now,
    );

  it.each([
    [0.9, 0, undefined],
    [1, 0, 1],
    [23, 1, undefined],
    [25, 0, 24],
    [80, 24, 72],
    [119, 72, undefined],
  ])('after %d hours, warned at %d, gets the warning %s', (hours, warned, expected) => {
    expect(failing(hours, warned)).toBe(expected);
  });

  it('is disabled after 120 hours if two events failed at least 12 hours apart', () => {
    expect(failing(121, 72, 1)).toBe('disable');
    expect(failing(121, 72, 108)).toBe('disable');
    expect(failing(121, 72, 110)).toBeUndefined();
    expect(failing(121, 72)).toBeUndefined();
    expect(failing(119, 72, 1)).toBeUndefined();
  });
});

describe('the check', () => {
  let notifications: NotificationsUnderTest;
  let organization: TestOrganization;
  let admin: Context & { organization_id: string };
  let endpoint: WebhookEndpoint;
  beforeAll(async () => (notifications = await NotificationsUnderTest.start()));
  beforeEach(async () => {
    organization = await notifications.anOrganization();
    admin = notifications.as(organization, 'admin');
    const body = { url: 'https://example.com/hook' };
    ({ endpoint } = (await notifications.call<{ endpoint: WebhookEndpoint }>(createWebhookEndpoint, admin, { body })).data);
  });
  const fail = (hours: number) =>
    notifications.db.forTenant(admin, (tx) =>
      tx
        .updateTable('webhook_endpoints')
        .set({
          failing_since: sql<string>`now() - make_interval(hours => ${hours})`,
          failing_event_id: newId(),
          other_failure_at: sql<string>`now()`,
        })
        .execute(),
    );
  const stored = () => notifications.db.forTenant(admin, (tx) => tx.selectFrom('webhook_endpoints').selectAll().executeTakeFirstOrThrow());
  const run = () => notifications.service.app.get(WebhookCheckWorker).check();

  it('warns once per step, in the app and by email, and finally disables the endpoint', async () => {
    await fail(2);
    await eventually(async () => expect((await stored()).warned_hours).toBe(1));
    await run();
    expect(await notifications.sentNotices(organization)).toEqual(['admin webhook_failing']);
    await fail(30);
    await Promise.all([run(), run()]);
    await fail(121);
    await Promise.all([run(), run()]);
    expect(await stored()).toMatchObject({ state: 'disabled', disabled_reason: 'failing' });
    expect(await notifications.sentNotices(organization)).toEqual(Array(3).fill('admin webhook_failing'));
    const mails = (await notifications.emails(organization)).filter(({ kind }) => kind === 'staff_webhook_failing');
    expect(mails.map(({ data }) => (data as { disabled: unknown }).disabled).sort()).toEqual(['failing', null, null]);
    const { rows } = await notifications.db.asSystem('test', (tx) =>
      sql<{ what: string }>`select envelope->'data'->>'what' as what from outbox
        where type = 'webhook_endpoint.changed' and organization_id = ${organization.id} order by position`.execute(tx),
    );
    expect(rows.map(({ what }) => what)).toEqual(['created', 'disabled']);
    const changed = { params: { id: endpoint.id }, body: { url: 'https://example.com/new' } };
    await notifications.call(updateWebhookEndpoint, admin, changed);
    expect(await stored()).toMatchObject({ state: 'active', disabled_reason: null, failing_since: null, warned_hours: 0 });
  });

  it('records how many deliveries wait, and how long the oldest one that is due has waited', async () => {
    const scrape = await enableMetrics();
    const id = newId();
    const event = { organization_id: organization.id, id: newId(), type: 'ticket.created', ticket_id: newId(), ticket_number: 'A-1' };
    const bodies = { sequence: 1, occurred_at: new Date().toISOString(), is_internal: false, body: '{}', thin_body: '{}' };
    await notifications.db.forTenant(admin, async (tx) =>
      insertEvent(tx, { ...event, ...bodies }, [{ id, endpoint_id: endpoint.id, payload: 'full', state: 'skipped' }], { canClaim: false }),
    );
    await notifications.db.forTenant(admin, async (tx) => {
      // Claimed, so that no worker sends it.
      const due = { next_attempt_at: sql<string>`now() - interval '2 hours'`, claimed_until: sql<string>`now() + interval '1 hour'` };
      await tx
        .updateTable('webhook_deliveries')
        .set({ ...due, state: 'pending' })
        .where('id', '=', id)
        .execute();
    });
    const measure = () => notifications.service.app.get(WebhookCheckWorker).findDue();
    await measure();
    const waiting = (await scrape()).value('tandem_webhook_deliveries_pending');
    expect(waiting).toBeGreaterThan(0);
    expect((await scrape()).value('tandem_webhook_oldest_due_seconds')).toBeGreaterThan(7_199);
    // Deliveries of a paused endpoint do not count.
    await notifications.call(updateWebhookEndpoint, admin, { params: { id: endpoint.id }, body: { state: 'paused' } });
    await measure();
    expect((await scrape()).value('tandem_webhook_deliveries_pending')).toBe(waiting - 1);
    expect((await scrape()).value('tandem_webhook_oldest_due_seconds')).toBeLessThan(7_199);
  });

  it('deletes rows that are older than 30 days, and nothing else', async () => {
    const add = (type: string) =>
      notifications.db.forTenant(admin, async (tx) =>
        insertEvent(
          tx,
          {
            organization_id: organization.id,
            id: newId(),
            type,
            ticket_id: newId(),
            ticket_number: 'A-1',
            sequence: 1,
            occurred_at: new Date().toISOString(),
            is_internal: false,
            body: '{}',
            thin_body: '{}',
          },
          [{ id: newId(), endpoint_id: endpoint.id, payload: 'full', state: 'skipped' }],
          { canClaim: false },
        ),
      );
    await add('ticket.created');
    await notifications.db.forTenant(admin, async (tx) => {
      const old = sql<string>`now() - interval '31 days'`;
      await tx.updateTable('webhook_events').set({ created_at: old }).execute();
      await tx.updateTable('webhook_deliveries').set({ created_at: old }).execute();
    });
    await add('ticket.closed');
    // The sweep finds them.
    const left = () =>
      notifications.db.forTenant(admin, async (tx) => [
        ...(await tx.selectFrom('webhook_events').select('type').execute()).map(({ type }) => type),
        ...(await tx.selectFrom('webhook_deliveries').select('event').execute()).map(({ event }) => event),
      ]);
    await eventually(async () => expect(await left()).toEqual(['ticket.closed', 'ticket.closed']));
  });
});
