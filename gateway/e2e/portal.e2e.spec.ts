import type { PublicOrganization, PublicTicket } from '@tandem/contracts';
import { eventually, mailbox } from '@tandem/testing';
import { anAddress, type Browser } from './client';
import { codeOf, startHouse, type Founder, type House } from './house';

describe('the portal of an organization', () => {
  let house: House;
  let ada: Founder;
  let bob: Founder;
  let portal: Browser;

  beforeAll(async () => {
    house = await startHouse();
    [ada, bob] = await Promise.all([house.founder('Ada Engines'), house.founder('Bob Bakery')]);
    portal = house.browser(ada.portalHost);
  });

  const submit = async (email = anAddress('customer'), browser = house.browser(ada.portalHost)) => {
    const answer = await browser.post<PublicTicket>('/public/tickets', {
      subject: 'Bread is cold',
      customer_email: email,
      description: 'Since Monday',
    });
    expect(answer.status).toBe(201);
    return answer.data;
  };

  it('knows its organization by the host, in any case and with any port', async () => {
    const names = await Promise.all(
      [ada.portalHost, ada.portalHost.toUpperCase(), ada.portalHost.replace(/:\d+$/, ':8443'), bob.portalHost].map(
        async (host) => (await house.browser(host).get<PublicOrganization>('/public/organization')).data.name,
      ),
    );
    expect(names).toEqual(['Ada Engines', 'Ada Engines', 'Ada Engines', 'Bob Bakery']);
  });

  it('does not exist at a host that stands for nobody', async () => {
    for (const host of ['nobody-at-all.localhost', 'evil.example', "x'; drop table organizations--.localhost", '']) {
      expect(
        codeOf(
          await house
            .browser(host)
            .get('/public/organization', host === '' ? { headers: { 'x-forwarded-host': 'unknown.localhost' } } : {}),
        ),
      ).toBe('404 organization.not_found');
    }
  });

  it('takes a ticket, mails the customer a link, and the link’s parts open the ticket', async () => {
    const email = anAddress('customer');
    const ticket = await submit(email);
    const mail = await mailbox.waitFor({ to: email });
    const link = new URL(mail.links.find((address) => address.includes('/ticket-status/'))!);
    expect(link.host).toBe(ada.portalHost);
    expect(link.pathname).toBe(`/ticket-status/${ticket.id}`);
    expect(link.searchParams.get('email')).toBe(email);
    const seen = await house.browser(link.host).get<PublicTicket>(`/public/tickets/${link.pathname.split('/').pop()!}${link.search}`);
    expect(seen.data).toMatchObject({ id: ticket.id, subject: 'Bread is cold', status: 'open', customer_email: email, comments: [] });
  });

  it('gives one answer for a wrong e-mail, an unknown id and another organization’s ticket', async () => {
    const email = anAddress('customer');
    const ticket = await submit(email);
    const ask = (id: string, address: string, browser = portal) =>
      browser.get(`/public/tickets/${id}?email=${encodeURIComponent(address)}`);
    const answers = [
      await ask(ticket.id, anAddress()),
      await ask(crypto.randomUUID(), email),
      await ask(ticket.id, email, house.browser(bob.portalHost)),
    ];
    const bodies = answers.map(({ status, body: { request_id: _, ...problem } }) => ({ status, problem }));
    expect(bodies[0]).toMatchObject({ status: 404, problem: { code: 'ticket.not_found' } });
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
  });

  it('shows neither internal notes nor who works on it', async () => {
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

  it('lets the customer write until the ticket is resolved', async () => {
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

  it('tells nobody whether an address has tickets', async () => {
    const email = anAddress('customer');
    await submit(email);
    const known = await house.browser(ada.portalHost).post('/public/tickets/lookup', { email });
    const unknown = await house.browser(ada.portalHost).post('/public/tickets/lookup', { email: anAddress() });
    expect([known.status, unknown.status]).toEqual([202, 202]);
    expect(known.data).toEqual(unknown.data);
    await mailbox.waitFor({ to: email, subject: /link|ticket/i });
  });

  it('treats a signed-in member like any visitor', async () => {
    const visiting = ada.browser.on(bob.portalHost);
    for (const [name, cookie] of ada.browser.cookies) visiting.cookies.set(name, cookie);
    const answer = await visiting.get<PublicOrganization>('/public/organization');
    expect(answer.data.name).toBe('Bob Bakery');
  });
});
