import type { Comment, Session, Ticket, TicketStats, TicketSummary } from '@tandem/contracts';
import { eventually, mailbox } from '@tandem/testing';
import { anAddress, EventReader } from './client';
import { codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});

describe('a ticket, from sign-up to resolved', () => {
  let ada: OwnerSession;

  beforeAll(async () => {
    ada = await app.signUpOwner('Analytical Engines');
  });

  it('makes the owner an admin of the new organization without another sign-in', async () => {
    const answer = await ada.browser.get<Session>('/auth/session');
    expect(answer.data.profile).toMatchObject({ email: ada.email, role: 'admin', organization_id: ada.organization.id });
    expect(answer.data.organization).toMatchObject({ name: 'Analytical Engines', subdomain: expect.any(String) as string });
  });

  it('refuses a sign-in before the address is confirmed', async () => {
    const email = anAddress();
    const browser = app.browser();
    await browser.post('/auth/sign-up', { email, password: ada.password });
    expect(codeOf(await browser.post('/auth/sign-in', { email, password: ada.password }))).toBe('403 email.not_confirmed');
  });

  it('is created, commented on and resolved, and other sessions receive these events', async () => {
    const colleague = await app.signIn(ada.email);
    const events = await EventReader.open(colleague.browser);
    await eventually(() => expect(events.raw.length).toBeGreaterThan(0));

    const created = await app.ticket(ada.browser, { subject: 'No steam', customer_email: 'Customer@Example.TEST' });
    expect(created).toMatchObject({
      ticket_number: expect.stringMatching(/^[A-Z]{2,5}-0001$/) as string,
      customer_email: 'customer@example.test',
      status: 'open',
      priority: 'medium',
    });

    const reply = await ada.browser.post<Comment>(`/tickets/${created.id}/comments`, { content: 'Have you tried coal?' });
    const note = await ada.browser.post<Comment>(`/tickets/${created.id}/comments`, { content: 'Not again', is_internal: true });
    expect([reply.status, note.status, note.data.is_internal]).toEqual([201, 201, true]);

    const resolved = await ada.browser.patch<Ticket>(`/tickets/${created.id}`, { status: 'resolved' });
    expect(resolved.data).toMatchObject({ status: 'resolved', resolved_at: expect.any(String) as string });

    const comments = await colleague.browser.get<Comment[]>(`/tickets/${created.id}/comments`);
    expect(comments.data.map(({ content }) => content)).toEqual(['Have you tried coal?', 'Not again']);
    const list = await colleague.browser.get<TicketSummary[]>('/tickets?status=resolved');
    expect(list.data.map(({ id }) => id)).toEqual([created.id]);
    expect(list.body.meta.pagination).toMatchObject({ total: 1 });

    await eventually(() => {
      const types = events.events.map(({ type }) => type);
      expect(types).toEqual(expect.arrayContaining(['ticket.created', 'ticket.comment.added', 'ticket.resolved']));
    });

    // A page opens its stream after it has read its data.
    const late = await EventReader.open(colleague.browser, '/events?since_ms=15000');
    await eventually(() => {
      const missed = late.events.filter(({ subject }) => subject === created.id).map(({ type }) => type);
      expect(missed).toEqual(expect.arrayContaining(['ticket.created', 'ticket.comment.added', 'ticket.resolved']));
    });
    late.close();
    for (const since of ['-1', '15001', 'long'])
      expect(codeOf(await colleague.browser.get(`/events?since_ms=${since}`))).toBe('422 request.invalid');
    const names = new Set(events.events.map((event) => Object.keys(event).sort().join()));
    expect([...names]).toEqual(['id,own,sequence,subject,type']);
    expect(events.raw.join('\n')).not.toContain('Not again');
    events.close();
  });

  it('is counted on the dashboard', async () => {
    const listed = async (query: string) => (await ada.browser.get<TicketSummary[]>(`/tickets${query}`)).body.meta.pagination?.total;
    const before = await listed('');
    await app.ticket(ada.browser);
    const [total, open] = [await listed(''), await listed('?status=open')];
    expect(total).toBe(before! + 1);
    // Compare with the list: the stats may not include the latest tickets yet.
    await eventually(async () => expect((await ada.browser.get<TicketStats>('/tickets/stats')).data).toMatchObject({ total, open }));
  });

  it('sends the customer one email', async () => {
    const ticket = await app.ticket(ada.browser);
    const mail = await mailbox.waitFor({ to: ticket.customer_email });
    expect(mail.subject).toContain(ticket.ticket_number);
    expect(await mailbox.find({ to: ticket.customer_email })).toHaveLength(1);
  });

  it('returns 304 if unchanged, and refuses an edit of an old version', async () => {
    const ticket = await app.ticket(ada.browser);
    const first = await ada.browser.get(`/tickets/${ticket.id}`);
    const etag = first.headers.get('etag')!;
    expect((await ada.browser.get(`/tickets/${ticket.id}`, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await ada.browser.patch(`/tickets/${ticket.id}`, { priority: 'high' }, { headers: { 'if-match': etag } })).status).toBe(200);
    expect((await ada.browser.patch(`/tickets/${ticket.id}`, { priority: 'low' }, { headers: { 'if-match': etag } })).status).toBe(412);
  });

  it('is created once per idempotency key', async () => {
    const body = { subject: 'Twice', customer_email: anAddress() };
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const first = await ada.browser.post<Ticket>('/tickets', body, { headers });
    const second = await ada.browser.post<Ticket>('/tickets', body, { headers });
    expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([201, 201, 'true']);
    expect(second.data.id).toBe(first.data.id);
    expect(codeOf(await ada.browser.post('/tickets', { ...body, subject: 'Other' }, { headers }))).toBe('422 idempotency.key_reused');
  });
});

describe('a session', () => {
  it('hides its tokens from scripts: no response body contains one, and their cookies are HttpOnly', async () => {
    const { browser } = await app.signIn(await app.account());
    const values = ['tandem_session', 'tandem_refresh'].map((name) => browser.cookies.get(name)!);
    const refreshed = await browser.post('/auth/refresh');
    expect(refreshed.status).toBe(200);
    for (const name of ['tandem_session', 'tandem_refresh']) values.push(browser.cookies.get(name)!);
    for (const { value, attributes } of values) {
      expect(refreshed.text).not.toContain(value);
      expect(attributes).toMatch(/HttpOnly/);
      expect(attributes).toMatch(/SameSite=Lax/);
    }
    expect(refreshed.data).toMatchObject({ profile: { organization_id: null } });
  });

  it('rotates the refresh token', async () => {
    const { browser } = await app.signIn(await app.account());
    const before = browser.cookies.get('tandem_refresh')!.value;
    await browser.post('/auth/refresh');
    expect(browser.cookies.get('tandem_refresh')!.value).not.toBe(before);
    expect((await browser.get('/auth/session')).status).toBe(200);
  });

  it('ends on every replica at sign-out, even for a copied access token', async () => {
    const { browser } = await app.signIn(await app.account());
    const second = await app.secondGateway();
    const withCookie = { headers: { cookie: `tandem_session=${browser.cookies.get('tandem_session')!.value}` } };
    expect((await app.browser().get('/auth/session', withCookie)).status).toBe(200);
    expect((await browser.post('/auth/sign-out')).status).toBe(200);
    expect([...browser.cookies.keys()]).toEqual([]);
    expect(codeOf(await app.browser().get('/auth/session', withCookie))).toBe('401 session.expired');
    const elsewhere = await fetch(`${second.url}/api/v1/me`, withCookie);
    expect(elsewhere.status).toBe(401);
  });

  it('closes its event stream at sign-out', async () => {
    const ada = await app.signUpOwner();
    const events = await EventReader.open(ada.browser);
    await eventually(() => expect(events.raw.length).toBeGreaterThan(0));
    await ada.browser.post('/auth/sign-out');
    await eventually(() => expect(events.ended).toBe(true));
  });

  it('can open an event stream only in an organization, and at most ten per user', async () => {
    expect(codeOf(await app.browser().get('/events'))).toBe('401 session.required');
    expect(codeOf(await app.as(null, null).get('/events'))).toBe('403 organization.required');
    const ada = await app.signUpOwner();
    const readers = await Promise.all(Array.from({ length: 10 }, () => EventReader.open(ada.browser)));
    expect(readers.every(({ response }) => response.status === 200)).toBe(true);
    expect(codeOf(await ada.browser.get('/events'))).toBe('429 limit.exceeded');
    for (const reader of readers) reader.close();
    await eventually(async () => {
      const reader = await EventReader.open(ada.browser);
      reader.close();
      expect(reader.response.status).toBe(200);
    });
  });
});
