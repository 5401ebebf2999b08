import { http } from 'msw';
import { backend } from '../testing/backend';
import { answer, api, refuse, server } from '../testing/server';
import { recordUserActivity } from './activity';
import { onRefresh, read, refreshSession, retryRule, send, sendSignedIn, toLocalTime } from './http';

const count = (call: string) => backend.calls.filter((each) => each === call).length;
const { firstDelayMs } = retryRule;
beforeEach(() => {
  retryRule.firstDelayMs = 1;
});
afterAll(() => {
  retryRule.firstDelayMs = firstDelayMs;
});

it('waits one second first, doubling, at most thirty', () => {
  expect({ ...retryRule, firstDelayMs }).toEqual({ retries: 2, firstDelayMs: 1_000, maxDelayMs: 30_000 });
});

it('sends the CSRF cookie back as a header with unsafe methods only', async () => {
  backend.signIn();
  const seen: (string | null)[] = [];
  const note = ({ request }: { request: Request }) => {
    seen.push(request.headers.get('x-csrf-token'));
    return answer({});
  };
  server.use(http.get(api('/echo'), note), http.post(api('/echo'), note));
  await send({ path: '/echo' });
  await send({ path: '/echo', method: 'POST', body: {} });
  expect(seen).toEqual([null, 'the-token']);
});

it('unwraps the envelope and keeps the pagination', async () => {
  server.use(http.get(api('/echo'), () => answer([1], { pagination: { total: 1 } })));
  expect(await send({ path: '/echo' })).toEqual({ data: [1], pagination: { total: 1 } });
});

it('retries a read twice on 5xx, then returns the problem', async () => {
  server.use(http.get(api('/echo'), () => refuse('service.unavailable')));
  expect((await read({ path: '/echo' })).problem?.code).toBe('service.unavailable');
  expect(count('GET /echo')).toBe(3);
});

it('never retries on 4xx', async () => {
  server.use(http.get(api('/echo'), () => refuse('permission.denied')));
  expect((await read({ path: '/echo' })).problem?.code).toBe('permission.denied');
  expect(count('GET /echo')).toBe(1);
});

it('never retries a write automatically', async () => {
  server.use(http.post(api('/echo'), () => refuse('service.unavailable')));
  await sendSignedIn({ path: '/echo', method: 'POST', body: {} });
  expect(count('POST /echo')).toBe(1);
});

it('refreshes once for concurrent failed calls, and retries each of them', async () => {
  backend.signIn();
  let fresh = false;
  server.use(
    http.get(api('/echo'), () => (fresh ? answer('ok') : refuse('session.required'))),
    http.post(api('/auth/refresh'), () => {
      fresh = true;
      return answer({});
    }),
  );
  const answers = await Promise.all([1, 2, 3].map(() => sendSignedIn({ path: '/echo' })));
  expect(answers.map(({ data }) => data)).toEqual(['ok', 'ok', 'ok']);
  expect(count('POST /auth/refresh')).toBe(1);
});

it('does not refresh if there cannot be a session', async () => {
  expect((await sendSignedIn({ path: '/auth/session' })).problem?.status).toBe(401);
  expect(count('POST /auth/refresh')).toBe(0);
});

it('reports an unreachable server without a response, and reads Retry-After', async () => {
  server.use(http.get(api('/echo'), () => Response.error()));
  expect((await send({ path: '/echo' })).problem).toMatchObject({ code: 'network.failed', status: 0 });
  server.use(http.get(api('/echo'), () => refuse('limit.exceeded', {}, { 'retry-after': '17' })));
  expect((await send({ path: '/echo' })).problem?.retry_after_seconds).toBe(17);
});

it('sends the user’s idle time with the refresh', async () => {
  backend.signIn();
  recordUserActivity(Date.now() - 90_500);
  let sentBody: unknown;
  server.use(
    http.get(api('/echo'), () => (sentBody ? answer('ok') : refuse('session.expired'))),
    http.post(api('/auth/refresh'), async ({ request }) => {
      sentBody = await request.json();
      return answer({});
    }),
  );
  await sendSignedIn({ path: '/echo' });
  expect(sentBody).toEqual({ idle_seconds: 90 });
});

it('does not treat a wrong code as an ended session', async () => {
  backend.signIn();
  server.use(http.post(api('/me/mfa/confirm'), () => refuse('mfa.code_invalid')));
  expect((await sendSignedIn({ path: '/me/mfa/confirm', method: 'POST', body: {} })).problem?.code).toBe('mfa.code_invalid');
  expect(backend.calls).toEqual(['POST /me/mfa/confirm']);
});

it('does not sign out because the refresh got no response', async () => {
  backend.signIn();
  server.use(
    http.get(api('/echo'), () => refuse('session.expired')),
    http.post(api('/auth/refresh'), () => Response.error()),
  );
  expect((await sendSignedIn({ path: '/echo' })).problem?.code).toBe('network.failed');
});

it('notifies listeners of every refresh and its result', async () => {
  const results: unknown[] = [];
  const stop = onRefresh((news) => results.push('session' in news ? news.session : news.problem.code));
  await refreshSession();
  await new Promise((resolve) => setTimeout(resolve, 2));
  server.use(http.post(api('/auth/refresh'), () => answer({ session_id: 's' })));
  await refreshSession();
  stop();
  await refreshSession();
  expect(results).toEqual(['session.expired', { session_id: 's' }]);
});

it('calculates deadlines by the server’s clock if the computer’s is wrong', async () => {
  const at = '2026-11-21T08:00:00.000Z';
  server.use(http.get(api('/auth/session'), () => refuse('session.required', {}, { date: new Date(Date.now() + 600_000).toUTCString() })));
  await send({ path: '/auth/session' });
  expect(Date.parse(at) - toLocalTime(at)).toBeGreaterThan(590_000);
  server.use(http.get(api('/auth/session'), () => refuse('session.required', {}, { date: new Date().toUTCString() })));
  await send({ path: '/auth/session' });
  expect(toLocalTime(at)).toBe(Date.parse(at));
});
