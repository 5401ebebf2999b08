import { serviceNames, type Member, type Session, type Ticket } from '@tandem/contracts';
import { eventually, mailbox } from '@tandem/testing';
import { anAddress, type Browser } from './client';
import { asSuperuser, finishDeletion, rowsWith } from './deleted-data';
import { codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';

let app: TestApp;
let owner: OwnerSession;
beforeAll(async () => {
  app = await startTestApp({ SWEEP_MS: '300', LIVE_DEMOS: '1' });
  owner = await app.signUpOwner();
});

async function aDemo(): Promise<{ browser: Browser; session: Session; id: string }> {
  const browser = app.browser();
  const { status, data: session, text } = await browser.post<Session>('/auth/demo', {});
  expect([status, text]).toEqual([200, expect.any(String)]);
  return { browser, session, id: session.organization!.id };
}
/** All demo tickets are written in one transaction. */
const ticketsOf = (browser: Browser) =>
  eventually(async () => {
    const { data } = await browser.get<Ticket[]>('/tickets?limit=100');
    expect(data.length).toBeGreaterThan(12);
    return data;
  });
/** Without the roll-ups, which analytics computes some time after the ticket. */
const rowsOfOwner = () =>
  Promise.all(
    serviceNames.map(async (service) => {
      const { dirty_days: _, day_roll_ups: __, ...rows } = await rowsWith(app, service, [owner.organization.id]);
      return rows;
    }),
  );

describe('a live demo', () => {
  let demo: Awaited<ReturnType<typeof aDemo>>;
  let tickets: Ticket[];
  beforeAll(async () => {
    demo = await aDemo();
    tickets = await ticketsOf(demo.browser);
  });

  it('is announced, with how people can sign up', async () => {
    expect((await app.browser().get('/public/installation')).data).toEqual({ sign_up: 'open', has_live_demo: true });
  });

  it('signs the visitor in as the manager of an organization of their own, for an hour', async () => {
    const { profile, organization } = demo.session;
    expect(profile).toMatchObject({ role: 'manager', email: expect.stringMatching(/\.demo\.invalid$/) });
    expect(organization!.subdomain).toBeNull();
    const minutes = (Date.parse(organization!.demo_ends_at!) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(55);
    expect(minutes).toBeLessThanOrEqual(60);
    expect(demo.session.absolute_expires_at).toBe(organization!.demo_ends_at);
    expect((await demo.browser.get<Member[]>('/team/members')).data.map(({ role }) => role).sort()).toEqual(['admin', 'agent', 'manager']);
  });

  it('lets the visitor work with tickets, without an email to any address', async () => {
    const customer = anAddress('stranger');
    const created = await demo.browser.post<Ticket>('/tickets', { subject: 'Spam?', customer_email: customer, cc: [anAddress('cc')] });
    expect(created.status).toBe(201);
    const reply = await demo.browser.post(`/tickets/${created.data.id}/comments`, { content: 'Buy this', is_internal: false });
    expect(reply.status).toBe(201);
    // An email of another organization, caused later, has been sent: one of the demo would have been, too.
    const other = anAddress('customer');
    await app.ticket(owner.browser, { customer_email: other });
    await mailbox.waitFor({ to: other });
    expect(await mailbox.find({ to: customer })).toEqual([]);
    expect(await mailbox.find({ to: created.data.cc[0]! })).toEqual([]);
    const sent = await asSuperuser(app, 'notifications', (client) =>
      client.query(`select kind, state from emails where organization_id = $1 and (attempts > 0 or state <> 'pending')`, [demo.id]),
    );
    expect(sent.rows).toEqual([]);
  });

  it.each([
    ['add a webhook endpoint', 'POST', '/webhook-endpoints', { url: 'https://example.com/hook', events: ['ticket.created'] }],
    ['invite people', 'POST', '/team/invitations', { email: 'someone@example.com', role: 'agent' }],
    ['create API tokens', 'POST', '/api-tokens', { name: 'x', permissions: ['tickets:read'] }],
    ['connect a mailbox', 'PUT', '/mail-in/mailbox', {}],
  ])('does not let the visitor %s', async (_what, method, path, body) => {
    expect(codeOf(await demo.browser.send(method, path, { body }))).toBe('403 permission.denied');
  });

  it('does not let the visitor change the account, whose password is not stored', async () => {
    const answer = await demo.browser.send('POST', '/me/password', {
      body: { current_password: 'tandem-demo-1', new_password: 'correct horse 7 staple' },
    });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    const reset = await app.browser().post('/auth/password/forgot', { email: demo.session.profile.email });
    expect(reset.status).toBeLessThan(300);
    expect(await mailbox.find({ to: demo.session.profile.email })).toEqual([]);
  });

  it('has no widget, through which strangers could reach it', async () => {
    expect(codeOf(await app.browser().get(`/widget/v1/config?organization=${demo.id}`))).toMatch(/^404 /);
  });

  it('is visible to no other organization', async () => {
    expect(codeOf(await owner.browser.get(`/tickets/${tickets[0]!.id}`))).toBe('404 ticket.not_found');
  });

  it('is refused while as many visitors try the product as the installation allows', async () => {
    const other = app.browser();
    const refused = [await other.post('/auth/demo', {}), await other.post('/auth/demo', {})];
    expect(refused.map(codeOf)).toEqual(['503 demo.full', '503 demo.full']);
    // Otherwise a client could retry forever.
    const [first, second] = refused.map(({ headers }) => Number(headers.get('x-ratelimit-used')));
    expect(second).toBe(first! + 1);
  });

  it('leaves nothing in any database after it has expired, and rejects its session', async () => {
    const before = await rowsOfOwner();
    const { data: members } = await demo.browser.get<Member[]>('/team/members');
    await end(demo.id);
    await eventually(async () => expect(codeOf(await demo.browser.get('/tickets'))).toMatch(/^401 /));
    const host = demo.session.profile.email.split('@')[1]!;
    const traces = [demo.id, host, ...members.map(({ user_id }) => user_id), ...tickets.map(({ id }) => id)];
    await finishDeletion(app, demo.id);
    for (const service of serviceNames) expect([service, await rowsWith(app, service, traces)]).toEqual([service, {}]);
    expect(await rowsOfOwner()).toEqual(before);
  });
});

/** Simulates that the hour has passed. */
const end = (id: string) =>
  asSuperuser(app, 'identity', (client) =>
    client.query(`update organizations set demo_ends_at = now() - interval '1 second' where id = $1`, [id]),
  );

it('is refused where the installation offers none', async () => {
  const other = await startTestApp();
  expect((await other.browser().get('/public/installation')).data).toMatchObject({ has_live_demo: false });
  expect(codeOf(await other.browser().post('/auth/demo', {}))).toBe('403 demo.not_offered');
});
