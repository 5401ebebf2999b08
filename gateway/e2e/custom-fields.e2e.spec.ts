import type {
  AuditEntry,
  BulkResult,
  CustomField,
  FormField,
  PublicTicket,
  Ticket,
  TicketSummary,
  WebhookDelivery,
} from '@tandem/contracts';
import { WebhookSink } from '@tandem/sandbox';
import { eventually } from '@tandem/testing';
import { anAddress, type Browser } from './client';
import { startTestApp, type OwnerSession, type TestApp } from './test-app';

let sink: WebhookSink;
let app: TestApp;
let ada: OwnerSession;
let portal: Browser;

beforeAll(async () => {
  sink = await WebhookSink.start();
  app = await startTestApp({ WEBHOOK_TEST_RECEIVERS: new URL(sink.url).host });
  ada = await app.signUpOwner();
  portal = app.browser(ada.portalHost);
});
afterAll(() => sink?.close());

const aField = async (body: object): Promise<CustomField> => {
  const answer = await ada.browser.post<CustomField>('/custom-fields', body);
  expect(answer.status).toBe(201);
  return answer.data;
};
const submit = (custom_fields: object) =>
  portal.post<PublicTicket>('/public/tickets', { subject: 'Broken', customer_email: anAddress('customer'), custom_fields });

it('go from the customer’s form to staff, searches, lists and webhooks that filter by them', async () => {
  const options = [
    { value: 'basic', label: 'Basic' },
    { value: 'pro', label: 'Pro' },
  ];
  await aField({ key: 'plan', type: 'choice', label: 'Plan', options, form: 'required', shown_to_customers: true });
  await aField({ key: 'order_number', type: 'text', label: 'Order', form: 'optional' });
  const endpoint = await ada.browser.post<{ endpoint: { id: string } }>('/webhook-endpoints', {
    url: sink.hookUrl,
    events: ['ticket.created'],
    condition: { field: 'custom_fields.plan', op: 'is_any_of', value: ['pro'] },
  });
  expect(endpoint.status).toBe(201);
  expect((await portal.get<FormField[]>('/public/form-fields')).data.map(({ key }) => key)).toEqual(['plan', 'order_number']);
  expect((await submit({})).status).toBe(422);
  const basic = await submit({ plan: 'basic' });
  const pro = await submit({ plan: 'pro', order_number: 'Q-77' });
  expect([basic.status, pro.status]).toEqual([201, 201]);
  expect(pro.data.custom_fields.map(({ field, value }) => [field.label, value])).toEqual([['Plan', 'pro']]);

  const ticket = (await ada.browser.get<Ticket>(`/tickets/${pro.data.id}`)).data;
  expect(ticket.custom_fields).toEqual({ plan: 'pro', order_number: 'Q-77' });
  const listed = async (query: string) => (await ada.browser.get<TicketSummary[]>(`/tickets?${query}`)).data.map(({ id }) => id);
  expect(await listed('search=Q-77')).toEqual([ticket.id]);
  const condition = JSON.stringify({ field: 'custom_fields.plan', op: 'is_any_of', value: ['basic'] });
  expect(await listed(`condition=${encodeURIComponent(condition)}`)).toEqual([basic.data.id]);
  expect(await listed('sort=custom_fields.order_number')).toEqual([pro.data.id, basic.data.id]);
  await eventually(async () => {
    const path = `/webhook-endpoints/${endpoint.data.endpoint.id}/deliveries`;
    const { data } = await ada.browser.get<WebhookDelivery[]>(path);
    expect(data.map(({ ticket_id, state }) => [ticket_id, state])).toEqual([[ticket.id, 'delivered']]);
  });
});

it('that are required are reported per ticket of a bulk change, and every change of a field is audited', async () => {
  const field = await aField({ key: 'cause', type: 'text', label: 'Cause', required_to_resolve: true });
  const [first, second] = [await app.ticket(ada.browser), await app.ticket(ada.browser)];
  await ada.browser.patch(`/tickets/${first.id}`, { custom_fields: { cause: 'Typo' } });
  const bulk = await ada.browser.post<BulkResult[]>('/tickets/bulk', { ids: [first.id, second.id], changes: { status: 'resolved' } });
  const codes = new Map(bulk.data.map(({ id, code }) => [id, code]));
  expect([codes.get(first.id), codes.get(second.id)]).toEqual([null, 'request.invalid']);
  await ada.browser.patch(`/custom-fields/${field.id}`, { required_to_resolve: false });
  await ada.browser.send('DELETE', `/custom-fields/${field.id}`);
  await ada.browser.post(`/custom-fields/${field.id}/restore`, {});
  await eventually(async () => {
    const { data } = await ada.browser.get<AuditEntry[]>('/audit-log?limit=10');
    expect(data.filter(({ target }) => target === 'Cause').map(({ type }) => type)).toEqual([
      'custom_field.restored',
      'custom_field.deleted',
      'custom_field.updated',
      'custom_field.created',
    ]);
  });
});
