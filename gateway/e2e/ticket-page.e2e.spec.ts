import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ticketPagePartNames, ticketPageParts, type Ticket, type TicketPage } from '@tandem/contracts';
import { eventually, onTestFileEnd, startForTest } from '@tandem/testing';
import { ticketsService } from '@tandem/tickets/src/tickets.module';

import { Browser } from './client';
import { anIpAddress, codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';

let app: TestApp;
let ada: OwnerSession;
let ticket: Ticket;

beforeAll(async () => {
  app = await startTestApp();
  ada = await app.signUpOwner();
  await ada.browser.post('/sla-policies', { name: 'Ours', priority_level: 'medium', is_active: true });
  const customer_email = 'jonas@example.test';
  await app.ticket(ada.browser, { customer_email, subject: 'An earlier one' });
  ticket = await app.ticket(ada.browser, { customer_email });
  await ada.browser.post(`/tickets/${ticket.id}/comments`, { content: 'A text with "data",\n"meta":{"request_id":"…"} in it' });
  await ada.browser.post(`/tickets/${ticket.id}/comments`, { content: 'A note', is_internal: true });
  await ada.browser.send('PUT', `/tickets/${ticket.id}/draft`, { body: { content: 'Unsent' } });
  // Wait for pending events: the page must not change between two responses that are compared.
  await eventually(async () => {
    const { data } = await ada.browser.get<NonNullable<TicketPage['emails']>>(`/tickets/${ticket.id}/emails`);
    // Two consumers write them, so each can be the first.
    expect(data.emails.map(({ kind, state }) => `${kind} ${state}`).sort()).toEqual(['ticket_created sent', 'ticket_reply sent']);
  });
});

const pagePath = (id = ticket.id) => `/tickets/${id}/page`;
/** The same user at another gateway. */
function at(url: string): Browser {
  const browser = new Browser(url, ada.browser.host, { 'x-forwarded-for': anIpAddress() });
  for (const [name, cookie] of ada.browser.cookies) browser.cookies.set(name, cookie);
  return browser;
}

/** The response of the part's own operation, in the form in which the page contains it. */
async function alone(part: keyof typeof ticketPageParts): Promise<unknown> {
  const { operation, query = {} } = ticketPageParts[part] as {
    operation: (typeof ticketPageParts)['comments']['operation'];
    query?: object;
  };
  const search = new URLSearchParams({
    ...(query as Record<string, string>),
    ...(part === 'customer_tickets' ? { customer_email: ticket.customer_email } : {}),
  });
  const { body } = await ada.browser.get(`${operation.path.replace(':id', ticket.id)}?${search.toString()}`);
  return operation.paginated ? { items: body.data, pagination: body.meta.pagination } : body.data;
}

describe('the page of a ticket', () => {
  it('contains each part exactly as its own operation returns it', async () => {
    const { status, data } = await ada.browser.get<TicketPage>(pagePath());
    expect(status).toBe(200);
    expect(data.unavailable).toEqual([]);
    expect(data.ticket).toEqual((await ada.browser.get(`/tickets/${ticket.id}`)).data);
    expect(data.comments!.items.map(({ content }) => content)).toEqual(['A note', 'A text with "data",\n"meta":{"request_id":"…"} in it']);
    expect(data.draft).toMatchObject({ content: 'Unsent' });
    expect(data.sla).not.toBeNull();
    expect(data.customer_tickets!.items.map(({ subject }) => subject)).toEqual([ticket.subject, 'An earlier one']);
    expect(data.timeline!.items.length).toBeGreaterThan(0);
    for (const part of ticketPagePartNames) expect([part, data[part]]).toEqual([part, await alone(part)]);
  });

  it('counts as one call against the rate limit', async () => {
    const used = async () => Number((await ada.browser.get(pagePath())).headers.get('x-ratelimit-used'));
    const before = await used();
    expect((await used()) - before).toBe(1);
  });

  it('returns 304 until something changes', async () => {
    const own = await app.ticket(ada.browser, { priority: 'low' });
    let tag = '';
    // The effects of its creation in other services, such as the confirmation email, may still change the page.
    await eventually(async () => {
      tag = (await ada.browser.get(pagePath(own.id))).headers.get('etag')!;
      const unchanged = await ada.browser.get(pagePath(own.id), { headers: { 'if-none-match': tag } });
      expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', tag]);
    });
    expect(tag).toMatch(/^W\/"[\w-]+"$/);
    await ada.browser.post(`/tickets/${own.id}/comments`, { content: 'A change', is_internal: true });
    const changed = await ada.browser.get<TicketPage>(pagePath(own.id), { headers: { 'if-none-match': tag } });
    expect([changed.status, changed.data.comments!.items.length]).toEqual([200, 1]);
    expect(changed.headers.get('etag')).not.toBe(tag);
  });

  it('contains the rating only after the ticket is resolved', async () => {
    const customer_email = 'rater@example.test';
    const { id } = await app.ticket(ada.browser, { customer_email });
    expect((await ada.browser.get<TicketPage>(pagePath(id))).data).toMatchObject({ survey: null, unavailable: [] });
    await ada.browser.patch(`/tickets/${id}`, { status: 'resolved' });
    await app.browser(ada.portalHost).post(`/public/surveys/${id}`, { email: customer_email, rating: 4 });
    expect((await ada.browser.get<TicketPage>(pagePath(id))).data.survey).toMatchObject({ rating: 4 });
  });

  it('refuses an invalid ID, and does not find a ticket of another organization', async () => {
    expect(codeOf(await ada.browser.get(pagePath('nonsense')))).toBe('422 request.invalid');
    const bob = await app.signUpOwner();
    expect(codeOf(await bob.browser.get(pagePath()))).toBe('404 ticket.not_found');
    expect(codeOf(await bob.browser.get(pagePath(crypto.randomUUID())))).toBe('404 ticket.not_found');
  });

  it('is available to every role of the organization, and to no other callers', async () => {
    const { id } = ada.organization;
    for (const role of ['agent', 'manager', 'admin'] as const) {
      const { status, data } = await app.as(role, id).get<TicketPage>(pagePath());
      expect([role, status, data.unavailable]).toEqual([role, 200, []]);
    }
    expect(codeOf(await app.browser().get(pagePath()))).toBe('401 session.required');
    expect(codeOf(await app.as(null, null).get(pagePath()))).toBe('403 organization.required');
  });
});

describe('the page of a ticket while a service is down', () => {
  let silent: Server;
  /** Accepts every connection and never responds. */
  beforeAll(async () => {
    silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    silent.closeAllConnections();
    silent.close();
  });

  it('omits and names the parts of a service that is down or does not respond', async () => {
    const slow = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const gateway = await app.secondGateway({ NOTIFICATIONS_URL: 'http://127.0.0.1:9', INTEGRATIONS_URL: slow });
    const { status, data, headers } = await at(gateway.url).get<TicketPage>(pagePath());
    expect([status, data.unavailable]).toEqual([200, ['task', 'emails']]);
    expect([data.task, data.emails, data.ticket.id]).toEqual([null, null, ticket.id]);
    expect(data.comments!.items).toHaveLength(2);
    expect(headers.get('etag')).not.toBe((await ada.browser.get(pagePath())).headers.get('etag'));
  });

  it('is unavailable without the tickets service', async () => {
    const gateway = await app.secondGateway({ TICKETS_URL: 'http://127.0.0.1:9' });
    expect(codeOf(await at(gateway.url).get(pagePath()))).toBe('503 service.unavailable');
  });
});

describe('unchanged tickets and lists', () => {
  const noRedis = { REDIS_URL: 'redis://127.0.0.1:9' };
  let one: CountedGateway;
  let other: CountedGateway;
  let own: Ticket;
  beforeAll(async () => {
    one = await countedGateway(app.services.tickets.url);
    other = await countedGateway(app.services.tickets.url);
    own = await app.ticket(ada.browser, { priority: 'low' });
    // No other change to the organization may follow.
    await eventually(async () => {
      const { data } = await ada.browser.get<NonNullable<TicketPage['emails']>>(`/tickets/${own.id}/emails`);
      expect(data.emails.map(({ state }) => state)).toEqual(['sent']);
    });
  });

  interface CountedGateway {
    browser: Browser;
    /** Number of requests to the tickets service. */
    calls(): number;
  }
  async function countedGateway(ticketsUrl: string, overrides: Record<string, string> = {}): Promise<CountedGateway> {
    let calls = 0;
    const proxy = createServer((incoming, outgoing) => {
      calls += 1;
      const forwarded = request(ticketsUrl + incoming.url!, { method: incoming.method, headers: incoming.headers }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(forwarded);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    onTestFileEnd(async () => {
      proxy.closeAllConnections();
      proxy.close();
    });
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const gateway = await app.secondGateway({ TICKETS_URL: address, RATE_LIMIT_API_PER_MINUTE: '1000', ...overrides });
    return { browser: at(gateway.url), calls: () => calls };
  }
  const paths = () => [`/tickets/${own.id}`, '/tickets?limit=5'];
  const tagOf = async ({ browser }: CountedGateway, path: string) => (await browser.get(path)).headers.get('etag')!;
  const poll = ({ browser }: CountedGateway, path: string, tag: string) => browser.get<Ticket>(path, { headers: { 'if-none-match': tag } });

  it('are answered without the tickets service', async () => {
    for (const path of paths()) {
      const tag = await tagOf(one, path);
      const before = one.calls();
      const { status, headers, text } = await poll(one, path, `"x", ${tag}`);
      expect([status, text, headers.get('etag'), headers.get('cache-control')]).toEqual([304, '', tag, 'private, no-cache']);
      expect([headers.has('x-ratelimit-used'), one.calls()]).toEqual([true, before]);
      expect([(await poll(one, path, '"other"')).status, one.calls()]).toEqual([200, before + 1]);
    }
  });

  it('are never answered with 304 after a change at another gateway or by another service has been confirmed', async () => {
    for (let round = 1; round <= 10; round += 1) {
      const tags = await Promise.all(paths().map((path) => tagOf(other, path)));
      // From now on both gateways know the tags.
      await Promise.all(paths().map(async (path, i) => expect((await poll(one, path, tags[i]!)).status).toBe(304)));
      const subject = `Changed ${round} times`;
      const changed = await one.browser.patch(`/tickets/${own.id}`, { subject });
      expect(changed.status).toBe(200);
      const [read, list] = await Promise.all(paths().map((path, i) => poll(other, path, tags[i]!)));
      expect([read!.status, read!.data.subject, list!.status]).toEqual([200, subject, 200]);
    }
  });

  it('are still answered without the tickets service after a request that was rolled back', async () => {
    const [path] = paths() as [string];
    const tag = await tagOf(one, path);
    expect((await other.browser.patch(path, { assigned_to: crypto.randomUUID() })).status).toBe(422);
    const before = one.calls();
    expect([(await poll(one, path, tag)).status, one.calls()]).toEqual([304, before]);
  });

  it('are known per user, organization and URL', async () => {
    const path = '/tickets?limit=5';
    const tag = await tagOf(one, path);
    const bob = await app.signUpOwner();
    const gatewayUrl = one.browser.url;
    for (const [name, cookie] of bob.browser.cookies) one.browser.cookies.set(name, cookie);
    try {
      expect((await poll(one, path, tag)).data).toEqual([]);
      expect(codeOf(await poll(one, `/tickets/${own.id}`, '*'))).toBe('404 ticket.not_found');
    } finally {
      one.browser = at(gatewayUrl);
    }
    const before = one.calls();
    expect((await poll(one, '/tickets?limit=5&status=closed', tag)).status).toBe(200);
    expect(one.calls()).toBe(before + 1);
    expect((await poll(one, path, tag)).status).toBe(304);
    expect(codeOf(await app.browser().get(path, { headers: { 'if-none-match': tag } }))).toBe('401 session.required');
  });

  it('are seen as changed if the service that wrote the change has lost Redis', async () => {
    const replica = await startForTest(ticketsService as never, { ...app.env, ...noRedis, RUN: 'http' });
    const third = await countedGateway(replica.url);
    const [path] = paths() as [string];
    const tag = await tagOf(one, path);
    expect((await poll(one, path, tag)).status).toBe(304);
    expect((await third.browser.patch(path, { subject: 'Changed without Redis' })).status).toBe(200);
    expect((await poll(one, path, tag)).data).toMatchObject({ subject: 'Changed without Redis' });
  });

  it('are read from the service while the gateway has no Redis', async () => {
    const [path] = paths() as [string];
    const without = await countedGateway(app.services.tickets.url, noRedis);
    const tag = await tagOf(without, path);
    for (const calls of [2, 3]) expect([(await poll(without, path, tag)).status, without.calls()]).toEqual([304, calls]);
  });
});
