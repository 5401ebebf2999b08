import { createHash } from 'node:crypto';
import { createLogger } from '@tandem/platform';
import { Challenges } from '../src/challenge/challenges';
import { RedisLimitStorage } from '../src/limits/redis-limit-storage';
import { anAddress, Browser, type Answer } from './client';
import { anIpAddress, codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';

interface Challenge {
  algorithm: string;
  challenge: string;
  maxnumber: number;
  salt: string;
  signature: string;
}
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const encode = (proof: object) => Buffer.from(JSON.stringify(proof)).toString('base64');

/** Solves a challenge as the browser does. */
function solve({ maxnumber, ...challenge }: Challenge) {
  for (let number = 0; number <= maxnumber; number++)
    if (hashOf(`${challenge.salt}${number}`) === challenge.challenge) return { ...challenge, number };
  throw new Error('No number answers the challenge');
}

describe('a proof of work', () => {
  let app: TestApp;
  let ada: OwnerSession;
  let storage: RedisLimitStorage;
  let challenges: Challenges;
  beforeAll(async () => {
    app = await startTestApp({ CHALLENGE_ABOVE_PER_10_MINUTES: '9' });
    ada = await app.signUpOwner();
    const { SESSION_SECRET, ...redis } = app.env as { REDIS_URL: string; REDIS_PREFIX: string; SESSION_SECRET: string };
    const config = { ...redis, SESSION_SECRET: [SESSION_SECRET] };
    storage = new RedisLimitStorage(config, createLogger('test', 'fatal'));
    await storage.onApplicationBootstrap();
    challenges = new Challenges(config, storage);
  });
  afterAll(() => storage.onApplicationShutdown());

  const visitor = (host = ada.portalHost, address = anIpAddress()) => app.browser(host, address);
  const submit = (browser: Browser, more: object = {}, proof?: string) =>
    browser.post(
      '/public/tickets',
      { subject: 'x', customer_email: anAddress(), ...more },
      proof ? { headers: { 'x-tandem-challenge': proof } } : {},
    );
  const lookUp = (browser: Browser, proof?: string) =>
    browser.post('/public/tickets/lookup', { email: anAddress() }, proof ? { headers: { 'x-tandem-challenge': proof } } : {});
  const fresh = async (browser: Browser) => (await browser.get<Challenge>('/public/challenge')).data;
  const proof = async (browser: Browser) => encode(solve(await fresh(browser)));
  const filledIn = { website: 'https://spam.example' };
  const outcomeOf = (answer: Answer) => (answer.status < 400 ? answer.status : codeOf(answer));
  const challengeRequired = '428 challenge.required';

  it('is not required for ordinary submissions', async () => {
    expect(outcomeOf(await submit(visitor(), { website: '' }))).toBe(201);
    expect(outcomeOf(await lookUp(visitor()))).toBe(202);
  });

  it('is required if the hidden field is filled in, and then lets the submission through', async () => {
    const browser = visitor();
    expect(outcomeOf(await submit(browser, filledIn))).toBe(challengeRequired);
    const passed = await submit(browser, filledIn, await proof(browser));
    // The rejected request was not counted as a submission: this is the first.
    expect([outcomeOf(passed), passed.headers.get('x-ratelimit-remaining')]).toEqual([201, '9']);
  });

  it('can be used once', async () => {
    const browser = visitor();
    const once = await proof(browser);
    expect(outcomeOf(await submit(browser, filledIn, once))).toBe(201);
    expect(outcomeOf(await submit(browser, filledIn, once))).toBe(challengeRequired);
    const raced = await proof(browser);
    const answers = await Promise.all(Array.from({ length: 4 }, () => submit(browser, filledIn, raced)));
    expect(answers.map(outcomeOf).sort()).toEqual([201, challengeRequired, challengeRequired, challengeRequired]);
  });

  it.each<[string, (good: ReturnType<typeof solve>) => object | string]>([
    ['another number', (good) => ({ ...good, number: good.number + 1 })],
    ['another signature', (good) => ({ ...good, signature: hashOf('mine') })],
    ['another challenge', (good) => ({ ...good, challenge: hashOf(`${good.salt}1`), number: 1 })],
    ['a later expiry', (good) => ({ ...good, salt: good.salt.replace(/expires=\d+/, 'expires=9999999999') })],
    ['no expiry', (good) => ({ ...good, salt: good.salt.replace(/&?expires=\d+/, '') })],
    [
      'a digit moved from the number to the salt',
      (good) => ({ ...good, salt: `${good.salt}${String(good.number)[0]!}`, number: Number(String(good.number).slice(1) || 0) }),
    ],
    ['another algorithm', (good) => ({ ...good, algorithm: 'SHA-1' })],
    ['a number as text', (good) => ({ ...good, number: String(good.number) })],
    ['an additional member', (good) => ({ ...good, more: 1 })],
    ['null', () => 'bnVsbA=='],
    ['invalid base64', () => '%%%'],
    ['5,000 characters', () => 'A'.repeat(5_000)],
  ])('is rejected with %s', async (_what, tamper) => {
    const browser = visitor();
    const tampered = tamper(solve(await fresh(browser)));
    expect(outcomeOf(await submit(browser, filledIn, typeof tampered === 'string' ? tampered : encode(tampered)))).toBe(challengeRequired);
  });

  it('is rejected if it has expired, is too easy or was signed with another key', async () => {
    const browser = visitor();
    const other = new Challenges({ SESSION_SECRET: ['another secret that is long enough'] }, storage);
    for (const challenge of [await challenges.create(-1_000), await challenges.create(60_000, 10), await other.create()])
      expect(outcomeOf(await submit(browser, filledIn, encode(solve(challenge))))).toBe(challengeRequired);
    expect(outcomeOf(await submit(browser, filledIn, encode(solve(await challenges.create()))))).toBe(201);
  });

  it('is accepted after the secret was rotated', async () => {
    const challenge = await challenges.create();
    const rotated = new Challenges({ SESSION_SECRET: ['the next secret, that is long enough', app.env['SESSION_SECRET']!] }, storage);
    expect(await rotated.accept(encode(solve(challenge)))).toBe(true);
  });

  it('is required from all customers of an organization above its limit in ten minutes, but not of other organizations or staff', async () => {
    const [bob, carl] = await Promise.all([app.signUpOwner(), app.signUpOwner()]);
    for (let i = 0; i < 9; i++)
      expect(outcomeOf(await (i % 2 ? submit(visitor(bob.portalHost)) : lookUp(visitor(bob.portalHost))))).toBeLessThan(300);
    const late = visitor(bob.portalHost);
    expect(outcomeOf(await submit(late))).toBe(challengeRequired);
    expect(outcomeOf(await lookUp(late))).toBe(challengeRequired);
    expect(outcomeOf(await submit(late, {}, await proof(late)))).toBe(201);
    expect(outcomeOf(await lookUp(late, await proof(late)))).toBe(202);
    expect(outcomeOf(await submit(visitor(carl.portalHost)))).toBe(201);
    expect((await app.ticket(bob.browser)).id).toBeDefined();
  });

  it('is required from a client that has used half of its hourly limit at a busy organization', async () => {
    const dora = await app.signUpOwner();
    const keen = visitor(dora.portalHost);
    for (let i = 0; i < 5; i++) expect(outcomeOf(await submit(keen))).toBe(201);
    // Six submissions to the organization exceed a third of its limit.
    expect(outcomeOf(await submit(keen))).toBe(challengeRequired);
    expect(outcomeOf(await submit(visitor(dora.portalHost)))).toBe(201);
    expect(outcomeOf(await submit(keen, {}, await proof(keen)))).toBe(201);
  });

  it('is unavailable without Redis, like every write', async () => {
    const cut = await app.secondGateway({ REDIS_URL: 'redis://127.0.0.1:1' });
    const there = new Browser(cut.url, ada.portalHost, { 'x-forwarded-for': anIpAddress() });
    expect(outcomeOf(await submit(there, filledIn))).toBe('503 service.unavailable');
  });
});
