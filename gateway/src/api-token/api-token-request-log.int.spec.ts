import { apiTokenRules, type ApiTokenRequest } from '@tandem/contracts';
import { connectRedis } from '@tandem/messaging';
import { createLogger } from '@tandem/platform';
import { eventually, testEnv } from '@tandem/testing';
import { randomUUID } from 'node:crypto';
import { ApiTokenRequestLog } from './api-token-request-log';

type Env = { REDIS_URL: string; REDIS_PREFIX: string };

let env: Env;
let log: ApiTokenRequestLog;
beforeAll(async () => {
  env = (await testEnv({ TICKETS_DATABASE_URL: 'none' })) as Env;
  log = new ApiTokenRequestLog(env, createLogger('test', 'fatal'));
});
afterAll(() => log?.onApplicationShutdown());

const aToken = () => ({ id: randomUUID(), organization_id: randomUUID() });
const request = (request_id: string): ApiTokenRequest => ({
  request_id,
  at: new Date().toISOString(),
  method: 'GET',
  path: '/tickets',
  status: 200,
  code: null,
  duration_ms: 1.5,
});
const idsOf = ({ requests }: { requests: ApiTokenRequest[] }) => requests.map(({ request_id }) => request_id);

it('returns the requests of one token, latest first, and a cursor only if there are more', async () => {
  const [token, other] = [aToken(), aToken()];
  for (const id of ['a', 'b', 'c']) log.add(token, request(id));
  log.add(other, request('d'));
  const first = await log.read(token, 2);
  expect(idsOf(first)).toEqual(['c', 'b']);
  expect(await log.read(token, 2, first.next_cursor!)).toEqual({
    requests: [expect.objectContaining({ request_id: 'a' })],
    next_cursor: null,
  });
  expect((await log.read(token, 3)).next_cursor).toBeNull();
  expect(await log.read(aToken(), 2)).toEqual({ requests: [], next_cursor: null });
  expect(await log.read({ ...token, organization_id: randomUUID() }, 2)).toEqual({ requests: [], next_cursor: null });
});

it('keeps the newest 10,000', async () => {
  const token = aToken();
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 4_000; i++) log.add(token, request(`${round * 4_000 + i}`));
    await log.read(token, 1);
  }
  const ids: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await log.read(token, 1_000, cursor);
    ids.push(...idsOf(page));
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([apiTokenRules.requestLogMax, '11999', '2000']);
});

it('does not return requests that are older than seven days, and expires', async () => {
  const token = aToken();
  const redis = connectRedis(env.REDIS_URL);
  const key = `${env.REDIS_PREFIX}:api-token-requests:${token.organization_id}:${token.id}`;
  const days = (n: number) => Date.now() - n * 86_400_000;
  for (const [age, id] of [[8, 'old'], [6, 'recent']] as const)
    await redis.xadd(key, `${days(age)}-0`, 'request', JSON.stringify(request(id))); // prettier-ignore
  log.add(token, request('new'));
  expect(idsOf(await log.read(token, 10))).toEqual(['new', 'recent']);
  expect(await redis.pttl(key)).toBeGreaterThan(6 * 86_400_000);
  redis.disconnect();
});

it('is written without being read, and when the gateway stops', async () => {
  const token = aToken();
  const stopping = new ApiTokenRequestLog(env, createLogger('test', 'fatal'));
  stopping.add(token, request('a'));
  await eventually(async () => expect(idsOf(await log.read(token, 10))).toEqual(['a']));
  stopping.add(token, request('b'));
  await stopping.beforeApplicationShutdown();
  stopping.onApplicationShutdown();
  expect(idsOf(await log.read(token, 10))).toEqual(['b', 'a']);
});

it('without Redis returns 503 to readers, and delays no request', async () => {
  const cut = new ApiTokenRequestLog({ ...env, REDIS_URL: 'redis://127.0.0.1:1' }, createLogger('test', 'silent'));
  const token = aToken();
  for (let i = 0; i < 6_000; i++) cut.add(token, request('lost'));
  await expect(cut.read(token, 10)).rejects.toMatchObject({ code: 'service.unavailable' });
  cut.onApplicationShutdown();
});
