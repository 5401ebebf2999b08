import {
  allOperations,
  type Backfill,
  type Integration,
  type IssuedApiToken,
  type Operation,
  type Ticket,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookReplay,
} from '@tandem/contracts';
import type { ClickUpSandbox } from '@tandem/sandbox';
import { eventually } from '@tandem/testing';
import { apiClient, issueToken } from './api-client';
import type { Browser } from './client';
import { codeOf, type OwnerSession, type TestApp } from './test-app';
import { connectClickUp, integrate, startTestAppWithClickUp } from './test-app-with-clickup';

/** A body for each operation with an id that its owner would accept if the id belonged to the caller's organization. */
const bodies: Record<string, unknown> = {
  'identity.updateOrganization': { name: 'Mine now' },
  'identity.updateApiToken': { name: 'Mine now' },
  'identity.rotateApiToken': {},
  'tickets.update': { subject: 'Mine now', assigned_to: null },
  'tickets.addComment': { content: 'I was here' },
  'tickets.saveDraft': { content: 'I was here' },
  'tickets.snooze': { until: null },
  'tickets.markRead': { until: '2026-01-01T00:00:00.000Z' },
  'tickets.draftReply': { content: 'I was here' },
  'tickets.updateView': { name: 'Mine now' },
  'tickets.updateMacro': { name: 'Mine now' },
  'tickets.updateCustomField': { label: 'Mine now' },
  'tickets.updateArticle': { title: 'Mine now' },
  'tickets.publishArticle': { version: 1 },
  'tickets.addArticlePicture': { attachment_id: '01980000-0000-7000-8000-000000000001' },
  'tickets.updateArticleCategory': { name: 'Mine now' },
  'tickets.updateRule': { name: 'Mine now' },
  'tickets.updateSlaPolicy': { name: 'Mine now' },
  'tickets.updateImport': { options: { files: false } },
  'tickets.announceImportFile': { file_name: 'a.zip', size: 5 },
  'tickets.addPublicComment': { email: 'customer@example.test', content: 'I was here' },
  'tickets.linkPublicAttachment': { email: 'customer@example.test' },
  'tickets.submitSurvey': { email: 'customer@example.test', rating: 1 },
  'tickets.addCommentFromWidget': { email: 'customer@example.test', content: 'I was here' },
  'integrations.update': { is_active: false },
  'analytics.updateReport': { frequency: 'monthly' },
  'notifications.updateWebhookEndpoint': { description: 'Mine now' },
  'notifications.rotateWebhookSecret': {},
  'notifications.testWebhookEndpoint': {},
  'notifications.updateWebhookReplay': { state: 'cancelled' },
  'gateway.markPresence': { state: 'viewing' },
};
const readsPublicly = [
  'gateway.followTicket',
  'tickets.readPublic',
  'tickets.listPublicComments',
  'tickets.readPublicSurvey',
  'tickets.readFromWidget',
];
/** Query parameters that are required before anything is looked up. */
const queries: Record<string, Record<string, string>> = {};
const withIds = allOperations.filter(({ path, allow }) => /\/:(id|ticketId)\b/.test(path) && allow !== 'gateway');

let app: TestApp;
let clickup: ClickUpSandbox;
beforeAll(async () => {
  // One browser sends two requests per operation within a minute.
  ({ app, clickup } = await startTestAppWithClickUp({ RATE_LIMIT_API_PER_MINUTE: '1000' }));
});

describe('another organization', () => {
  let ada: OwnerSession;
  let bob: OwnerSession;
  /** A program with a token of Bob's organization. */
  let program: Browser;
  let ticket: Ticket;
  /** Bob's ticket. */
  let own: Ticket;
  /** One of Ada's ids for each path prefix; a ticket id for all others. */
  const things: Record<string, string> = {};
  let attachmentId: string;

  beforeAll(async () => {
    [ada, bob] = await Promise.all([app.signUpOwner(), app.signUpOwner()]);
    ticket = await app.ticket(ada.browser, { customer_email: 'customer@example.test', subject: 'Confidential' });
    await ada.browser.post(`/tickets/${ticket.id}/comments`, { content: 'Secret' });
    own = await app.ticket(bob.browser, { customer_email: 'customer@example.test' });
    program = apiClient(app.gateway, (await issueToken(bob)).value);
    bodies['tickets.merge'] = { into_id: own.id };
    const make = async (path: string, body: object) => (things[path] = (await ada.browser.post<{ id: string }>(path, body)).data.id);
    await make('/views', { name: 'Shared', filter: {}, is_shared: true });
    await make('/macros', { name: 'Shared', content: 'Text', is_shared: true });
    await make('/rules', {
      name: 'Ours',
      triggers: ['ticket_created'],
      actions: [{ type: 'set_priority', priority: 'low' }],
      is_active: false,
    });
    await make('/articles', { title: 'Ours', body: 'Confidential' });
    await make('/article-categories', { name: 'Ours' });
    await make('/custom-fields', { key: 'ours', type: 'text', label: 'Ours' });
    await make('/exports', {});
    await make('/erasures', { email: 'customer@example.test' });
    await make('/imports', { source: 'zendesk' });
    await make('/sla-policies', { name: 'Ours', priority_level: 'urgent' });
    // Until analytics knows Ada from her events, she cannot be a recipient.
    await eventually(async () =>
      expect(await make('/analytics/reports', { frequency: 'weekly', recipient_ids: [ada.session.profile.user_id] })).toBeDefined(),
    );
    await Promise.all([connectClickUp(ada.browser, clickup), connectClickUp(bob.browser, clickup, ['Other'])]);
    things['/task-tool/integrations'] = (await integrate(ada.browser, clickup)).id;
    things['/task-tool/lists'] = clickup.list('Customer tickets').id;
    const { id: integration_id } = await integrate(bob.browser, clickup, 'Other tasks');
    bodies['integrations.linkTicketTask'] = { integration_id };
    queries['integrations.previewTaskLink'] = { integration_id, task: '86abc' };
    queries['integrations.searchTasks'] = { integration_id, words: 'printer' };
    // Until the backfill is complete, an unknown ticket may be one that is still to be announced.
    await eventually(async () => {
      const { data } = await bob.browser.get<Backfill>(`/task-tool/integrations/${integration_id}/backfill`);
      expect(data.is_complete).toBe(true);
    });
    const file = await ada.browser.post<{ attachment_id: string }>('/attachments', { file_name: 'a.txt', size: 5 });
    things['/attachments'] = attachmentId = file.data.attachment_id;
    things['/organizations'] = ada.organization.id;
    things['/api-tokens'] = (await ada.browser.post<IssuedApiToken>('/api-tokens', { name: 'Importer' })).data.token.id;
    await makeWebhooks();
  });

  /** An endpoint of Ada's with a delivery, which it missed while it was paused, and a replay of it. */
  async function makeWebhooks(): Promise<void> {
    const url = 'https://hooks.example/tandem';
    const { endpoint } = (await ada.browser.post<{ endpoint: WebhookEndpoint }>('/webhook-endpoints', { url })).data;
    things['/webhook-endpoints'] = endpoint.id;
    const path = `/webhook-endpoints/${endpoint.id}`;
    await ada.browser.patch(path, { state: 'paused' });
    const since = new Date(Date.now() - 60_000).toISOString();
    await app.ticket(ada.browser);
    await eventually(async () => {
      const [delivery] = (await ada.browser.get<WebhookDelivery[]>(`${path}/deliveries`)).data;
      expect(delivery?.state).toBe('skipped');
      things['/webhook-deliveries'] = delivery!.id;
    });
    await ada.browser.patch(path, { state: 'active' });
    bodies['notifications.replayWebhooks'] = { since };
    const { replay } = (await ada.browser.post<{ replay: WebhookReplay | null }>(`${path}/replay`, { since })).data;
    things['/webhook-replays'] = replay!.id;
  }

  const send = (op: Operation, browser: Browser, id: string) => {
    const body = bodies[op.name];
    const path = op.path
      .replace(/:(id|ticketId)\b/, id)
      .replace(':userId', bob.session.profile.user_id)
      .replace(':attachmentId', attachmentId)
      .replace(':file_id', attachmentId)
      .replace(':number', '1');
    const query = new URLSearchParams({
      ...(readsPublicly.includes(op.name) ? { email: 'customer@example.test' } : {}),
      ...queries[op.name],
      ...(op.allow === 'widget' ? { organization: bob.organization.subdomain! } : {}),
    }).toString();
    return browser.send(op.method, query ? `${path}?${query}` : path, body === undefined ? {} : { body });
  };

  function callerOf({ allow }: Operation): Browser {
    if (allow === 'token') return program;
    if (allow === 'portal') return app.browser(bob.portalHost);
    return allow === 'widget' ? app.browser() : bob.browser;
  }

  it.each(withIds.map((op) => [op.name, op] as const))('%s: returns the same error for its ids as for unknown ids', async (_name, op) => {
    const browser = callerOf(op);
    const id = things[op.path.slice(0, op.path.indexOf('/:id'))] ?? ticket.id;
    const foreign = await send(op, browser, id);
    const unknown = await send(op, browser, crypto.randomUUID());
    expect(foreign.status).toBe(404);
    const { request_id: _a, meta: _c, ...first } = foreign.body;
    const { request_id: _b, meta: _d, ...second } = unknown.body;
    expect(first).toEqual(second);
  });

  it('cannot have its tickets and notifications referenced in presence and read marks', async () => {
    const carl = await app.signUpOwner();
    const carls = await app.ticket(carl.browser);
    const mark = (id: string, browser = carl.browser) => browser.send('PUT', `/tickets/${id}/presence`, { body: { state: 'viewing' } });
    const read = (body: object) => carl.browser.post('/notifications/read', body);
    for (const id of [ticket.id, crypto.randomUUID()]) {
      expect(codeOf(await mark(id))).toBe('404 ticket.not_found');
      expect(codeOf(await read({ ticket_id: id }))).toBe('404 ticket.not_found');
      expect(codeOf(await read({ ids: [id] }))).toBe('404 notification.not_found');
    }
    expect((await mark(ticket.id, ada.browser)).status).toBe(200);
    expect([(await mark(carls.id)).status, (await read({ ticket_id: carls.id })).status, (await read({})).status]).toEqual([200, 200, 200]);
  });

  it('leaves the data of the first one unchanged', async () => {
    const now = await ada.browser.get<Ticket>(`/tickets/${ticket.id}`);
    expect(now.data).toMatchObject({ subject: 'Confidential', comment_count: 1 });
    const { data } = await ada.browser.get<Integration[]>('/task-tool/integrations');
    expect(data).toMatchObject([{ id: things['/task-tool/integrations'], is_active: true }]);
    const comments = await ada.browser.get<{ content: string }[]>(`/tickets/${ticket.id}/comments`);
    expect(comments.data.map(({ content }) => content)).toEqual(['Secret']);
  });

  describe('as seen by a third one', () => {
    let eve: Awaited<ReturnType<typeof app.signUpOwner>>;
    let ticketOfEve: Ticket;
    beforeAll(async () => {
      eve = await app.signUpOwner();
      ticketOfEve = await app.ticket(eve.browser);
    });

    it('appears in no list, count or member table', async () => {
      const lists = await Promise.all(
        ['/tickets', '/tickets?search=Confidential', '/tickets/stats', '/team/members'].map((path) => eve.browser.get(path)),
      );
      expect(lists.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect(lists.map(({ text }) => text).join()).not.toMatch(new RegExp(`Confidential|${ticket.id}|${ada.email}|${ada.organization.id}`));
    });

    it('cannot be selected by a body, a query or a header', async () => {
      const input = { subject: 'x', customer_email: 'a@example.test', organization_id: ada.organization.id };
      expect(codeOf(await eve.browser.post('/tickets', input))).toBe('422 request.invalid');
      expect(codeOf(await eve.browser.get(`/tickets?organization_id=${ada.organization.id}`))).toBe('422 request.invalid');
      const headers = {
        'x-organization-id': ada.organization.id,
        'x-user-id': ada.session.profile.user_id,
        'x-role': 'admin',
        'x-tandem-context': 'e30.forged',
      };
      const { data } = await eve.browser.get<Ticket[]>('/tickets', { headers });
      expect(data.map(({ id }) => id)).toEqual([ticketOfEve.id]);
      expect(codeOf(await app.browser().get('/tickets', { headers }))).toBe('401 session.required');
    });

    it('cannot assign a ticket to a member of another organization', async () => {
      expect(codeOf(await eve.browser.patch(`/tickets/${ticketOfEve.id}`, { assigned_to: ada.session.profile.user_id }))).toBe(
        '422 assignee.not_a_member',
      );
    });
  });
});

describe('a service', () => {
  it('refuses requests without a signed context, and with a forged one', async () => {
    const url = `${app.services.tickets.url}/tickets`;
    const answerTo = async (headers: Record<string, string>) => {
      const response = await fetch(url, { headers });
      return `${response.status} ${((await response.json()) as { code: string }).code}`;
    };
    expect(await answerTo({})).toBe('401 session.required');
    expect(await answerTo({ 'x-user-id': crypto.randomUUID(), 'x-role': 'admin' })).toBe('401 session.required');
    // It cannot be verified, as if the gateway had another secret: 401 would make every browser sign its user out.
    expect(await answerTo({ 'x-tandem-context': 'eyJjdHgiOnt9fQ.AAAA' })).toBe('503 service.unavailable');
  });
});
