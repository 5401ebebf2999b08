import type { PublicTicket } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { anAddress, EventReader, type Browser } from './client';
import { anIpAddress, codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';

describe('the open status page of a ticket', () => {
  let app: TestApp;
  let ada: OwnerSession;
  let bob: OwnerSession;
  beforeAll(async () => {
    app = await startTestApp({ RATE_LIMIT_API_PER_MINUTE: '1000' });
    [ada, bob] = await Promise.all([app.signUpOwner(), app.signUpOwner()]);
  });
  const open: EventReader[] = [];
  afterEach(() => open.splice(0).forEach((reader) => reader.close()));

  const customer = async () => {
    const email = anAddress('customer');
    const browser = app.browser(ada.portalHost);
    const { data } = await browser.post<PublicTicket>('/public/tickets', { subject: 'Cold', customer_email: email });
    return { id: data.id, email, browser };
  };
  const pathOf = (id: string, email: string) => `/public/tickets/${id}/events?email=${encodeURIComponent(email)}`;
  const follow = async ({ id, email }: { id: string; email: string }, browser = app.browser(ada.portalHost)) => {
    const reader = await EventReader.open(browser, pathOf(id, email));
    open.push(reader);
    return reader;
  };
  const types = (reader: EventReader) => reader.events.map(({ type }) => type);
  const staff = (path: string, body: object, method = 'POST') => ada.browser.send(method, path, { body });

  it('receives replies and status changes, but no staff events', async () => {
    const mine = await customer();
    const reader = await follow(mine);
    expect([reader.response.status, reader.response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const other = await customer();
    await staff(`/tickets/${other.id}/comments`, { content: 'To somebody else' });
    await staff(`/tickets/${mine.id}/comments`, { content: 'A note', is_internal: true });
    await staff(`/tickets/${mine.id}`, { priority: 'urgent', tags: ['vip'], assigned_to: ada.session.profile.user_id }, 'PATCH');
    await staff(`/tickets/${mine.id}/comments`, { content: 'A reply' });
    await eventually(() => expect(types(reader)).toEqual(['ticket.comment.added']));
    await staff(`/tickets/${mine.id}`, { status: 'resolved' }, 'PATCH');
    await eventually(() => expect(types(reader)).toEqual(expect.arrayContaining(['ticket.updated', 'ticket.resolved'])));
    // No gaps, so that the customer cannot count hidden events.
    expect(reader.events.map(({ sequence }) => sequence)).toEqual(reader.events.map((_, i) => i + 1));
    expect(reader.events.map((event) => Object.keys(event).sort().join())).toEqual(reader.events.map(() => 'sequence,type'));
    expect(reader.raw.join()).not.toMatch(/note|reply|urgent|vip|Cold/i);
  });

  it('streams to the customer only; other requests get the same error as reading the ticket', async () => {
    const { id, email } = await customer();
    const ask = (path: string, browser: Browser) => browser.get(path);
    const portal = app.browser(ada.portalHost);
    const answers = [
      await ask(pathOf(id, anAddress()), portal),
      await ask(pathOf(crypto.randomUUID(), email), portal),
      await ask(pathOf(id, email), app.browser(bob.portalHost)),
      await ask(`/public/tickets/${crypto.randomUUID()}?email=${encodeURIComponent(email)}`, portal),
    ].map(({ status, body: { request_id: _, ...problem } }) => ({ status, problem }));
    expect(answers[0]).toMatchObject({ status: 404, problem: { code: 'ticket.not_found' } });
    expect(answers).toEqual(Array(4).fill(answers[0]));
    expect(codeOf(await ask(pathOf(id, email), app.browser('nobody.localhost')))).toBe('404 organization.not_found');
    for (const query of ['', '?email=', '?email=x', `?email=${encodeURIComponent(email)}&more=1`])
      expect([query, codeOf(await ask(`/public/tickets/${id}/events${query}`, portal))]).toEqual([query, '422 request.invalid']);
  });

  it('closes its stream when the ticket gets another customer', async () => {
    const mine = await customer();
    const reader = await follow(mine);
    await staff(`/tickets/${mine.id}`, { customer_email: anAddress('heir') }, 'PATCH');
    await eventually(() => expect(reader.ended).toBe(true));
    expect(reader.events).toEqual([]);
    expect(codeOf(await mine.browser.get(pathOf(mine.id, mine.email)))).toBe('404 ticket.not_found');
  });

  it('allows three streams per ticket and twenty per client address, and another one when one closes', async () => {
    const mine = await customer();
    const three = [await follow(mine), await follow(mine), await follow(mine)];
    expect(three.map(({ response }) => response.status)).toEqual([200, 200, 200]);
    const fourth = await app.browser(ada.portalHost).get(pathOf(mine.id, mine.email));
    expect([codeOf(fourth), fourth.headers.get('retry-after')]).toEqual(['429 limit.exceeded', '30']);
    three[0]!.close();
    await eventually(async () => expect((await follow(mine)).response.status).toBe(200));

    const shared = app.browser(ada.portalHost, anIpAddress());
    const tickets = await Promise.all(Array.from({ length: 8 }, customer));
    const streams = [];
    for (let i = 0; i < 20; i++) streams.push(await follow(tickets[i % 8]!, shared));
    expect(streams.map(({ response }) => response.status)).toEqual(Array(20).fill(200));
    expect(codeOf(await shared.get(pathOf(tickets[7]!.id, tickets[7]!.email)))).toBe('429 limit.exceeded');
  });

  it('closes its stream when the gateway stops', async () => {
    const second = await app.secondGateway();
    const mine = await customer();
    const there = mine.browser.on(ada.portalHost);
    const reader = await follow(mine, Object.assign(there, { url: second.url }));
    expect(reader.response.status).toBe(200);
    await second.close();
    await eventually(() => expect(reader.ended).toBe(true));
  });
});
