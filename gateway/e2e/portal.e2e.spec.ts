import type { PublicComment, PublicOrganization, PublicSurvey, PublicTicket, Survey } from '@tandem/contracts';
import { eventually, mailbox } from '@tandem/testing';
import { anAddress, type Browser } from './client';
import { codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';

describe('the portal of an organization', () => {
  let app: TestApp;
  let ada: OwnerSession;
  let bob: OwnerSession;
  let portal: Browser;

  beforeAll(async () => {
    // Raised because the tests write a long conversation within a minute.
    app = await startTestApp({ RATE_LIMIT_API_PER_MINUTE: '1000' });
    [ada, bob] = await Promise.all([app.signUpOwner('Ada Engines'), app.signUpOwner('Bob Bakery')]);
    portal = app.browser(ada.portalHost);
  });

  const submit = async (email = anAddress('customer'), browser = app.browser(ada.portalHost)) => {
    const answer = await browser.post<PublicTicket>('/public/tickets', {
      subject: 'Bread is cold',
      customer_email: email,
      description: 'Since Monday',
    });
    expect(answer.status).toBe(201);
    return answer.data;
  };

  it('finds its organization by host, ignoring case and port', async () => {
    const names = await Promise.all(
      [ada.portalHost, ada.portalHost.toUpperCase(), ada.portalHost.replace(/:\d+$/, ':8443'), bob.portalHost].map(
        async (host) => (await app.browser(host).get<PublicOrganization>('/public/organization')).data.name,
      ),
    );
    expect(names).toEqual(['Ada Engines', 'Ada Engines', 'Ada Engines', 'Bob Bakery']);
  });

  it('does not exist on an unknown host', async () => {
    for (const host of ['nobody-at-all.localhost', 'evil.example', "x'; drop table organizations--.localhost", '']) {
      expect(
        codeOf(
          await app.browser(host).get('/public/organization', host === '' ? { headers: { 'x-forwarded-host': 'unknown.localhost' } } : {}),
        ),
      ).toBe('404 organization.not_found');
    }
  });

  it('accepts a ticket and emails the customer a link that opens it', async () => {
    const email = anAddress('customer');
    const ticket = await submit(email);
    const mail = await mailbox.waitFor({ to: email });
    const link = new URL(mail.links.find((address) => address.includes('/ticket-status/'))!);
    expect(link.host).toBe(ada.portalHost);
    expect(link.pathname).toBe(`/ticket-status/${ticket.id}`);
    expect(link.searchParams.get('email')).toBe(email);
    const seen = await app.browser(link.host).get<PublicTicket>(`/public/tickets/${link.pathname.split('/').pop()!}${link.search}`);
    expect(seen.data).toMatchObject({ id: ticket.id, subject: 'Bread is cold', status: 'open', customer_email: email, comments: [] });
  });

  it('returns the same error for a wrong email, an unknown ID and a ticket of another organization', async () => {
    const email = anAddress('customer');
    const ticket = await submit(email);
    const ask = (id: string, address: string, browser = portal) =>
      browser.get(`/public/tickets/${id}?email=${encodeURIComponent(address)}`);
    const answers = [
      await ask(ticket.id, anAddress()),
      await ask(crypto.randomUUID(), email),
      await ask(ticket.id, email, app.browser(bob.portalHost)),
    ];
    const bodies = answers.map(({ status, body: { request_id: _, ...problem } }) => ({ status, problem }));
    expect(bodies[0]).toMatchObject({ status: 404, problem: { code: 'ticket.not_found' } });
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
  });

  it('shows neither internal notes nor the assignee', async () => {
    const email = anAddress('customer');
    const ticket = await submit(email);
    await eventually(async () => expect((await ada.browser.get(`/tickets/${ticket.id}`)).status).toBe(200));
    await ada.browser.post(`/tickets/${ticket.id}/comments`, { content: 'We are on it' });
    await ada.browser.post(`/tickets/${ticket.id}/comments`, { content: 'Customer is a pain', is_internal: true });
    await ada.browser.patch(`/tickets/${ticket.id}`, { assigned_to: ada.session.profile.user_id });
    const seen = await portal.get<PublicTicket>(`/public/tickets/${ticket.id}?email=${encodeURIComponent(email)}`);
    expect(seen.data.comments.map(({ content }) => content)).toEqual(['We are on it']);
    expect(seen.text).not.toMatch(/assigned_to|is_internal|pain/);
    expect(seen.text).not.toContain(ada.email);
  });

  it('accepts comments until the ticket is resolved', async () => {
    const email = anAddress('customer');
    const ticket = await submit(email);
    const comment = { email, content: 'Still cold' };
    expect((await portal.post(`/public/tickets/${ticket.id}/comments`, comment)).status).toBe(201);
    expect(codeOf(await portal.post(`/public/tickets/${ticket.id}/comments`, { ...comment, email: anAddress() }))).toBe(
      '404 ticket.not_found',
    );
    await ada.browser.patch(`/tickets/${ticket.id}`, { status: 'resolved' });
    expect(codeOf(await portal.post(`/public/tickets/${ticket.id}/comments`, comment))).toBe('423 ticket.locked');
  });

  it('exchanges files between customer and staff, but not files of internal notes', async () => {
    const email = anAddress('customer');
    const visitor = app.browser(ada.portalHost);
    const upload = async (browser: Browser, path: string, content: string) => {
      const { data } = await browser.post<{ attachment_id: string; upload_url: string }>(path, {
        file_name: 'a.txt',
        size: content.length,
      });
      const headers = { 'content-type': 'text/plain' };
      expect((await app.browser().send('PUT', `/${data.upload_url}`, { raw: Buffer.from(content), headers })).status).toBe(200);
      return data.attachment_id;
    };
    const theirs = await upload(visitor, '/public/attachments', 'Theirs');
    const ours = await upload(ada.browser, '/attachments', 'Ours');
    const secret = await upload(ada.browser, '/attachments', 'Secret');
    const ticket = (
      await visitor.post<PublicTicket>('/public/tickets', { subject: 'See', customer_email: email, attachment_ids: [theirs] })
    ).data;
    expect(ticket.attachments.map(({ id }) => id)).toEqual([theirs]);
    await ada.browser.post(`/tickets/${ticket.id}/comments`, { content: 'Look', attachment_ids: [ours] });
    await ada.browser.post(`/tickets/${ticket.id}/comments`, { content: 'Us', is_internal: true, attachment_ids: [secret] });
    const link = (id: string, address = email) =>
      visitor.post<{ url: string }>(`/public/tickets/${ticket.id}/attachments/${id}/link`, { email: address });
    const bytes = async (url: string) => (await app.browser().fetch('GET', `/${url}`)).text();
    expect(await bytes((await link(ours)).data.url)).toBe('Ours');
    expect(await bytes((await ada.browser.post<{ url: string }>(`/attachments/${theirs}/link`)).data.url)).toBe('Theirs');
    expect(codeOf(await link(secret))).toBe('404 attachment.not_found');
    expect(codeOf(await link(ours, anAddress()))).toBe('404 ticket.not_found');
  });

  it('returns a long conversation page by page, each comment once', async () => {
    const email = anAddress('customer');
    const ticket = await submit(email);
    for (let i = 1; i <= 55; i += 1) {
      const answer = await ada.browser.post(`/tickets/${ticket.id}/comments`, { content: String(i), is_internal: i % 11 === 0 });
      expect(answer.status).toBe(201);
    }
    await portal.post(`/public/tickets/${ticket.id}/comments`, { email, content: '56' });
    const query = new URLSearchParams({ email, limit: '3' });
    const first = (await portal.get<PublicTicket>(`/public/tickets/${ticket.id}?${new URLSearchParams({ email }).toString()}`)).data;
    const seen = first.comments.map(({ content }) => Number(content));
    for (let cursor = first.earlier_cursor; cursor !== null;) {
      query.set('cursor', cursor);
      const page = await portal.get<PublicComment[]>(`/public/tickets/${ticket.id}/comments?${query.toString()}`);
      seen.unshift(...page.data.map(({ content }) => Number(content)).reverse());
      cursor = (page.body.meta as { pagination: { next_cursor: string | null } }).pagination.next_cursor;
    }
    expect(seen).toEqual(Array.from({ length: 56 }, (_, i) => i + 1).filter((i) => i % 11 !== 0));
  });

  it('accepts one survey response per ticket', async () => {
    const email = anAddress('customer');
    const ticket = await submit(email);
    const path = `/public/surveys/${ticket.id}`;
    expect((await portal.get<PublicSurvey>(`${path}?${new URLSearchParams({ email }).toString()}`)).data.survey).toBeNull();
    const answer = { email, rating: 5, feedback: 'Warm again' };
    expect(codeOf(await portal.post(path, { email }))).toBe('422 request.invalid');
    expect((await portal.post<PublicSurvey>(path, answer)).data.survey).toMatchObject({ rating: 5, feedback: 'Warm again' });
    expect(codeOf(await portal.post(path, answer))).toBe('409 survey.already_submitted');
    expect((await ada.browser.get<Survey>(`/tickets/${ticket.id}/survey`)).data).toMatchObject({ rating: 5, customer_email: email });
  });

  it('does not reveal whether an address has tickets', async () => {
    const email = anAddress('customer');
    await submit(email);
    const known = await app.browser(ada.portalHost).post('/public/tickets/lookup', { email });
    const unknown = await app.browser(ada.portalHost).post('/public/tickets/lookup', { email: anAddress() });
    expect([known.status, unknown.status]).toEqual([202, 202]);
    expect(known.data).toEqual(unknown.data);
    await mailbox.waitFor({ to: email, subject: /link|ticket/i });
  });

  it('treats a signed-in member as a visitor', async () => {
    const visiting = ada.browser.on(bob.portalHost);
    for (const [name, cookie] of ada.browser.cookies) visiting.cookies.set(name, cookie);
    const answer = await visiting.get<PublicOrganization>('/public/organization');
    expect(answer.data.name).toBe('Bob Bakery');
  });
});
