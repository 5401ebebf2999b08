import type { WebhookDelivery } from '@tandem/contracts';
import { WebhookSink } from '@tandem/sandbox';
import { eventually } from '@tandem/testing';
import { startTestApp, type OwnerSession, type TestApp } from './test-app';

/** The receiver of deploy/sandbox with the running application, as `npm start` starts both. */

let sink: WebhookSink;
let app: TestApp;
let ada: OwnerSession;
let endpoint_id: string;

beforeAll(async () => {
  sink = await WebhookSink.start();
  app = await startTestApp({ WEBHOOK_TEST_RECEIVERS: new URL(sink.url).host });
  ada = await app.signUpOwner();
  const created = await ada.browser.post<{ endpoint: { id: string }; secret: string }>('/webhook-endpoints', {
    url: sink.hookUrl,
    events: ['ticket.created'],
  });
  expect(created.status).toBe(201);
  endpoint_id = created.data.endpoint.id;
  sink.change({ secrets: [created.data.secret] });
});
afterAll(() => sink.close());
afterEach(() => sink.clear());

const deliveryOf = async (ticket: { id: string }) => {
  const { data } = await ada.browser.get<WebhookDelivery[]>(`/webhook-endpoints/${endpoint_id}/deliveries?limit=100`);
  return data.find(({ ticket_id }) => ticket_id === ticket.id);
};

it('receives and verifies a delivery', async () => {
  const ticket = await app.ticket(ada.browser);
  await eventually(async () => expect(await sink.requests()).toMatchObject([{ verification: { state: 'valid' }, answer: '204' }]));
  await eventually(async () => expect(await deliveryOf(ticket)).toMatchObject({ state: 'delivered', last_status: 204 }));
});

it.each([
  ['a failure', { status: 500 }, 500],
  ['a redirect, which is not followed', { answer: 'redirect' as const, status: 204 }, 307],
])('answers with %s', async (_case, settings, last_status) => {
  sink.change({ answer: 'respond', ...settings });
  const ticket = await app.ticket(ada.browser);
  await eventually(async () => expect(await deliveryOf(ticket)).toMatchObject({ state: 'pending', last_status }));
  expect((await sink.requests()).every(({ path, verification }) => path === '/hook' && verification.state === 'valid')).toBe(true);
});

it('leaves a request without an answer, which delays no other delivery', async () => {
  sink.change({ answer: 'hang' });
  const ticket = await app.ticket(ada.browser);
  await eventually(async () => expect(await sink.requests()).toMatchObject([{ verification: { state: 'valid' }, answer: 'hang' }]));
  sink.change({ answer: 'respond', status: 204 });
  const next = await app.ticket(ada.browser);
  await eventually(async () => expect(await deliveryOf(next)).toMatchObject({ state: 'delivered' }));
  expect(await deliveryOf(ticket)).toMatchObject({ state: 'pending', attempts: 0 });
});

it('answers with 410, which disables the endpoint', async () => {
  sink.change({ answer: 'respond', status: 410 });
  await app.ticket(ada.browser);
  await eventually(async () => {
    const { data } = await ada.browser.get<{ id: string; state: string; disabled_reason: string }[]>('/webhook-endpoints');
    expect(data.find(({ id }) => id === endpoint_id)).toMatchObject({ state: 'disabled', disabled_reason: 'gone' });
  });
});
