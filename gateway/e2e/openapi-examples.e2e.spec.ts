import {
  tokenPermissionNames,
  type Attachment,
  type Comment,
  type Operation,
  type PublicTicket,
  type CustomField,
  type Rule,
  type Ticket,
  type WebhookDelivery,
  type WebhookReplay,
} from '@tandem/contracts';
import * as contracts from '@tandem/contracts';
import type { ClickUpSandbox } from '@tandem/sandbox';
import { eventually, onTestFileEnd } from '@tandem/testing';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Example } from '../src/openapi/examples';
import { operationsOf } from '../src/openapi/documented-operations';
import { operationIdOf } from '../src/openapi/schemas';
import { apiClient, issueToken } from './api-client';
import type { Answer, Browser } from './client';
import { normalized, shapeDifferences } from './example-shape';
import type { OwnerSession, TestApp } from './test-app';
import { connectClickUp, integrate, startTestAppWithClickUp } from './test-app-with-clickup';

const file = join(__dirname, '../src/openapi/examples/examples.json');
/** Operations whose response cannot be recorded: streams have no end, files are not text, and task tools sign what they send. */
const unrecorded: readonly Operation[] = [
  contracts.streamChanges,
  contracts.followTicket,
  contracts.downloadFile,
  contracts.uploadFile,
  contracts.readBrandingAsset,
  contracts.readArticlePicture,
  contracts.receiveWebhook,
];

let app: TestApp;
let clickup: ClickUpSandbox;
let ada: OwnerSession;
let client: Browser;
let receiverUrl: string;
const recorded: Record<string, Example> = {};

/** Calls an operation as a program does, and keeps the request and the response. */
async function record<T>(op: Operation, request: Example['request'] = {}, caller = client): Promise<Answer<T>> {
  const path = op.path.replace(/:(\w+)/g, (_, name: string) => request.params![name]!);
  const query = request.query ? `?${new URLSearchParams(request.query).toString()}` : '';
  const answer = await caller.send<T>(op.method, path + query, request.body === undefined ? {} : { body: request.body });
  if (answer.status !== op.status) throw new Error(`${op.name} answered ${answer.status}: ${answer.text}`);
  const isJson = (answer.headers.get('content-type') ?? '').includes('json');
  recorded[operationIdOf(op)] = { request, response: isJson ? answer.body : answer.text };
  return answer;
}

/** A receiver of webhooks that accepts everything. */
async function receiver(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(200, { 'content-type': 'text/plain' }).end('ok'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFileEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/tandem`;
}

beforeAll(async () => {
  receiverUrl = await receiver();
  ({ app, clickup } = await startTestAppWithClickUp({ WEBHOOK_TEST_RECEIVERS: new URL(receiverUrl).host }));
  ada = await app.signUpOwner('Acme');
  await ada.browser.patch('/me', { first_name: 'Ada', last_name: 'Lovelace' });
  const { value } = await issueToken(ada, { name: 'Shop', permissions: [...tokenPermissionNames] });
  client = apiClient(app.gateway, value);
});

const customer_email = 'carla@example.com';
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

it('records tickets and their conversation', async () => {
  const params = (id: string) => ({ params: { id } });
  const announced = await record<{ attachment_id: string; upload_url: string }>(contracts.announceAttachment, {
    body: { file_name: 'label.txt', size: 5 },
  });
  const { attachment_id, upload_url } = announced.data;
  const upload = { raw: 'label', headers: { 'content-type': 'text/plain' } };
  expect((await client.fetch('PUT', upload_url.replace(/^.*\/api\/v1/, ''), upload)).status).toBe(200);
  const input = {
    subject: 'The parcel has not arrived',
    description: 'Order 1042 was sent on Monday.',
    customer_email,
    customer_name: 'Carla Gomez',
    priority: 'high',
    tags: ['shipping'],
    external_id: 'order-1042',
    attachment_ids: [attachment_id],
  };
  const { id } = (await record<Ticket>(contracts.createTicket, { body: input })).data;
  await record<Comment>(contracts.addComment, { ...params(id), body: { content: 'It is on its way. It should arrive tomorrow.' } });
  await record(contracts.listComments, params(id));
  const [attachment] = (await record<Attachment[]>(contracts.listAttachments, params(id))).data;
  await record(contracts.linkAttachment, params(attachment!.id));
  await record(contracts.updateTicket, { ...params(id), body: { status: 'in_progress', assigned_to: ada.session.profile.user_id } });
  await record(contracts.readTicket, params(id));
  await record(contracts.readTimeline, params(id));
  await record(contracts.listAssignees, { query: { search: 'Ada' } });
  await record(contracts.draftReply, {
    params: { id, userId: ada.session.profile.user_id },
    body: { content: 'Dear Carla, your parcel arrives tomorrow.' },
  });
  await record(contracts.listTickets, { query: { status: 'open,in_progress', sort: 'newest', limit: '20' } });
  const duplicate = await app.ticket(ada.browser, { customer_email });
  await record(contracts.mergeTicket, { ...params(duplicate.id), body: { into_id: id } });
  await record(contracts.snoozeTicket, { ...params(id), body: { until: null } });
  await record(contracts.wakeTicketNow, params(id));
  await record(contracts.changeTickets, { body: { ids: [id], changes: { priority: 'urgent', add_tags: ['vip'] } } });
  await record(contracts.readTicketSla, params(id));
  await eventually(async () => expect((await record<unknown[]>(contracts.listTicketEmails, params(id))).data).not.toEqual({ emails: [] }));
  await ada.browser.post('/views', { name: 'Urgent', filter: { priority: ['urgent'] }, is_shared: true });
  await record(contracts.listViews);

  await client.patch(`/tickets/${id}`, { status: 'resolved' });
  const portal = app.browser(ada.portalHost);
  const survey = { params: { ticketId: id } };
  await record(contracts.readPublicSurvey, { ...survey, query: { email: customer_email } }, portal);
  const rating = { email: customer_email, rating: 5, feedback: 'Quick and friendly' };
  await record(contracts.submitSurvey, { ...survey, body: rating }, portal);
  await record(contracts.readTicketSurvey, params(id));
  await eventually(async () => expect((await client.get(`/tickets/${id}/metrics`)).status).toBe(200));
  await record(contracts.readTicketMetrics, params(id));
  await record(contracts.readTicketStats);
});

it('records tasks', async () => {
  // Created before the integration, which creates a task for every later ticket.
  const { id } = await app.ticket(ada.browser, { customer_email, subject: 'The total is wrong' });
  await connectClickUp(ada.browser, clickup);
  const integration = await integrate(ada.browser, clickup);
  const request = { params: { id }, body: { integration_id: integration.id } };
  await eventually(() => record(contracts.linkTicketTask, request));
  await record(contracts.readTicketTask, { params: { id } });
  await record(contracts.unlinkTicketTask, { params: { id } });
});

it('records figures and the organization', async () => {
  const range = { range: '30' };
  await record(contracts.readAnalytics, { query: range });
  await record(contracts.readAnalyticsByField, { query: { ...range, key: 'product' } });
  await record(contracts.listExportedTickets, { query: range });
  await record(contracts.exportAnalytics, { query: range });
  await record(contracts.exportTicketsAsCsv, { query: { customer_email } });
  const params = { id: ada.organization.id };
  await record(contracts.updateOrganization, { params, body: { time_zone: 'Europe/Berlin' } });
  await record(contracts.readOrganization, { params });
});

it('records rules', async () => {
  const rule = {
    name: 'Urgent words',
    triggers: ['ticket_created', 'customer_replied'],
    condition: { field: 'text', op: 'contains', value: 'urgent' },
    actions: [{ type: 'set_priority', priority: 'urgent' }],
  };
  await record(contracts.testRule, { body: { rule } });
  const { id } = (await record<Rule>(contracts.createRule, { body: rule })).data;
  const params = { id };
  await app.ticket(ada.browser, { customer_email, subject: 'This is urgent' });
  await record(contracts.listRuleRuns, { params });
  await record(contracts.listRules);
  await record(contracts.orderRules, { body: { ids: [id] } });
  await record(contracts.updateRule, { params, body: { is_active: false } });
  await record(contracts.deleteRule, { params });
});

it('records custom fields', async () => {
  const body = {
    key: 'product',
    type: 'choice',
    label: 'Product',
    options: [
      { value: 'basic', label: 'Basic' },
      { value: 'pro', label: 'Pro' },
    ],
    form: 'optional',
  };
  const { id } = (await record<CustomField>(contracts.createCustomField, { body })).data;
  const params = { id };
  await record(contracts.listCustomFields);
  await record(contracts.listFormFields);
  await record(contracts.updateCustomField, { params, body: { required_to_resolve: true } });
  await record(contracts.orderCustomFields, { body: { ids: [id] } });
  await record(contracts.deleteCustomField, { params });
  await record(contracts.restoreCustomField, { params });
});

it('records articles and help pages', async () => {
  const category = (await record<{ id: string; number: number }>(contracts.createArticleCategory, { body: { name: 'Payments' } })).data;
  const ofCategory = { params: { id: category.id } };
  await record(contracts.updateArticleCategory, { ...ofCategory, body: { description: 'Invoices, cards and refunds' } });
  await record(contracts.orderArticleCategories, { body: { ids: [category.id] } });
  const text = { title: 'Refund a payment', summary: 'How to get your money back.', body: 'Open **Payments** and choose *Refund*.' };
  const created = await record<{ id: string; number: number }>(contracts.createArticle, { body: { ...text, category_id: category.id } });
  const { id, number } = created.data;
  const params = { id };
  const name = await client.post<{ attachment_id: string; upload_url: string }>('/attachments', {
    file_name: 'refund.png',
    size: png.length,
  });
  const upload = { raw: png, headers: { 'content-type': 'image/png' } };
  expect((await client.fetch('PUT', name.data.upload_url.replace(/^.*\/api\/v1/, ''), upload)).status).toBe(200);
  await record(contracts.addArticlePicture, { params, body: { attachment_id: name.data.attachment_id } });
  const { version } = (
    await record<{ version: number }>(contracts.updateArticle, { params, body: { body: `${text.body}\n\n![The page](refund.png)` } })
  ).data;
  await record(contracts.publishArticle, { params, body: { version } });
  const portal = app.browser(ada.portalHost);
  await recordHelpPages(portal, number, category.number);
  for (const op of [contracts.listArticleVersions, contracts.listArticleRatings, contracts.readArticle]) await record(op, { params });
  await record(contracts.readArticleVersion, { params: { id, number: '1' } });
  await record(contracts.listArticles, { query: { state: 'published', limit: '20' } });
  await record(contracts.listArticleCategories);
  const today = new Date().toISOString().slice(0, 10);
  await record(contracts.readHelpReport, { query: { from: today, to: today } });
  await record(contracts.unpublishArticle, { params });
  await record(contracts.deleteArticle, { params });
  await record(contracts.restoreArticle, { params });
  await record(contracts.deleteArticleCategory, ofCategory);
  const ticket = await app.ticket(ada.browser, { customer_email, subject: 'How do I change my card?', description: 'It has expired.' });
  await record(contracts.draftArticleFromTicket, { params: { id: ticket.id } });
});

async function recordHelpPages(portal: Browser, number: number, category: number): Promise<void> {
  const byNumber = { params: { number: String(number) } };
  await record(contracts.readPublicArticle, byNumber, portal);
  await record(contracts.readHelpCenter, {}, portal);
  await record(contracts.readHelpCategory, { params: { number: String(category) } }, portal);
  await record(contracts.listHelpPages, {}, portal);
  await record(contracts.searchArticles, { query: { q: 'refund' } }, portal);
  await record(contracts.recordHelpUse, { body: { type: 'view', number } }, portal);
  const rating = { helpful: false, remark: 'Where is the page?', reader: 'd2f1c6a0b7e84c51' };
  await record(contracts.rateArticle, { ...byNumber, body: rating }, portal);
  const key = { organization: ada.organization.subdomain! };
  await record(contracts.searchArticlesInWidget, { query: { ...key, q: 'refund' } }, app.browser());
  await record(contracts.readArticleInWidget, { ...byNumber, query: key }, app.browser());
  await record(contracts.recordHelpUseInWidget, { query: key, body: { type: 'suggestion_opened', number } }, app.browser());
}

it('records webhooks and changes', async () => {
  const created = await ada.browser.post<{ endpoint: { id: string } }>('/webhook-endpoints', {
    url: receiverUrl,
    description: 'Shop',
    events: ['ticket.created'],
  });
  expect(created.status).toBe(201);
  const params = { id: created.data.endpoint.id };
  const ticket = await app.ticket(ada.browser, { customer_email, subject: 'Where is my invoice?' });
  const delivered = await eventually(async () => {
    const { data } = await record<WebhookDelivery[]>(contracts.listWebhookDeliveries, { params });
    // Events of earlier tests can follow the endpoint's creation and be delivered to it, too.
    const ofTicket = data.find(({ ticket_id }) => ticket_id === ticket.id);
    expect(ofTicket?.state).toBe('delivered');
    return ofTicket!;
  });
  await record(contracts.listWebhookEndpoints);
  await record(contracts.listTicketWebhookDeliveries, { params: { id: ticket.id } });
  await record(contracts.readWebhookDelivery, { params: { id: delivered.id } });
  await record(contracts.redeliverWebhooks, { body: { ids: [delivered.id] } });
  await record(contracts.testWebhookEndpoint, { params, body: { event: 'ticket.created' } });
  const body = { since: new Date(Date.now() - 3_600_000).toISOString(), which: 'all' };
  // More events than one batch: a shorter replay could be done before it is cancelled.
  await Promise.all(Array.from({ length: 25 }, () => app.ticket(ada.browser, { customer_email })));
  await eventually(async () => {
    const path = `/webhook-endpoints/${params.id}/replay`;
    const { count } = (await ada.browser.post<{ count: number }>(path, { ...body, dry_run: true })).data;
    expect(count).toBeGreaterThan(25);
  });
  const { replay } = (await record<{ replay: WebhookReplay }>(contracts.replayWebhooks, { params, body })).data;
  await record(contracts.updateWebhookReplay, { params: { id: replay.id }, body: { state: 'cancelled' } });
  await record(contracts.listWebhookReplays, { params });
  await record(contracts.listChanges, { query: { limit: '1' } });
  await record(contracts.updateWebhookEndpoint, { params, body: { state: 'paused' } });
  await record(contracts.deleteWebhookEndpoint, { params });
});

it('records the portal', async () => {
  const portal = app.browser(ada.portalHost);
  const team = ada.organization.subdomain!;
  await record(contracts.findPortal, { query: { team } }, portal);
  await record(contracts.readPublicOrganization, {}, portal);
  await record(contracts.readPublicWording, { params: { part: 'portal', language: 'en' } }, portal);
  await record(contracts.readChallenge, {}, portal);
  const file = { file_name: 'label.txt', size: 5 };
  const announced = await record<{ attachment_id: string; upload_url: string }>(contracts.announcePublicAttachment, { body: file }, portal);
  const { attachment_id, upload_url } = announced.data;
  const upload = { raw: 'label', headers: { 'content-type': 'text/plain' } };
  expect((await portal.fetch('PUT', upload_url.replace(/^.*\/api\/v1/, ''), upload)).status).toBe(200);
  const input = { subject: 'The parcel is damaged', customer_email, customer_name: 'Carla Gomez', attachment_ids: [attachment_id] };
  const submitted = await record<PublicTicket>(contracts.submitTicket, { body: { ...input, description: 'One corner is wet.' } }, portal);
  const params = { id: submitted.data.id };
  const query = { email: customer_email };
  await record(contracts.addPublicComment, { params, body: { email: customer_email, content: 'Here is a picture.' } }, portal);
  await record(contracts.listPublicComments, { params, query }, portal);
  await record(contracts.readPublicTicket, { params, query }, portal);
  const linked = { ...params, attachmentId: submitted.data.attachments[0]!.id };
  await record(contracts.linkPublicAttachment, { params: linked, body: { email: customer_email } }, portal);
  await record(contracts.lookupTickets, { body: { email: customer_email } }, portal);
});

it('records the widget and the installation', async () => {
  const visitor = app.browser();
  const site = { organization: ada.organization.subdomain! };
  await record(contracts.readInstallation, {}, visitor);
  await record(contracts.readWidgetConfig, { query: site }, visitor);
  await record(contracts.listWidgetFields, { query: site }, visitor);
  await record(contracts.readWidgetWording, { params: { language: 'en' }, query: site }, visitor);
  const body = { subject: 'Where is my parcel?', customer_email, description: 'Order 1042' };
  const { data } = await record<PublicTicket>(contracts.submitWidgetTicket, { query: site, body }, visitor);
  const params = { id: data.id };
  await record(contracts.addWidgetComment, { params, query: site, body: { email: customer_email, content: 'It has arrived.' } }, visitor);
  await record(contracts.readWidgetTicket, { params, query: { ...site, email: customer_email } }, visitor);
});

it('has an example with the shape of a real response for every operation of the public document', () => {
  const examples = Object.fromEntries(Object.entries(recorded).sort(([a], [b]) => (a < b ? -1 : 1)));
  const known = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Example>;
  const expected = operationsOf('public')
    .filter((op) => !unrecorded.includes(op))
    .map(operationIdOf);
  if (process.env['UPDATE_DOCS']) {
    writeFileSync(file, `${JSON.stringify(normalized({ ...known, ...examples }), null, 2)}\n`);
    return;
  }
  expect(Object.keys(known).sort()).toEqual(expected.sort());
  for (const [name, example] of Object.entries(examples))
    expect({ name, differences: shapeDifferences(known[name], example) }).toEqual({ name, differences: [] });
});
