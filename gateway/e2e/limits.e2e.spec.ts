import { randomUUID } from 'node:crypto';
import { limits, type AuditEntry } from '@tandem/contracts';
import { eventually, mailbox } from '@tandem/testing';
import { anAddress, Browser, EventReader } from './client';
import { anIpAddress, codeOf, password, startTestApp, type OwnerSession, type TestApp } from './test-app';
import { withAuthenticator } from './team';

const times = async <T>(n: number, work: (i: number) => Promise<T>): Promise<T[]> => {
  const results: T[] = [];
  for (let i = 0; i < n; i++) results.push(await work(i));
  return results;
};

/** Runs calls concurrently where all must get the same response: each rejected sign-in takes a quarter of a second. */
const atOnce = <T>(n: number, work: (i: number) => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: n }, (_, i) => work(i)));

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});

describe('the default limits', () => {
  let ada: OwnerSession;
  beforeAll(async () => {
    ada = await app.signUpOwner();
  });
  const guess = (email: string, browser = app.browser()) => browser.post('/auth/sign-in', { email, password: 'wrong password' });
  /** One wrong password for each of `n` unknown accounts. */
  const strangers = (n: number, browser: (i: number) => Browser) => atOnce(n, (i) => guess(anAddress(), browser(i)));
  const submit = (browser: Browser, email = anAddress()) => browser.post('/public/tickets', { subject: 'x', customer_email: email });

  describe('help pages: 600 in a minute per address', () => {
    it('lets an office of 30 people search with every pause, and refuses the 601st request', async () => {
      const office = app.browser(ada.portalHost);
      const search = (i: number) => office.get(`/public/help/search?q=refund${i}`);
      // Thirty people type 15 times a minute.
      expect((await times(15, () => atOnce(30, search))).flat().filter(({ status }) => status !== 200)).toEqual([]);
      expect((await times(5, () => atOnce(30, search))).flat().filter(({ status }) => status !== 200)).toEqual([]);
      const refused = await search(0);
      expect(codeOf(refused)).toBe('429 limit.exceeded');
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      expect((await app.browser(ada.portalHost).get('/public/help/search?q=refund')).status).toBe(200);
    });
  });

  describe('sign-in: 5 in 15 minutes, then blocked for 30', () => {
    it('checks five guesses and blocks the account at the sixth, from any address and even with the right password', async () => {
      const email = await app.account();
      const guesses = await atOnce(5, () => guess(email));
      expect(guesses.map(codeOf)).toEqual(Array(5).fill('401 credentials.invalid'));
      const sixth = await guess(email);
      expect(codeOf(sixth)).toBe('429 login.blocked');
      expect(sixth.body.detail).toBe('Too many failed login attempts. Please try again in 30 minutes.');
      expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(29 * 60);
      expect(codeOf(await app.browser().post('/auth/sign-in', { email, password }))).toBe('429 login.blocked');
    });

    it('is the same for an address without an account', async () => {
      const email = anAddress('nobody');
      expect((await atOnce(5, () => guess(email))).map(codeOf)).toEqual(Array(5).fill('401 credentials.invalid'));
      expect(codeOf(await guess(email))).toBe('429 login.blocked');
    });

    it('is not avoided by case, spaces or +tags', async () => {
      const [local, domain] = anAddress().split('@') as [string, string];
      const spellings = [
        `${local}@${domain}`,
        `${local.toUpperCase()}@${domain}`,
        ` ${local}@${domain} `,
        `${local}+a@${domain}`,
        `${local}+b@${domain.toUpperCase()}`,
      ];
      expect((await Promise.all(spellings.map((spelling) => guess(spelling)))).map(codeOf)).toEqual(
        Array(5).fill('401 credentials.invalid'),
      );
      expect(codeOf(await guess(`${local}+c@${domain}`))).toBe('429 login.blocked');
    });

    it('is not avoided by parallel requests, nor by a second replica', async () => {
      const email = anAddress();
      const second = await app.secondGateway();
      const elsewhere = () => new Browser(second.url, 'localhost:3000', { 'x-forwarded-for': anIpAddress() });
      const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => guess(email, i % 2 === 0 ? app.browser() : elsewhere())));
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(7);
    });

    it('starts again after a success', async () => {
      const email = await app.account();
      await atOnce(4, () => guess(email));
      expect((await app.signIn(email)).browser.csrfToken).toBeDefined();
      expect((await atOnce(5, () => guess(email))).map(codeOf)).toEqual(Array(5).fill('401 credentials.invalid'));
    });

    it('is not reset by a request without a password', async () => {
      const email = await app.account();
      await atOnce(5, () => guess(email));
      expect(codeOf(await app.browser().post('/auth/sign-in', { email }))).toBe('429 login.blocked');
      const other = anAddress();
      await atOnce(4, () => guess(other));
      expect(codeOf(await app.browser().post('/auth/sign-in', { email: other, password: 7 }))).toBe('422 request.invalid');
      expect(codeOf(await guess(other))).toBe('401 credentials.invalid');
      expect(codeOf(await guess(other))).toBe('429 login.blocked');
    });

    it('blocks only the account after the sixth guess from one client address, not its colleagues at that address', async () => {
      const address = anIpAddress();
      const office = () => app.browser(undefined, address);
      const bob = await app.signUpOwner();
      const colleague = await app.account();
      const guesses = await times(5, () => guess(bob.email, office()));
      expect(guesses.map(codeOf)).toEqual(Array(5).fill('401 credentials.invalid'));
      const sixth = await guess(bob.email, office());
      expect([codeOf(sixth), sixth.body.detail]).toEqual([
        '429 login.blocked',
        'Too many failed login attempts. Please try again in 30 minutes.',
      ]);
      expect((await app.signIn(colleague, office())).browser.csrfToken).toBeDefined();
      await eventually(async () => {
        const { data } = await bob.browser.get<AuditEntry[]>('/security-events');
        expect(data.filter(({ type }) => type === 'sign_in.locked_out')).toMatchObject([{ target: bob.email, ip: address }]);
      });
    });

    it('blocks a client address after fifty failures over all accounts, which a success does not reset', async () => {
      const email = await app.account();
      const one = app.browser(undefined, anIpAddress());
      expect((await strangers(49, () => one)).map(codeOf)).toEqual(Array(49).fill('401 credentials.invalid'));
      await app.signIn(email, one);
      expect(codeOf(await guess(anAddress(), one))).toBe('401 credentials.invalid');
      const refused = await guess(anAddress(), one);
      expect(codeOf(refused)).toBe('429 limit.exceeded');
      expect(refused.body.detail).toBe(`Rate limit exceeded. Please wait ${refused.headers.get('retry-after')} seconds.`);
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(15 * 60);
    });

    it('counts one /64 of IPv6 as one client address', async () => {
      const network = `2001:db8:${randomUUID().slice(0, 4)}:7`;
      const neighbours = await strangers(51, (i) => app.browser(undefined, `${network}::${i + 1}`));
      expect(neighbours.filter(({ status }) => status === 429)).toHaveLength(1);
    });

    it('does not count attempts on a blocked account against the client address', async () => {
      const [email, colleague] = [anAddress(), await app.account()];
      const one = app.browser(undefined, anIpAddress());
      const answers = await atOnce(60, () => guess(email, one));
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
      await app.signIn(colleague, one);
    });

    it('adds one lockout to the audit log of the organization', async () => {
      const bob = await app.signUpOwner();
      await atOnce(8, () => guess(bob.email.toUpperCase()));
      const lockOuts = async () =>
        (await bob.browser.get<AuditEntry[]>('/security-events')).data.filter(({ type }) => type === 'sign_in.locked_out');
      await eventually(async () => expect(await lockOuts()).toHaveLength(1));
      expect((await lockOuts())[0]).toMatchObject({ target: bob.email, ip: expect.stringMatching(/^198\./) as string });
    });

    it('is reset by the second factor, not by the password alone', async () => {
      const email = await app.account();
      const code = await withAuthenticator((await app.signIn(email)).browser);
      const challenge = () => app.browser().post<{ mfa_token: string }>('/auth/sign-in', { email, password });
      await atOnce(4, () => guess(email));
      // Repeated often: none of these responses counts as a success or as a guess.
      expect((await times(3, challenge)).map(({ status }) => status)).toEqual([200, 200, 200]);
      const { mfa_token } = (await challenge()).data;
      expect((await app.browser().post('/auth/mfa', { mfa_token, code: code(1) })).status).toBe(200);
      expect((await atOnce(5, () => guess(email))).map(codeOf)).toEqual(Array(5).fill('401 credentials.invalid'));
      expect(codeOf(await challenge())).toBe('429 login.blocked');
    });

    it('blocks an account with a second factor even if the password is right', async () => {
      const email = await app.account();
      await withAuthenticator((await app.signIn(email)).browser);
      await atOnce(5, () => guess(email));
      expect(codeOf(await app.browser().post('/auth/sign-in', { email, password }))).toBe('429 login.blocked');
    });

    it('counts wrong codes against the client address', async () => {
      const email = await app.account();
      const code = await withAuthenticator((await app.signIn(email)).browser);
      const browser = app.browser();
      const { mfa_token } = (await browser.post<{ mfa_token: string }>('/auth/sign-in', { email, password })).data;
      const wrong = () => browser.post('/auth/mfa', { mfa_token, code: code(60) });
      expect((await times(4, wrong)).map(codeOf)).toEqual(Array(4).fill('401 mfa.code_invalid'));
      // Wrong passwords of other accounts use up the rest of this address's limit.
      expect((await strangers(46, () => browser)).map(codeOf)).toEqual(Array(46).fill('401 credentials.invalid'));
      expect(codeOf(await browser.post('/auth/mfa', { mfa_token, code: code(1) }))).toBe('429 limit.exceeded');
    });

    it('does not count successes against the client address', async () => {
      const email = await app.account();
      const office = anIpAddress();
      await times(8, () => app.signIn(email, app.browser(undefined, office)));
    });
  });

  describe('a new password: 3 links in an hour, then none for 2 hours', () => {
    const forget = (email: string, browser = app.browser()) => browser.post('/auth/password/forgot', { email });
    const statuses = async (answers: Promise<{ status: number }[]>) => (await answers).map(({ status }) => status);

    it.each([
      ['an account', () => app.account()],
      ['an address without an account', () => Promise.resolve(anAddress('nobody'))],
    ])('accepts three requests for %s and refuses the fourth, from any address', async (_whose, anEmail) => {
      const email = await anEmail();
      expect(await statuses(times(3, () => forget(email)))).toEqual([202, 202, 202]);
      const fourth = await forget(email);
      const seconds = Number(fourth.headers.get('retry-after'));
      expect([codeOf(fourth), fourth.body.detail]).toEqual(['429 limit.exceeded', `Rate limit exceeded. Please wait ${seconds} seconds.`]);
      expect([seconds > 2 * 3600 - 30, seconds <= 2 * 3600]).toEqual([true, true]);
      // Rejected requests do not extend the window, and a fifth request does not start a new one.
      expect(Number((await forget(email)).headers.get('retry-after'))).toBeLessThanOrEqual(seconds);
    });

    it('is not avoided by case, spaces or +tags, nor by a second replica', async () => {
      const [local, domain] = anAddress().split('@') as [string, string];
      const spellings = [`${local}@${domain}`, ` ${local.toUpperCase()}@${domain}`, `${local}+a@${domain.toUpperCase()}`];
      for (const spelling of spellings) expect((await forget(spelling)).status).toBe(202);
      const second = await app.secondGateway();
      const elsewhere = new Browser(second.url, 'localhost:3000', { 'x-forwarded-for': anIpAddress() });
      expect(codeOf(await forget(`${local}+b@${domain}`, elsewhere))).toBe('429 limit.exceeded');
    });

    it('counts a client address over all accounts, and blocks it for at most an hour', async () => {
      const one = app.browser(undefined, anIpAddress());
      expect(await statuses(atOnce(30, () => forget(anAddress(), one)))).toEqual(Array(30).fill(202));
      const refused = await forget(anAddress(), one);
      expect(codeOf(refused)).toBe('429 limit.exceeded');
      expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(3600);
      const network = `2001:db8:${randomUUID().slice(0, 4)}:9`;
      const neighbours = await statuses(atOnce(31, (i) => forget(anAddress(), app.browser(undefined, `${network}::${i + 1}`))));
      expect(neighbours.filter((status) => status === 429)).toHaveLength(1);
    });

    it('blocks only the account for two hours, not the client address of its requests', async () => {
      const email = await app.account();
      const office = app.browser(undefined, anIpAddress());
      expect(await statuses(times(3, () => forget(email, office)))).toEqual([202, 202, 202]);
      expect(Number((await forget(email, office)).headers.get('retry-after'))).toBeGreaterThan(2 * 3600 - 30);
      expect((await forget(anAddress(), office)).status).toBe(202);
    });

    it('resets all limits of the account when it gets a new password', async () => {
      const email = await app.account();
      expect(await statuses(times(3, () => forget(email)))).toEqual([202, 202, 202]);
      await atOnce(6, () => guess(email));
      expect(codeOf(await app.browser().post('/auth/sign-in', { email, password }))).toBe('429 login.blocked');
      const mail = await mailbox.waitFor({ to: email, subject: 'Set a new password' });
      const token = new URL(mail.links.find((link) => link.includes('token='))!).searchParams.get('token');
      const next = `${password} and more`;
      expect((await app.browser().post('/auth/password/reset', { token, password: next })).status).toBe(200);
      expect((await app.browser().post('/auth/sign-in', { email, password: next })).status).toBe(200);
      expect((await forget(email)).status).toBe(202);
    });

    it('ignores X-Forwarded-For unless it comes from a trusted proxy', async () => {
      const untrusting = await app.secondGateway({ TRUSTED_PROXIES: '203.0.113.1' });
      const claiming = () => new Browser(untrusting.url, 'localhost:3000', { 'x-forwarded-for': anIpAddress() });
      const answers = await statuses(atOnce(31, () => forget(anAddress(), claiming())));
      expect(answers.filter((status) => status === 429)).toHaveLength(1);
    });

    it('does not count invalid requests, which send no email', async () => {
      const browser = app.browser();
      expect(await statuses(times(5, () => browser.post('/auth/password/forgot', { email: 'no address' })))).toEqual(Array(5).fill(422));
      expect((await forget(anAddress(), browser)).status).toBe(202);
    });
  });

  it('accepts ten tickets per client address and refuses the eleventh, even with a forged X-Forwarded-For', async () => {
    const address = anIpAddress();
    const portal = app.browser(ada.portalHost, address);
    const taken = await times(10, () => submit(portal));
    expect(taken.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(taken.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['9', '8', '7', '6', '5', '4', '3', '2', '1', '0']);
    expect(codeOf(await submit(portal))).toBe('429 limit.exceeded');
    // The client writes the addresses to the left of the one that our proxy saw.
    expect((await submit(app.browser(ada.portalHost, `203.0.113.9, ${address}`))).status).toBe(429);
    expect((await submit(app.browser(ada.portalHost))).status).toBe(201);
  });

  it('limits the emails that many client addresses cause for one mailbox', async () => {
    const email = anAddress('victim');
    const answers = await times(21, () => submit(app.browser(ada.portalHost), email));
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(20).fill(201), 429]);
  });

  it('accepts sixty comments and sixty files per client address and hour, in portal and widget together', async () => {
    const patient = await app.secondGateway({ RATE_LIMIT_API_PER_MINUTE: '1000' });
    const at = (address: string) => new Browser(patient.url, ada.portalHost, { 'x-forwarded-for': address });
    const visitor = at(anIpAddress());
    const email = anAddress('writer');
    const { id } = (await submit(visitor, email)).data as { id: string };
    const paths = [`/public/tickets/${id}/comments`, `/widget/v1/tickets/${id}/comments?organization=${ada.organization.subdomain!}`];
    const comments = await times(61, (i) => visitor.post(paths[i % 2]!, { email, content: 'Again' }));
    expect(comments.map(({ status }) => status)).toEqual([...Array<number>(60).fill(201), 429]);
    expect((await at(anIpAddress()).post(paths[0]!, { email, content: 'From elsewhere' })).status).toBe(201);
    const files = await times(61, () => visitor.post('/public/attachments', { file_name: 'a.txt', size: 5 }));
    expect(files.map(({ status }) => status)).toEqual([...Array<number>(60).fill(201), 429]);
  });

  it('accepts a hundred calls per account and minute and refuses the next', async () => {
    const member = app.as('agent', ada.organization.id);
    const answers = await times(100, () => member.get('/tickets/stats'));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const last = answers.at(-1)!.headers;
    expect([last.get('x-ratelimit-limit'), last.get('x-ratelimit-remaining'), last.get('x-ratelimit-used')]).toEqual(['100', '0', '100']);
    expect(Number(last.get('x-ratelimit-reset')) - Date.now() / 1000).toBeLessThanOrEqual(61);
    const refused = await member.get('/tickets/stats');
    expect(codeOf(refused)).toBe('429 limit.exceeded');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await app.as('agent', ada.organization.id).get('/tickets/stats')).status).toBe(200);
  });
});

describe('background requests of an open page', () => {
  it('do not count against the calls of the user, and are accepted after these are used up', async () => {
    const ada = await app.signUpOwner();
    const member = app.as('agent', ada.organization.id);
    const { id } = await app.ticket(ada.browser);
    const presence = () => member.send('PUT', `/tickets/${id}/presence`, { body: { state: 'viewing', visit: 'v' } });
    const stream = async () => {
      const reader = await EventReader.open(member);
      reader.close();
      return reader.response;
    };
    // The forged session is unknown, but its request is counted.
    const background = {
      presence,
      session: () => member.get('/auth/session'),
      unread: () => member.get('/notifications/unread'),
      events: stream,
    };
    const seen = async () =>
      Promise.all(
        Object.entries(background).map(async ([name, call]) => {
          const { status, headers } = await call();
          return [name, status === 429, headers.get('x-ratelimit-limit')];
        }),
      );
    const none = Object.keys(background).map((name) => [name, false, String(limits[name as keyof typeof limits].limit)]);
    await times(100, () => member.get('/tickets/stats'));
    expect(codeOf(await member.get('/tickets/stats'))).toBe('429 limit.exceeded');
    expect(await seen()).toEqual(none);
    expect((await member.post('/notifications/read', { ticket_id: id })).status).toBe(200);
  });

  it('have separate limits', async () => {
    const ada = await app.signUpOwner();
    const member = app.as('agent', ada.organization.id);
    const { id } = await app.ticket(ada.browser);
    const answers = await atOnce(limits.presence.limit + 1, () =>
      member.send('PUT', `/tickets/${id}/presence`, { body: { state: 'viewing', visit: 'v' } }),
    );
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    expect((await member.get('/notifications/unread')).status).toBe(200);
    expect((await member.get('/tickets')).status).toBe(200);
    expect((await app.as('agent', ada.organization.id).get('/tickets')).status).toBe(200);
  });
});

describe('without Redis', () => {
  it('reads are accepted and writes return 503', async () => {
    const ada = await app.signUpOwner();
    const cut = await app.secondGateway({ REDIS_URL: 'redis://127.0.0.1:1' });
    const there = new Browser(cut.url, ada.browser.host, { 'x-forwarded-for': anIpAddress() });
    for (const [name, cookie] of ada.browser.cookies) there.cookies.set(name, cookie);
    expect((await there.get('/tickets')).status).toBe(200);
    for (const [path, body] of [
      ['/auth/sign-in', { email: ada.email, password }],
      ['/auth/mfa', { mfa_token: 'A'.repeat(43), code: '123456' }],
      ['/auth/password/forgot', { email: ada.email }],
      ['/tickets', { subject: 'x', customer_email: anAddress() }],
      ['/public/tickets', { subject: 'x', customer_email: anAddress() }],
    ] as const) {
      const refused = await there.post(path, body);
      expect([path, codeOf(refused), refused.headers.get('retry-after')]).toEqual([path, '503 service.unavailable', '5']);
    }
  });
});

// The last test, because it closes a service.
describe('without a service', () => {
  it('returns 503 with Retry-After for the operations of that service only', async () => {
    const ada = await app.signUpOwner();
    await app.services.analytics.close();
    const answer = await ada.browser.get('/tickets/stats');
    expect(codeOf(answer)).toBe('503 service.unavailable');
    expect(answer.headers.get('retry-after')).not.toBeNull();
    await eventually(async () => expect((await ada.browser.get('/tickets')).status).toBe(200));
  });
});
