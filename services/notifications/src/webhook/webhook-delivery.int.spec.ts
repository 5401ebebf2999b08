import { createHmac, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import {
  articlePublished,
  articleUnpublished,
  ArticleWebhookEvent,
  type ArticleSummary,
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  listTicketWebhookDeliveries,
  listChanges,
  listWebhookDeliveries,
  listWebhookEndpoints,
  readWebhookDelivery,
  redeliverWebhooks,
  replayWebhooks,
  rotateWebhookSecret,
  testWebhookEndpoint,
  ThinWebhookEvent,
  ticketCommentAdded,
  ticketCreated,
  ticketRuleRan,
  ticketUpdated,
  updateWebhookEndpoint,
  WebhookEvent,
  type Context,
  type Ticket,
  type WebhookDelivery,
  type WebhookDeliveryDetails,
  type WebhookEndpoint,
  webhookEndpointMissing,
} from '@tandem/contracts';
import { isArticleEvent, sentEventTypes } from '@tandem/contracts/values';
import { newId } from '@tandem/db';
import { Secrets } from '@tandem/platform';
import { certificate, commentOf, customer, enableMetrics, eventually, startForTest } from '@tandem/testing';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { notificationsService } from '../notifications.module';
import { NotificationsUnderTest, type TestOrganization } from '../../test/notifications';
import { Receiver } from '../../test/receiver';
import { claimDue, lockEndpoint } from './webhook-delivery.store';
import { WebhookDeliveryWorker } from './webhook-delivery.worker';
import { secretPurpose } from './webhook-signature';

const oldKey = `old:${randomBytes(32).toString('base64')}`;
const encryptionKeys = `new:${randomBytes(32).toString('base64')},${oldKey}`;

let receiver: Receiver;
const httpsServer = createHttpsServer(certificate({ from: new Date('2025-01-01'), until: new Date('2025-02-01') }));
let httpsHost: string;
let notifications: NotificationsUnderTest;
let organization: TestOrganization;
let admin: Context & { organization_id: string };
beforeAll(async () => {
  receiver = await Receiver.start();
  await new Promise<void>((resolve) => httpsServer.listen(0, '127.0.0.1', resolve));
  httpsHost = `127.0.0.1:${(httpsServer.address() as AddressInfo).port}`;
  notifications = await NotificationsUnderTest.start({
    WEBHOOK_TEST_RECEIVERS: `${receiver.host},${httpsHost}`,
    ENCRYPTION_KEYS: encryptionKeys,
  });
});
afterAll(async () => {
  httpsServer.close();
  await receiver.close();
});
beforeEach(async () => {
  organization = await notifications.anOrganization();
  admin = notifications.as(organization, 'admin');
  receiver.reset();
});

interface Issued {
  endpoint: WebhookEndpoint;
  secret: string;
}
const anEndpoint = async (body: object = {}): Promise<Issued> =>
  (await notifications.call<Issued>(createWebhookEndpoint, admin, { body: { url: receiver.url, ...body } })).data;
const announceCreated = (ticket: Ticket, by: Context = admin) => notifications.announce(by, ticketCreated, ticket.id, { ticket });
const deliveries = async (id: string, query: Record<string, string> = {}) =>
  (await notifications.call<WebhookDelivery[]>(listWebhookDeliveries, admin, { params: { id }, query })).data;
const details = async (id: string) =>
  (await notifications.call<WebhookDeliveryDetails>(readWebhookDelivery, admin, { params: { id } })).data;
const health = async (id: string) =>
  (await notifications.call<WebhookEndpoint[]>(listWebhookEndpoints, admin)).data.find((endpoint) => endpoint.id === id)!;
const update = (id: string, body: object) => notifications.call(updateWebhookEndpoint, admin, { params: { id }, body });
const received = (count: number) => eventually(() => expect(receiver.received.length).toBe(count));
const state = (id: string, expected: object) => eventually(async () => expect(await deliveries(id)).toMatchObject([expected]));
/** Makes waiting attempts due now. */
const skipDelay = async () => {
  await notifications.db.forTenant(admin, (tx) =>
    tx
      .updateTable('webhook_deliveries')
      .set({ next_attempt_at: sql<string>`now() - interval '3 seconds'` })
      .where('state', '=', 'pending')
      .execute(),
  );
};

const anArticle = (): ArticleSummary => ({
  id: newId(),
  number: 1,
  title: 'Refund a payment',
  summary: null,
  language: 'en',
  category_id: null,
  visibility: 'public',
  state: 'published',
  has_unpublished_changes: false,
  published_title: 'Refund a payment',
  published_at: '2026-11-27T11:00:00.000Z',
  updated_at: '2026-11-27T11:00:00.000Z',
  updated_by: null,
  deleted_at: null,
});

describe('a delivery', () => {
  it('has the event, and headers that the library of Standard Webhooks verifies', async () => {
    const { endpoint, secret } = await anEndpoint();
    const ticket = notifications.ticket(organization);
    await announceCreated(ticket);
    await received(1);
    const [{ headers, body }] = receiver.received as [(typeof receiver.received)[0]];
    const event = WebhookEvent.parse(new Webhook(secret).verify(body, headers));
    expect(event).toMatchObject({
      id: headers['webhook-id'],
      event: 'ticket.created',
      organization_id: organization.id,
      sequence: 1,
      version: '2026-11-23',
      actor: { type: 'user', id: organization.admin, name: 'Ada admin' },
      data: { ticket },
    });
    expect(headers).toMatchObject({
      'x-tandem-event': 'ticket.created',
      'x-tandem-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      'user-agent': 'Tandem-Webhooks/1',
      'content-type': 'application/json',
      'webhook-version': '2026-11-23',
    });
    expect(() => new Webhook(secret).verify(body.replace('{', '{ '), headers)).toThrow();
    await state(endpoint.id, { state: 'delivered', attempts: 1, last_status: 200, ticket_number: 'NC-0042', event_id: event.id });
    const [delivery] = await deliveries(endpoint.id);
    expect(await details(delivery!.id)).toMatchObject({
      body,
      attempt_log: [
        {
          number: 1,
          status: 200,
          error: null,
          remote_address: '127.0.0.1',
          response_body: 'ok',
          request_headers: { 'webhook-id': event.id },
        },
      ],
    });
    expect((await health(endpoint.id)).health).toMatchObject({
      delivered: 1,
      failed: 0,
      pending: 0,
      success_rate: 1,
      p50_ms: expect.any(Number),
    });
  });

  it('is made to the endpoint that a rule names, even if it does not subscribe to it, and to no other', async () => {
    const { endpoint, secret } = await anEndpoint({
      events: ['ticket.closed'],
      condition: { field: 'priority', op: 'is_any_of', value: ['urgent'] },
    });
    const { endpoint: all } = await anEndpoint();
    const ticket = notifications.ticket(organization, { priority: 'low' });
    const rule = { id: newId(), name: 'Damaged parcels' };
    const run = { endpoint_id: endpoint.id, rule, ticket };
    await notifications.announce(admin, ticketRuleRan, ticket.id, run);
    await received(1);
    const { headers, body } = receiver.received[0]!;
    const event = WebhookEvent.parse(new Webhook(secret).verify(body, headers));
    expect(event).toMatchObject({ event: 'ticket.rule.ran', data: { ticket: { id: ticket.id }, rule } });
    await state(endpoint.id, { state: 'delivered', event: 'ticket.rule.ran' });
    expect(await deliveries(all.id)).toEqual([]);
    // It belongs to one endpoint, not to the feed of changes.
    const changes = await notifications.call<{ events: object[] }>(listChanges, admin, { query: {} });
    expect([changes.status, changes.data.events]).toEqual([200, []]);
    await update(endpoint.id, { state: 'paused' });
    await notifications.announce(admin, ticketRuleRan, ticket.id, run);
    await eventually(async () => expect((await deliveries(endpoint.id)).map((each) => each.state)).toEqual(['skipped', 'delivered']));
  });

  it('is not made to an endpoint of a rule that does not exist or belongs to another organization, which tickets learns', async () => {
    const foreign = await notifications.anOrganization();
    const { endpoint } = (
      await notifications.call<Issued>(createWebhookEndpoint, notifications.as(foreign, 'admin'), { body: { url: receiver.url } })
    ).data;
    const ticket = notifications.ticket(organization);
    const rule = { id: newId(), name: 'Damaged parcels' };
    await notifications.announce(admin, ticketRuleRan, ticket.id, { endpoint_id: endpoint.id, rule, ticket });
    await eventually(async () => {
      const missing = await notifications.db.forTenant(admin, (tx) =>
        tx
          .selectFrom('outbox')
          .select('subject')
          .where('type', '=', webhookEndpointMissing.type)
          .where('organization_id', '=', organization.id)
          .execute(),
      );
      expect(missing).toEqual([{ subject: endpoint.id }]);
    });
    expect(receiver.received).toEqual([]);
  });

  it('counts its duration in the health of the endpoint', async () => {
    const { endpoint } = await anEndpoint();
    receiver.respond = (_, response) => void setTimeout(() => response.end(), 100);
    await announceCreated(notifications.ticket(organization));
    await state(endpoint.id, { state: 'delivered' });
    expect((await health(endpoint.id)).health.p50_ms).toBeGreaterThanOrEqual(100);
  });

  it('is made once per event, even if the event arrives twice', async () => {
    const { endpoint } = await anEndpoint();
    await announceCreated(notifications.ticket(organization));
    await received(1);
    await notifications.allIsConsumed();
    expect(await deliveries(endpoint.id)).toHaveLength(1);
    expect(receiver.received).toHaveLength(1);
  });

  it('is limited to subscribed events and to tickets that match', async () => {
    const condition = { all: [{ field: 'priority', op: 'is_any_of', value: ['urgent'] }] };
    const { endpoint } = await anEndpoint({ events: ['ticket.created'], condition });
    const urgent = notifications.ticket(organization, { priority: 'urgent' });
    await announceCreated(notifications.ticket(organization));
    await announceCreated(urgent);
    await notifications.announce(admin, ticketUpdated, urgent.id, { ticket: urgent, changes: { subject: { from: 'a', to: 'b' } } });
    await notifications.allIsConsumed();
    expect((await deliveries(endpoint.id)).map(({ ticket_id, event }) => [ticket_id, event])).toEqual([[urgent.id, 'ticket.created']]);
  });

  it('contains internal notes, and changes made only by notes, only if the endpoint asks for them', async () => {
    const { endpoint: closed } = await anEndpoint();
    const { endpoint: open } = await anEndpoint({ include_internal_notes: true });
    const ticket = notifications.ticket(organization);
    await notifications.announce(admin, ticketCommentAdded, ticket.id, { ticket, comment: commentOf(ticket.id, { is_internal: true }) });
    await notifications.announce(admin, ticketUpdated, ticket.id, {
      ticket,
      changes: { watchers: { from: [], to: [organization.agent] } },
    });
    await notifications.announce(admin, ticketUpdated, ticket.id, { ticket, changes: { status: { from: 'open', to: 'closed' } } });
    await notifications.announce(admin, ticketCommentAdded, ticket.id, { ticket, comment: commentOf(ticket.id) });
    await notifications.allIsConsumed();
    expect(await deliveries(open.id)).toHaveLength(4);
    expect((await deliveries(closed.id)).map(({ event }) => event).sort()).toEqual(['ticket.comment.added', 'ticket.updated']);
  });

  it('of an article has the article, and reaches endpoints without a condition on tickets', async () => {
    const { endpoint, secret } = await anEndpoint({ events: ['article.published', 'article.unpublished'] });
    const { endpoint: thin } = await anEndpoint({ events: ['article.unpublished'], payload: 'thin' });
    const condition = { field: 'priority', op: 'is_any_of', value: ['high'] };
    const others = [await anEndpoint({ condition }), await anEndpoint({ events: ['ticket.created'] })];
    const article = anArticle();
    await notifications.announce(admin, articlePublished, article.id, { article });
    await received(1);
    const [{ body, headers }] = receiver.received as [(typeof receiver.received)[0]];
    const event = ArticleWebhookEvent.parse(new Webhook(secret).verify(body, headers));
    expect(event).toMatchObject({ event: 'article.published', organization_id: organization.id, sequence: 1, data: { article } });
    await notifications.announce(admin, articleUnpublished, article.id, { article });
    await received(3);
    const resource = { type: 'article', id: article.id, url: `http://localhost:3000/api/v1/articles/${article.id}` };
    const bodies = receiver.received.slice(1).map((each) => JSON.parse(each.body) as { event: string; resource?: object });
    expect(bodies.find((each) => each.resource)).toMatchObject({ event: 'article.unpublished', resource });
    await notifications.allIsConsumed();
    expect(await deliveries(endpoint.id)).toMatchObject([{ ticket_id: null }, { ticket_id: null }]);
    expect(await deliveries(thin.id)).toHaveLength(1);
    for (const other of others) expect(await deliveries(other.endpoint.id)).toEqual([]);
    // Tokens that may read tickets only can read the feed.
    expect((await notifications.call<{ events: object[] }>(listChanges, admin)).data.events).toEqual([]);
  });

  it('is thin if the endpoint wants it, or if the body is larger than 256 KB', async () => {
    const { endpoint, secret } = await anEndpoint({ payload: 'thin' });
    await announceCreated(notifications.ticket(organization));
    await received(1);
    const { body, headers } = receiver.received[0]!;
    const ticket_id = (await deliveries(endpoint.id))[0]!.ticket_id;
    expect(ThinWebhookEvent.parse(new Webhook(secret).verify(body, headers)).resource).toEqual({
      type: 'ticket',
      id: ticket_id,
      url: `http://localhost:3000/api/v1/tickets/${ticket_id}`,
    });
    await update(endpoint.id, { payload: 'full' });
    await announceCreated(notifications.ticket(organization, { description: 'x'.repeat(300_000) }));
    await received(2);
    expect(receiver.received[1]!.body.length).toBeLessThan(1_000);
  });

  it('is signed with both secrets after a rotation', async () => {
    const { endpoint, secret } = await anEndpoint();
    receiver.respond = (_, response) => void response.writeHead(500).end();
    await announceCreated(notifications.ticket(organization));
    await state(endpoint.id, { attempts: 1 });
    const { data } = await notifications.call<Issued>(rotateWebhookSecret, admin, { params: { id: endpoint.id }, body: {} });
    receiver.respond = (_, response) => void response.writeHead(200).end();
    await skipDelay();
    await state(endpoint.id, { state: 'delivered', attempts: 2 });
    const [first, second] = receiver.received as [(typeof receiver.received)[0], (typeof receiver.received)[0]];
    expect([second.body, second.headers['webhook-id']]).toEqual([first.body, first.headers['webhook-id']]);
    for (const each of [secret, data.secret]) expect(() => new Webhook(each).verify(second.body, second.headers)).not.toThrow();
    expect(() => new Webhook(data.secret).verify(first.body, first.headers)).toThrow();
  });

  it('is no longer signed with the old secret if the rotation ends it immediately', async () => {
    const { endpoint, secret } = await anEndpoint();
    receiver.respond = (_, response) => void response.writeHead(500).end();
    await announceCreated(notifications.ticket(organization));
    await state(endpoint.id, { attempts: 1 });
    const rotation = { params: { id: endpoint.id }, body: { overlap_hours: 0 } };
    const { data } = await notifications.call<Issued>(rotateWebhookSecret, admin, rotation);
    receiver.respond = (_, response) => void response.writeHead(200).end();
    await skipDelay();
    await state(endpoint.id, { state: 'delivered', attempts: 2 });
    await announceCreated(notifications.ticket(organization));
    await received(3);
    for (const { body, headers } of receiver.received.slice(1)) {
      expect(() => new Webhook(data.secret).verify(body, headers)).not.toThrow();
      expect(() => new Webhook(secret).verify(body, headers)).toThrow();
    }
  });
});

describe('the secret', () => {
  const store = (sealed_secret: string) =>
    notifications.db.forTenant(admin, (tx) => tx.updateTable('webhook_endpoints').set({ sealed_secret }).execute());
  const stored = async () =>
    (await notifications.db.forTenant(admin, (tx) => tx.selectFrom('webhook_endpoints').select('sealed_secret').executeTakeFirstOrThrow()))
      .sealed_secret;

  it('that an old key has encrypted is encrypted with the current key by the next delivery', async () => {
    const { secret } = await anEndpoint();
    await store(new Secrets(oldKey).seal(secretPurpose, secret));
    await announceCreated(notifications.ticket(organization));
    await received(1);
    expect(() => new Webhook(secret).verify(receiver.received[0]!.body, receiver.received[0]!.headers)).not.toThrow();
    await eventually(async () => expect(await stored()).toMatch(/^new\./));
    expect(new Secrets(encryptionKeys).open(secretPurpose, await stored())).toBe(secret);
  });

  it('that cannot be decrypted is our failure, and is described without the key', async () => {
    const { endpoint, secret } = await anEndpoint();
    await store('gone.a.b.c');
    await announceCreated(notifications.ticket(organization));
    await state(endpoint.id, { attempts: 1, last_error: 'The secret can no longer be decrypted. Rotate the secret of this endpoint' });
    expect((await health(endpoint.id)).failing_since).toBeNull();
    expect(receiver.received).toEqual([]);
    // No service that uses this database starts while a stored secret needs an absent key.
    await store(new Secrets(encryptionKeys).seal(secretPurpose, secret));
  });
});

describe('a failed attempt', () => {
  it.each([
    [404, 'The server answered 404: no page at this URL'],
    [302, 'The server redirected (302), and redirects are not followed'],
    [500, 'The server answered 500'],
  ])('with %i is retried after at least 5 seconds', async (status, error) => {
    const { endpoint } = await anEndpoint();
    receiver.respond = (_, response) => void response.writeHead(status, { location: 'http://169.254.169.254/' }).end('no');
    await announceCreated(notifications.ticket(organization));
    await state(endpoint.id, { state: 'pending', attempts: 1, last_status: status, last_error: error });
    const [{ next_attempt_at }] = (await deliveries(endpoint.id)) as [WebhookDelivery];
    const delayMs = Date.parse(next_attempt_at!) - Date.now();
    expect(delayMs).toBeGreaterThan(2_000);
    expect(delayMs).toBeLessThanOrEqual(5_500);
    expect(await health(endpoint.id)).toMatchObject({
      failing_since: expect.any(String),
      health: { failed: 1, success_rate: 0, pending: 1 },
    });
  });

  it('is counted with whether the endpoint was failing before', async () => {
    const scrape = await enableMetrics();
    const countOf = async (endpoint: string) => {
      const series = (await scrape()).all('tandem_webhook_attempts_total', { outcome: 'server_error', cause: 'event', endpoint });
      return series[0] ?? 0;
    };
    const { endpoint } = await anEndpoint();
    receiver.respond = (_, response) => void response.writeHead(500).end();
    const before = [await countOf('working'), await countOf('failing')] as const;
    await announceCreated(notifications.ticket(organization));
    await state(endpoint.id, { attempts: 1 });
    await skipDelay();
    await state(endpoint.id, { attempts: 2 });
    expect([await countOf('working'), await countOf('failing')]).toEqual([before[0] + 1, before[1] + 1]);
  });

  it('waits for the time in Retry-After, and the endpoint gets one request at a time', async () => {
    const { endpoint } = await anEndpoint();
    receiver.respond = (_, response) => void response.writeHead(429, { 'retry-after': '120.6' }).end();
    await announceCreated(notifications.ticket(organization));
    await state(endpoint.id, { attempts: 1, last_status: 429 });
    const [{ next_attempt_at }] = (await deliveries(endpoint.id)) as [WebhookDelivery];
    expect((Date.parse(next_attempt_at!) - Date.now()) / 1_000).toBeGreaterThan(110);
    receiver.maxOpen = 0;
    receiver.respond = (_, response) => void setTimeout(() => response.writeHead(500).end(), 30);
    for (let i = 0; i < 6; i += 1) await announceCreated(notifications.ticket(organization));
    await received(7);
    expect(receiver.maxOpen).toBe(1);
  });

  it('without an answer within 15 seconds limits the endpoint to one request at a time, until a success', async () => {
    const { endpoint } = await anEndpoint();
    receiver.respond = () => undefined;
    await announceCreated(notifications.ticket(organization));
    const error = { state: 'pending', attempts: 1, last_status: null, last_error: 'No response within 15 seconds' };
    await eventually(async () => expect(await deliveries(endpoint.id)).toMatchObject([error]));
    receiver.maxOpen = 0;
    receiver.respond = (_, response) => void setTimeout(() => response.writeHead(500).end(), 30);
    for (let i = 0; i < 6; i += 1) await announceCreated(notifications.ticket(organization));
    await received(7);
    expect(receiver.maxOpen).toBe(1);
    receiver.respond = (_, response) => void response.writeHead(200).end();
    await announceCreated(notifications.ticket(organization));
    await eventually(async () => expect(await deliveries(endpoint.id, { state: 'delivered' })).toHaveLength(1));
    const held: ServerResponse[] = [];
    receiver.respond = (_, response) => void held.push(response);
    for (let i = 0; i < 6; i += 1) await announceCreated(notifications.ticket(organization));
    await eventually(() => expect(held).toHaveLength(5));
    for (const response of held) response.writeHead(200).end();
  }, 60_000);

  it('names an expired certificate', async () => {
    const { endpoint } = await anEndpoint({ url: `https://${httpsHost}/` });
    await announceCreated(notifications.ticket(organization));
    await state(endpoint.id, { state: 'pending', attempts: 1, last_status: null, last_error: 'The certificate has expired' });
  });

  it('permanently fails the delivery after 12 attempts', async () => {
    const { endpoint } = await anEndpoint();
    receiver.respond = (_, response) => void response.writeHead(500).end();
    await announceCreated(notifications.ticket(organization));
    await state(endpoint.id, { attempts: 1 });
    await notifications.db.forTenant(admin, (tx) => tx.updateTable('webhook_deliveries').set({ attempts: 11 }).execute());
    await skipDelay();
    await state(endpoint.id, { state: 'failed', attempts: 12, next_attempt_at: null });
  });

  it('describes a server that is down, and an answer that never ends is cut', async () => {
    const { endpoint } = await anEndpoint();
    receiver.respond = (_, response) => void response.writeHead(200, { 'x-a': 'b' }).write('é'.repeat(1_500_000));
    await announceCreated(notifications.ticket(organization));
    await state(endpoint.id, { state: 'delivered' });
    const [delivery] = await deliveries(endpoint.id);
    const [attempt] = (await details(delivery!.id)).attempt_log;
    expect(Buffer.byteLength(attempt!.response_body!)).toBeLessThanOrEqual(2_050);
    receiver.respond = (_, response) => void response.destroy();
    await announceCreated(notifications.ticket(organization));
    await eventually(async () =>
      expect(await deliveries(endpoint.id, { state: 'pending' })).toMatchObject([
        { last_error: 'The server closed the connection without a response', last_status: null, attempts: 1 },
      ]),
    );
  });

  it('that we caused does not count against the endpoint', async () => {
    const { endpoint } = await anEndpoint();
    await notifications.db.forTenant(admin, (tx) => tx.updateTable('webhook_endpoints').set({ url: 'https://10.0.0.1/hook' }).execute());
    await announceCreated(notifications.ticket(organization));
    await state(endpoint.id, { state: 'pending', attempts: 1, last_error: 'This address is not on the public internet' });
    expect((await health(endpoint.id)).failing_since).toBeNull();
  });

  it('to a private address, however it is written, is refused for events, tests, repeated deliveries and replays', async () => {
    const { endpoint } = await anEndpoint();
    await announceCreated(notifications.ticket(organization));
    await state(endpoint.id, { state: 'delivered' });
    const [arrived] = await deliveries(endpoint.id);
    const moveTo = (url: string) => notifications.db.forTenant(admin, (tx) => tx.updateTable('webhook_endpoints').set({ url }).execute());
    const refused = (cause: WebhookDelivery['cause'], what: 'address' | 'name') =>
      eventually(async () =>
        expect((await deliveries(endpoint.id)).find((each) => each.cause === cause)).toMatchObject({
          attempts: 1,
          last_error: `This ${what} is not on the public internet`,
        }),
      );

    await moveTo('https://2130706433/hook');
    await notifications.call(testWebhookEndpoint, admin, { params: { id: endpoint.id }, body: {} });
    await refused('test', 'address');
    await moveTo('https://[::ffff:10.0.0.1]/hook');
    await notifications.call(redeliverWebhooks, admin, { body: { ids: [arrived!.id] } });
    await refused('redelivery', 'address');
    await moveTo('https://localhost/hook');
    const body = { since: new Date(Date.now() - 3_600_000).toISOString(), which: 'all' };
    await notifications.call(replayWebhooks, admin, { params: { id: endpoint.id }, body });
    await refused('replay', 'name');
    await moveTo('https://metadata.internal/hook');
    await announceCreated(notifications.ticket(organization));
    await refused('event', 'name');
    expect(receiver.received).toHaveLength(1);
  });

  it('with 410 disables the endpoint, notifies the admins, and later events are stored as skipped', async () => {
    const { endpoint } = await anEndpoint();
    receiver.respond = (_, response) => void response.writeHead(410).end();
    await announceCreated(notifications.ticket(organization));
    await eventually(async () => expect(await health(endpoint.id)).toMatchObject({ state: 'disabled', disabled_reason: 'gone' }));
    await announceCreated(notifications.ticket(organization));
    await eventually(async () => expect((await deliveries(endpoint.id)).map((each) => each.state)).toEqual(['skipped', 'failed']));
    expect(await notifications.sentNotices(organization)).toEqual(['admin webhook_failing']);
    const mails = (await notifications.emails(organization)).filter(({ kind }) => kind.startsWith('staff'));
    expect(mails).toMatchObject([{ kind: 'staff_webhook_failing', data: { url: receiver.url, disabled: 'gone' } }]);
    await update(endpoint.id, { state: 'active' });
    expect(await health(endpoint.id)).toMatchObject({ state: 'active', disabled_reason: null, failing_since: null });
  });
});

describe('a worker that dies', () => {
  it('during an attempt leaves a delivery that is sent again, with the same id and bytes, once its lease has expired', async () => {
    const { endpoint } = await anEndpoint();
    receiver.respond = (_, response) => void response.writeHead(500).end();
    await announceCreated(notifications.ticket(organization));
    await state(endpoint.id, { state: 'pending', attempts: 1 });
    receiver.respond = (_, response) => void response.writeHead(200).end();
    // Claims the delivery as a worker does, which then never stores the outcome.
    await notifications.db.forTenant(admin, async (tx) => {
      await tx
        .updateTable('webhook_deliveries')
        .set({ next_attempt_at: sql<string>`now() - interval '3 seconds'` })
        .execute();
      const locked = await lockEndpoint(tx, organization.id, endpoint.id);
      expect(await claimDue(tx, locked!, 5)).toMatchObject([{ attempts: 1 }]);
    });
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(receiver.received).toHaveLength(1);
    await notifications.db.forTenant(admin, (tx) =>
      tx
        .updateTable('webhook_deliveries')
        .set({ claimed_until: sql<string>`now() - interval '1 second'` })
        .execute(),
    );
    await state(endpoint.id, { state: 'delivered', attempts: 2 });
    const [first, second] = receiver.received as [(typeof receiver.received)[0], (typeof receiver.received)[0]];
    expect([second.headers['webhook-id'], second.body]).toEqual([first.headers['webhook-id'], first.body]);
  });

  it('or two concurrent jobs make one attempt', async () => {
    const { endpoint } = await anEndpoint();
    const worker = notifications.service.app.get(WebhookDeliveryWorker);
    await announceCreated(notifications.ticket(organization));
    for (let i = 0; i < 10; i += 1) worker.deliver(admin, { endpoint_id: endpoint.id });
    await state(endpoint.id, { state: 'delivered', attempts: 1 });
    await notifications.allIsConsumed();
    expect(receiver.received).toHaveLength(1);
  });
});

describe('an endpoint', () => {
  it('gets at most five requests at a time', async () => {
    const { endpoint } = await anEndpoint();
    const held: ServerResponse[] = [];
    receiver.respond = (_, response) => void held.push(response);
    for (let i = 0; i < 15; i += 1) await announceCreated(notifications.ticket(organization));
    await eventually(() => expect(held).toHaveLength(5));
    await notifications.allIsConsumed();
    expect(held).toHaveLength(5);
    receiver.respond = (_, response) => void response.writeHead(200).end();
    for (const response of held) response.writeHead(200).end();
    await received(15);
    await eventually(async () => expect((await health(endpoint.id)).health).toMatchObject({ delivered: 15, pending: 0 }));
  });

  it('gets at most five requests at a time from two replicas together', async () => {
    const { endpoint } = await anEndpoint();
    const replica = await startForTest(notificationsService, notifications.env);
    receiver.respond = (_, response) => void setTimeout(() => response.writeHead(200).end(), 20);
    await Promise.all(Array.from({ length: 60 }, () => announceCreated(notifications.ticket(organization))));
    await received(60);
    await eventually(async () => expect((await health(endpoint.id)).health).toMatchObject({ delivered: 60, pending: 0 }));
    expect(receiver.maxOpen).toBeLessThanOrEqual(5);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(60);
    await replica.close();
  });

  it('that hangs does not delay another', async () => {
    await anEndpoint({ url: `${receiver.url}/hang` });
    await anEndpoint({ url: `${receiver.url}/fast` });
    receiver.respond = ({ path }, response) => void (path.endsWith('/fast') && response.writeHead(200).end());
    for (let i = 0; i < 20; i += 1) await announceCreated(notifications.ticket(organization));
    await eventually(() => expect(receiver.to('/fast')).toHaveLength(20));
    expect(receiver.to('/hang').length).toBeLessThanOrEqual(5);
  });

  it('gets at most 500 requests a minute; the others wait', async () => {
    const { endpoint } = await anEndpoint();
    await notifications.db.forTenant(admin, (tx) =>
      tx
        .updateTable('webhook_endpoints')
        .set({ window_started_at: sql<string>`now() - interval '57 seconds'`, window_count: 499 })
        .execute(),
    );
    await announceCreated(notifications.ticket(organization));
    await announceCreated(notifications.ticket(organization));
    await received(1);
    await notifications.allIsConsumed();
    await eventually(async () => {
      expect((await deliveries(endpoint.id)).map((each) => each.state).sort()).toEqual(['delivered', 'pending']);
    });
    // These requests are made in the next minute.
    await received(2);
  });

  it('that is paused stores missed events as skipped, and still gets tests', async () => {
    const { endpoint, secret } = await anEndpoint();
    await update(endpoint.id, { state: 'paused' });
    await announceCreated(notifications.ticket(organization));
    await state(endpoint.id, { state: 'skipped', attempts: 0, next_attempt_at: null });
    for (const event of sentEventTypes) {
      const { status } = await notifications.call(testWebhookEndpoint, admin, { params: { id: endpoint.id }, body: { event } });
      expect(status).toBe(202);
    }
    await received(sentEventTypes.length);
    for (const { body, headers } of receiver.received) {
      const shape = isArticleEvent(headers['x-tandem-event'] as string) ? ArticleWebhookEvent : WebhookEvent;
      shape.parse(new Webhook(secret).verify(body, headers));
    }
    expect(new Set(receiver.received.map(({ headers }) => headers['x-tandem-event'])).size).toBe(sentEventTypes.length);
  });

  it('that is deleted has its pending deliveries cancelled', async () => {
    const { endpoint } = await anEndpoint();
    const ticket = notifications.ticket(organization);
    // Otherwise the second attempt follows after five seconds, which inserting the rows below can take on a busy machine.
    receiver.respond = (_, response) => void response.writeHead(500, { 'retry-after': '3600' }).end();
    await announceCreated(ticket);
    await state(endpoint.id, { attempts: 1 });
    // PostgreSQL plans as if the organization had one delivery.
    await notifications.asOwner('analyze webhook_deliveries');
    await notifications.db.forTenant(admin, (tx) =>
      sql`insert into webhook_deliveries (organization_id, id, endpoint_id, event_id, event, payload, state, cause, next_attempt_at)
        select organization_id, gen_random_uuid(), endpoint_id, event_id, event, payload, state, 'redelivery', now() + interval '1 hour'
        from webhook_deliveries, generate_series(1, 10000)`.execute(tx),
    );
    await notifications.call(deleteWebhookEndpoint, admin, { params: { id: endpoint.id } });
    await eventually(async () => {
      const left = await notifications.db.forTenant(admin, (tx) => tx.selectFrom('webhook_endpoints').select('id').execute());
      expect(left).toEqual([]);
    });
    const ofTicket = await notifications.call<WebhookDelivery[]>(listTicketWebhookDeliveries, admin, { params: { id: ticket.id } });
    expect(ofTicket.data).toMatchObject([{ state: 'cancelled', attempts: 1 }]);
    const states = await notifications.db.forTenant(admin, (tx) =>
      tx.selectFrom('webhook_deliveries').select('state').distinct().execute(),
    );
    expect(states).toEqual([{ state: 'cancelled' }]);
  });
});

describe('the log', () => {
  it('is paged and filtered, and sends deliveries again with the same event id', async () => {
    const { endpoint } = await anEndpoint();
    for (let i = 0; i < 3; i += 1) await announceCreated(notifications.ticket(organization));
    await received(3);
    await eventually(async () => expect((await deliveries(endpoint.id, { state: 'delivered' })).length).toBe(3));
    const page = await notifications.call<WebhookDelivery[]>(listWebhookDeliveries, admin, {
      params: { id: endpoint.id },
      query: { limit: '2' },
    });
    const rest = await deliveries(endpoint.id, { limit: '2', cursor: page.next_cursor! });
    expect(new Set([...page.data, ...rest].map(({ id }) => id)).size).toBe(3);
    expect(await deliveries(endpoint.id, { event: 'ticket.updated' })).toEqual([]);
    expect(await deliveries(endpoint.id, { to: '2026-01-01T00:00:00.000Z' })).toEqual([]);
    const [{ id, ticket_id }] = page.data as [WebhookDelivery];
    expect((await deliveries(endpoint.id, { ticket_id: ticket_id! })).map((each) => each.id)).toEqual([id]);
    expect(await deliveries(endpoint.id, { ticket_id: newId() })).toEqual([]);
    const invalid = await notifications.call(listWebhookDeliveries, admin, { params: { id: endpoint.id }, query: { ticket_id: 'DEMO-1' } });
    expect([invalid.status, invalid.data.errors]).toMatchObject([422, [{ path: 'ticket_id' }]]);
    const ids = page.data.map(({ id }) => id);
    const again = await notifications.call<WebhookDelivery[]>(redeliverWebhooks, admin, { body: { ids } });
    expect([again.status, again.data.map(({ event_id }) => event_id)]).toEqual([202, page.data.map(({ event_id }) => event_id)]);
    await received(5);
    const unknown = await notifications.call(redeliverWebhooks, admin, { body: { ids: [...ids, newId()] } });
    expect(unknown.data.code).toBe('webhook_delivery.not_found');
    await update(endpoint.id, { state: 'paused' });
    expect((await notifications.call(redeliverWebhooks, admin, { body: { ids } })).data.code).toBe('webhook_endpoint.not_active');
    await notifications.allIsConsumed();
    expect(receiver.received).toHaveLength(5);
  });

  it('is closed to other organizations', async () => {
    const { endpoint } = await anEndpoint();
    await announceCreated(notifications.ticket(organization), customer(organization.id));
    await state(endpoint.id, { state: 'delivered' });
    const [delivery] = await deliveries(endpoint.id);
    const stranger = notifications.as(await notifications.anOrganization(), 'admin');
    const ask = async (op: Parameters<typeof notifications.call>[0], input: object) =>
      (await notifications.call(op, stranger, input)).data.code;
    expect(await ask(listWebhookDeliveries, { params: { id: endpoint.id } })).toBe('webhook_endpoint.not_found');
    expect(await ask(readWebhookDelivery, { params: { id: delivery!.id } })).toBe('webhook_delivery.not_found');
    expect(await ask(redeliverWebhooks, { body: { ids: [delivery!.id] } })).toBe('webhook_delivery.not_found');
    expect(await ask(testWebhookEndpoint, { params: { id: endpoint.id }, body: {} })).toBe('webhook_endpoint.not_found');
    const ofTicket = await notifications.call(listTicketWebhookDeliveries, stranger, { params: { id: delivery!.ticket_id! } });
    expect(ofTicket.data).toEqual([]);
  });
});
