import { AppError, type KnownApiToken } from '@tandem/contracts';
import { KnownApiTokens } from './known-api-tokens';

const token = (id: string, overrides: Partial<KnownApiToken> = {}): KnownApiToken => ({
  id,
  organization_id: 'o',
  name: 'Importer',
  permissions: ['tickets:read'],
  networks: [],
  is_active: true,
  expires_at: null,
  valid_until: null,
  ...overrides,
});

/** Identity with its answers, and the events about changes. */
class Fixture {
  calls = 0;
  answer: () => Promise<KnownApiToken | null> = () => Promise.resolve(null);
  change: (token_id: string) => void = () => undefined;
  readonly tokens = new KnownApiTokens({ call: () => ((this.calls += 1), this.answer()) } as never, {
    onChange: (listener) => {
      this.change = listener;
      return () => true;
    },
  });
}

let fixture: Fixture;
let tokens: KnownApiTokens;
beforeEach(() => {
  fixture = new Fixture();
  tokens = fixture.tokens;
});
const inMs = (ms: number) => Date.now() + ms;

it('caches a token for a minute', async () => {
  fixture.answer = () => Promise.resolve(token('a'));
  expect(tokens.cached('hash')).toBeUndefined();
  expect(await tokens.load('hash', 'r')).toEqual(token('a'));
  expect([tokens.cached('hash'), tokens.cached('hash', inMs(59_000))]).toEqual([token('a'), token('a')]);
  expect(tokens.cached('hash', inMs(60_000))).toBeUndefined();
  expect(fixture.calls).toBe(1);
});

it('caches for half a minute that a value is unknown', async () => {
  expect(await tokens.load('hash', 'r')).toBeNull();
  expect([tokens.cached('hash'), tokens.cached('hash', inMs(29_000)), tokens.cached('hash', inMs(30_000))]).toEqual([
    null,
    null,
    undefined,
  ]);
});

it('shares a call between concurrent lookups of one value', async () => {
  await Promise.all([tokens.load('a', 'r'), tokens.load('a', 'r'), tokens.load('b', 'r')]);
  expect(fixture.calls).toBe(2);
});

it('forgets all values of a token that has changed, and no other token', async () => {
  for (const [hash, id] of [['old', 'a'], ['new', 'a'], ['other', 'b']] as const) {
    fixture.answer = () => Promise.resolve(token(id));
    await tokens.load(hash, 'r');
  } // prettier-ignore
  fixture.change('a');
  expect([tokens.cached('old'), tokens.cached('new'), tokens.cached('other')?.id]).toEqual([undefined, undefined, 'b']);
});

it('does not store a response that was requested before a change', async () => {
  const response = Promise.withResolvers<KnownApiToken>();
  fixture.answer = () => response.promise;
  const lookup = tokens.load('hash', 'r');
  fixture.change('a');
  response.resolve(token('a'));
  await lookup;
  expect(tokens.cached('hash')).toBeUndefined();
  fixture.answer = () => Promise.resolve(token('a', { is_active: false }));
  expect((await tokens.load('hash', 'r'))?.is_active).toBe(false);
});

describe('while identity is unavailable', () => {
  const unavailable = () => Promise.reject(new AppError('service.unavailable'));
  const minuteMs = 60_000;
  afterEach(() => jest.restoreAllMocks());

  it('uses a known token for ten minutes, and no other', async () => {
    fixture.answer = () => Promise.resolve(token('a'));
    await tokens.load('hash', 'r');
    fixture.answer = unavailable;
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 9 * minuteMs);
    expect(await tokens.load('hash', 'r')).toEqual(token('a'));
    await expect(tokens.load('unknown', 'r')).rejects.toMatchObject({ code: 'service.unavailable' });
    clock.mockReturnValue(now + 11 * minuteMs);
    await expect(tokens.load('hash', 'r')).rejects.toMatchObject({ code: 'service.unavailable' });
  });

  it('does not use a token that has changed', async () => {
    fixture.answer = () => Promise.resolve(token('a'));
    await tokens.load('hash', 'r');
    fixture.change('a');
    fixture.answer = unavailable;
    await expect(tokens.load('hash', 'r')).rejects.toMatchObject({ code: 'service.unavailable' });
  });

  it('reports any other error', async () => {
    fixture.answer = () => Promise.resolve(token('a'));
    await tokens.load('hash', 'r');
    fixture.answer = () => Promise.reject(new AppError('internal'));
    await expect(tokens.load('hash', 'r')).rejects.toMatchObject({ code: 'internal' });
  });
});

it('has room for 10,000 values, and drops those that were not used for the longest time', async () => {
  for (let i = 0; i < 10_000; i++) await tokens.load(`${i}`, 'r');
  expect(tokens.cached('0')).toBeNull();
  await tokens.load('one more', 'r');
  expect([tokens.cached('0'), tokens.cached('1'), tokens.cached('one more')]).toEqual([null, undefined, null]);
});
