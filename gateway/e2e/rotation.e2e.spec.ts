import { randomBytes } from 'node:crypto';
import type { Session } from '@tandem/contracts';
import { identityService } from '@tandem/identity/src/identity.module';
import type { RunningService } from '@tandem/platform';
import { startForTest } from '@tandem/testing';
import { ticketsService } from '@tandem/tickets/src/tickets.module';
import { gateway } from '../src/gateway.module';
import { anAddress, Browser } from './client';
import { anIpAddress, codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';

const secret = () => randomBytes(32).toString('base64url');
const steps = ['with one secret', 'all verify the next one', 'the next one signs', 'the old one is removed'] as const;

const binary = { 'content-type': 'application/octet-stream' };

interface Announced {
  attachment_id: string;
  upload_url: string;
}
interface Generation {
  services: Record<'identity' | 'tickets', RunningService>;
  gateway: RunningService;
}

let app: TestApp;
let ada: OwnerSession;
let generations: Generation[];
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_API_PER_MINUTE: '1000' });
  ada = await app.signUpOwner();
  const rotated = (name: string, keep = false) => {
    const [old, next] = [app.env[name]!, secret()];
    return [old, `${old},${next}`, `${next},${old}`, keep ? `${next},${old}` : next];
  };
  const [contexts, sessions, links] = [rotated('CONTEXT_SECRET'), rotated('SESSION_SECRET'), rotated('LINK_SECRET', true)];
  const envs = steps.map((_, k) => ({
    ...app.env,
    CONTEXT_SECRET: contexts[k],
    SESSION_SECRET: sessions[k],
    LINK_SECRET: links[k],
    RUN: 'http',
  }));
  const services = await Promise.all(
    envs.map(async (env) => ({ identity: await startForTest(identityService, env), tickets: await startForTest(ticketsService, env) })),
  );
  // During a rollout any gateway may call any service: each one here calls an older identity and a newer tickets service.
  generations = await Promise.all(
    envs.map(async (env, k) => ({
      services: services[k]!,
      gateway: await startForTest(gateway, {
        ...env,
        IDENTITY_URL: services[Math.max(k - 1, 0)]!.identity.url,
        TICKETS_URL: services[Math.min(k + 1, steps.length - 1)]!.tickets.url,
      }),
    })),
  );
});

/** The same browser at another replica: it shares the cookies. */
function at(k: number, browser: Browser): Browser {
  const other = new Browser(generations[k]!.gateway.url, browser.host, { 'x-forwarded-for': anIpAddress() });
  Object.defineProperty(other, 'cookies', { value: browser.cookies });
  return other;
}

/** The actions of one user: each request goes to the other of the two replicas that run during a rollout. Throws if a request fails. */
async function useBoth(step: number, browser: Browser, bytes: Buffer): Promise<void> {
  let turn = 0;
  const next = () => at(step + (turn++ % 2), browser);
  const succeeded = async <T extends { status: number; text?: string | (() => Promise<string>) }>(what: string, answer: Promise<T>) => {
    const response = await answer;
    if (response.status >= 400) throw new Error(`${what} at step ${step}: ${response.status} ${response.text as string}`);
    return response;
  };
  for (let round = 0; round < 4; round++) {
    await succeeded('list', next().get('/tickets'));
    await succeeded('create', next().post('/tickets', { subject: 'Rotating', customer_email: anAddress('customer') }));
    await succeeded('refresh', next().post('/auth/refresh'));
    const { data: file } = await succeeded('announce', next().post<Announced>('/attachments', { file_name: 'a.txt', size: bytes.length }));
    await succeeded('upload', fetch(`${next().url}${file.upload_url}`, { method: 'PUT', body: bytes, headers: binary }));
    const { data: link } = await succeeded('link', next().post<{ url: string }>(`/attachments/${file.attachment_id}/link`));
    await succeeded('download', fetch(`${next().url}${link.url}`));
    turn++;
  }
}

it('rotating all secrets fails no request and signs out no user, while two generations of processes run', async () => {
  const before = at(0, ada.browser);
  const file = (await before.post<Announced>('/attachments', { file_name: 'a.txt', size: 3 })).data;
  await fetch(`${before.url}${file.upload_url}`, { method: 'PUT', body: 'abc', headers: binary });
  const old = await before.post<{ url: string }>(`/attachments/${file.attachment_id}/link`);
  const forgotten = new Map(ada.browser.cookies);

  for (let step = 0; step < steps.length - 1; step++) {
    // Simulates the 30 minutes before the old secret is removed, in which every open page refreshes its token.
    await at(step, ada.browser).post('/auth/refresh');
    const users = [
      ada.browser,
      ...(await Promise.all([1, 2].map(() => app.signIn(ada.email, at(step, app.browser()))))).map((each) => each.browser),
    ];
    await Promise.all(users.map((browser) => useBoth(step, browser, Buffer.from('bytes of a file'))));
  }

  const last = at(3, ada.browser);
  expect((await last.get<Session>('/auth/session')).data.profile.email).toBe(ada.email);
  // A file link is signed with a secret that is still in the list.
  expect(await (await fetch(`${last.url}${old.data.url}`)).text()).toBe('abc');
  // The old session secret is not: a token that it has signed is refused.
  const late = at(3, app.browser());
  forgotten.forEach((cookie, name) => late.cookies.set(name, cookie));
  expect(codeOf(await late.get('/tickets'))).toBe('401 session.required');
});
