import {
  createWebhookEndpoint,
  listWebhookDeliveries,
  listWebhookReplays,
  replayWebhooks,
  ticketCreated,
  updateWebhookEndpoint,
  updateWebhookReplay,
  type Context,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookReplay,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { eventually } from '@tandem/testing';
import { sql } from 'kysely';
import { NotificationsUnderTest, type TestOrganization } from '../../test/notifications';
import { Receiver } from '../../test/receiver';
import { WebhookReplayService } from './webhook-replay.service';

let receiver: Receiver;
let notifications: NotificationsUnderTest;
let organization: TestOrganization;
let admin: Context & { organization_id: string };
let endpoint: WebhookEndpoint;
beforeAll(async () => {
  receiver = await Receiver.start();
  notifications = await NotificationsUnderTest.start({ WEBHOOK_TEST_RECEIVERS: receiver.host });
});
afterAll(() => receiver.close());
beforeEach(async () => {
  organization = await notifications.anOrganization();
  admin = notifications.as(organization, 'admin');
  receiver.reset();
  const body = { url: receiver.url };
  ({ endpoint } = (await notifications.call<{ endpoint: WebhookEndpoint }>(createWebhookEndpoint, admin, { body })).data);
});

const since = new Date(Date.now() - 3_600_000).toISOString();
const replay = (body: object = {}, ctx = admin) =>
  notifications.call<{ count: number; replay: WebhookReplay | null }>(replayWebhooks, ctx, {
    params: { id: endpoint.id },
    body: { since, ...body },
  });
const update = (body: object) => notifications.call(updateWebhookEndpoint, admin, { params: { id: endpoint.id }, body });
const change = (id: string, state: string, ctx = admin) =>
  notifications.call<WebhookReplay>(updateWebhookReplay, ctx, { params: { id }, body: { state } });
const replays = async () => (await notifications.call<WebhookReplay[]>(listWebhookReplays, admin, { params: { id: endpoint.id } })).data;
const deliveries = async () =>
  (await notifications.call<WebhookDelivery[]>(listWebhookDeliveries, admin, { params: { id: endpoint.id }, query: { limit: '100' } }))
    .data;
async function announce(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const ticket = notifications.ticket(organization);
    await notifications.announce(admin, ticketCreated, ticket.id, { ticket });
  }
  await notifications.allIsConsumed();
}
/** Events that the endpoint missed while it was paused. */
async function miss(count: number): Promise<void> {
  await update({ state: 'paused' });
  await announce(count);
  await update({ state: 'active' });
}
/** Makes the next batch due. */
const skipPause = async () => {
  await notifications.db.forTenant(admin, (tx) =>
    tx
      .updateTable('webhook_replays')
      .set({ next_batch_at: sql<string>`now() - interval '1 second'` })
      .where('state', '=', 'running')
      .execute(),
  );
};

it('counts first, then sends exactly the missed events, marked as a replay and with the same ids', async () => {
  await announce(2);
  await eventually(() => expect(receiver.received).toHaveLength(2));
  await miss(3);
  expect((await replay({ dry_run: true })).data).toEqual({ count: 3, replay: null });
  expect((await replay({ which: 'all', dry_run: true })).data.count).toBe(5);
  expect((await replay({ which: 'failed', dry_run: true })).data.count).toBe(0);
  const { status, data } = await replay();
  expect([status, data.count]).toEqual([202, 3]);
  await eventually(() => expect(receiver.received).toHaveLength(5));
  const missed = (await deliveries()).filter(({ state }) => state === 'skipped').map(({ event_id }) => event_id);
  const sent = receiver.received.slice(2);
  expect(sent.map(({ headers }) => headers['webhook-id']).sort()).toEqual(missed.sort());
  expect(sent.map(({ headers }) => headers['webhook-replay'])).toEqual(['1', '1', '1']);
  expect(receiver.received[0]!.headers['webhook-replay']).toBeUndefined();
  expect(await replays()).toMatchObject([{ id: data.replay!.id, state: 'done', total: 3, sent: 3 }]);
  await eventually(async () => expect((await replay()).data).toEqual({ count: 0, replay: null }));
});

it('sends at half the rate, pauses, continues and is cancelled', async () => {
  await miss(60);
  const { data } = await replay();
  await eventually(() => expect(receiver.received).toHaveLength(25));
  const { id } = data.replay!;
  expect((await replays())[0]).toMatchObject({ state: 'running', total: 60, sent: 25 });
  expect((await change(id, 'paused')).data.state).toBe('paused');
  await notifications.db.forTenant(admin, (tx) =>
    tx
      .updateTable('webhook_replays')
      .set({ next_batch_at: sql<string>`now() - interval '1 second'` })
      .execute(),
  );
  await new Promise((resolve) => setTimeout(resolve, 800));
  expect(receiver.received).toHaveLength(25);
  await change(id, 'running');
  await eventually(() => expect(receiver.received).toHaveLength(50));
  expect((await change(id, 'cancelled')).data.state).toBe('cancelled');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(receiver.received).toHaveLength(50);
  expect((await change(id, 'running')).data.code).toBe('webhook_replay.finished');
});

it('sends each event once, even if its job runs twice at the same time or again', async () => {
  await miss(30);
  const { data } = await replay();
  const service = notifications.service.app.get(WebhookReplayService);
  const run = () => service.continue(admin, { replay_id: data.replay!.id });
  await Promise.all([run(), run(), run()]);
  await eventually(() => expect(receiver.received).toHaveLength(25));
  await skipPause();
  await Promise.all([run(), run(), run()]);
  await eventually(() => expect(receiver.received).toHaveLength(30));
  await run();
  await notifications.allIsConsumed();
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(30);
  expect(receiver.received).toHaveLength(30);
});

it('does not send to a paused endpoint, and is closed to other organizations', async () => {
  await miss(1);
  await update({ state: 'paused' });
  expect((await replay()).data.code).toBe('webhook_endpoint.not_active');
  expect((await replay({ dry_run: true })).data.count).toBe(1);
  await update({ state: 'active' });
  const { data } = await replay();
  const stranger = notifications.as(await notifications.anOrganization(), 'admin');
  expect((await replay({}, stranger)).data.code).toBe('webhook_endpoint.not_found');
  expect((await change(data.replay!.id, 'paused', stranger)).data.code).toBe('webhook_replay.not_found');
  expect((await change(newId(), 'paused')).data.code).toBe('webhook_replay.not_found');
});
