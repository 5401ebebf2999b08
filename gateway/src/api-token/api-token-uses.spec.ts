import type { InputOf, KnownApiToken, recordApiTokenUse } from '@tandem/contracts';
import { createLogger } from '@tandem/platform';
import type { GatewayRequest } from '../request';
import { ApiTokenUses } from './api-token-uses';

type Report = InputOf<typeof recordApiTokenUse>['body'];

const token = (id: string) => ({ id, organization_id: 'o' }) as KnownApiToken;
const from = (ip: string) => ({ ip, headers: { 'user-agent': 'curl/8' } }) as GatewayRequest;

let reports: Report[];
let isUp: boolean;
let uses: ApiTokenUses;
beforeEach(() => {
  jest.useFakeTimers();
  reports = [];
  isUp = true;
  const call = (_op: unknown, _ctx: unknown, { body }: { body: Report }) => {
    if (!isUp) return Promise.reject(new Error('unavailable'));
    reports.push(body);
    return Promise.resolve({});
  };
  uses = new ApiTokenUses({ call } as never, createLogger('test', 'silent'));
});
afterEach(() => jest.useRealTimers());
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

it('reports a first use after a second, and then once a minute, with the latest time and address', async () => {
  uses.used(token('a'), '203.0.113.1');
  await pass(1_000);
  expect(reports).toMatchObject([{ uses: [{ token_id: 'a', ip: '203.0.113.1' }], rejections: [] }]);
  for (let second = 0; second < 59; second++) {
    uses.used(token('a'), `203.0.113.${second}`);
    uses.used(token('b'), '203.0.113.9');
    await pass(1_000);
  }
  expect(reports).toHaveLength(1);
  await pass(1_000);
  expect(reports).toHaveLength(2);
  expect(reports[1]?.uses).toMatchObject([
    { token_id: 'a', ip: '203.0.113.58' },
    { token_id: 'b', ip: '203.0.113.9' },
  ]);
  await pass(600_000);
  expect(reports).toHaveLength(2);
});

it('reports one rejection per token and address', async () => {
  for (const [id, ip] of [['a', '203.0.113.1'], ['a', '203.0.113.1'], ['a', '203.0.113.2'], ['b', '203.0.113.1']] as const)
    uses.rejected(token(id), from(ip)); // prettier-ignore
  await pass(1_000);
  expect(reports[0]?.rejections.map(({ token_id, ip, user_agent }) => `${token_id} ${ip} ${user_agent}`)).toEqual([
    'a 203.0.113.1 curl/8',
    'a 203.0.113.2 curl/8',
    'b 203.0.113.1 curl/8',
  ]);
});

it('sends a report that failed again, and no more than a thousand entries', async () => {
  isUp = false;
  uses.used(token('a'), '203.0.113.1');
  uses.rejected(token('a'), from('203.0.113.1'));
  await pass(1_000);
  for (let i = 0; i < 2_000; i++) {
    uses.used(token(`${i}`), '203.0.113.1');
    uses.rejected(token('a'), from(`${i}`));
  }
  isUp = true;
  await pass(60_000);
  expect(reports).toHaveLength(1);
  expect(reports[0]?.uses[0]?.token_id).toBe('a');
  expect([reports[0]?.uses.length, reports[0]?.rejections.length]).toEqual([1_000, 1_000]);
});

it('sends the remaining reports when the gateway stops', async () => {
  uses.used(token('a'), '203.0.113.1');
  await uses.beforeApplicationShutdown();
  expect(reports).toMatchObject([{ uses: [{ token_id: 'a' }] }]);
  await uses.beforeApplicationShutdown();
  expect(reports).toHaveLength(1);
});
