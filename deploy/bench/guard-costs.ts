/** Measures the gateway's code that identifies the caller of a request. Bundled by suites/sign-in.ts, run as a separate process. */
import 'reflect-metadata';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { readTicket, type KnownApiToken } from '@tandem/contracts';
import { ApiTokenAuthentication } from '@tandem/gateway/src/api-token/api-token-authentication';
import { KnownApiTokens } from '@tandem/gateway/src/api-token/known-api-tokens';
import { AccessTokens } from '@tandem/gateway/src/auth/access-token';
import { AllowGuard } from '@tandem/gateway/src/auth/allow.guard';
import { ApiTokenGuard } from '@tandem/gateway/src/auth/api-token.guard';
import { SessionCookies } from '@tandem/gateway/src/auth/cookies';
import { jwtStrategy } from '@tandem/gateway/src/auth/jwt.strategy';
import { SessionGuard } from '@tandem/gateway/src/auth/session.guard';
import { ApiTokenUses } from '@tandem/gateway/src/api-token/api-token-uses';
import { ForOperation } from '@tandem/gateway/src/routes/for-operation';
import { AccessChanges } from '@tandem/messaging';
import { newApiTokenValue } from '@tandem/platform';

const id = '00000000-0000-7000-9000-000000000001';
const config = { SESSION_SECRET: ['one-secret-that-is-long-enough-for-a-bench'], PUBLIC_URL: 'http://localhost:3000' };
const warmUps = 5_000;
const slices = 20;
const perSlice = 2_000;

class Handlers {
  read(): void {}
}
ForOperation(readTicket)(Handlers.prototype, 'read', Object.getOwnPropertyDescriptor(Handlers.prototype, 'read')!);

const changes = new AccessChanges({ NATS_URL: 'nats://127.0.0.1:1', NATS_STREAM: 'NONE', EVENTS_PREFIX: 'none' });
const cookies = new SessionCookies(config);

/** Looking up the verified token, and checking its times and a newer access version. Passport verifies the first one. */
function sessionGuard(): { guard: CanActivate; headers: Record<string, string> } {
  const tokens = new AccessTokens(config);
  const Strategy = jwtStrategy('bench') as new (...parts: unknown[]) => unknown;
  new Strategy(tokens, cookies);
  const later = Math.floor(Date.now() / 1000) + 3600;
  const access = tokens.sign({ sub: id, sid: id, org: id, role: 'agent', ver: 1, enrol: false, idle: later, abs: later });
  return {
    guard: new SessionGuard({ defaultStrategy: 'bench', session: false }, tokens, cookies, changes),
    headers: { cookie: `${cookies.names.access}=${access}` },
  };
}

let calls = 0;
/** Checksum, hash, cache, expiry, network, and recording the use. Identity is called once. */
function tokenGuard(): { guard: CanActivate; headers: Record<string, string> } {
  const token: KnownApiToken = {
    id,
    organization_id: id,
    name: 'Bench',
    permissions: ['tickets:read'],
    networks: ['127.0.0.0/8'],
    is_active: true,
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    valid_until: null,
  };
  const services = { call: () => ((calls += 1), Promise.resolve(token)) } as never;
  const limits = { count: () => Promise.resolve({ counts: [] }), refund: () => Promise.resolve() } as never;
  const known = new KnownApiTokens(services, { onChange: () => () => true });
  const uses = new ApiTokenUses({ call: () => Promise.resolve({}) } as never, { warn: () => undefined } as never);
  const authentication = new ApiTokenAuthentication(known, uses, limits, { rest_api: {} } as never);
  return { guard: new ApiTokenGuard(authentication), headers: { authorization: `Bearer ${newApiTokenValue()}` } };
}

/** Microseconds per request in each slice: the guard that identifies the caller, and the permissions. */
async function measure({ guard, headers }: { guard: CanActivate; headers: Record<string, string> }): Promise<number[]> {
  const allow = new AllowGuard();
  const check = async () => {
    const request = { id, ip: '127.0.0.1', headers, raw: {}, user: undefined as unknown, apiToken: undefined as unknown };
    const context = {
      getHandler: () => Handlers.prototype.read,
      switchToHttp: () => ({ getRequest: () => request, getResponse: () => ({}) }),
    } as unknown as ExecutionContext;
    await guard.canActivate(context);
    allow.canActivate(context);
    if (request.user === undefined && request.apiToken === undefined) throw new Error('a valid caller was not identified');
  };
  for (let i = 0; i < warmUps; i++) await check();
  const figures: number[] = [];
  for (let slice = 0; slice < slices; slice++) {
    const begun = performance.now();
    for (let i = 0; i < perSlice; i++) await check();
    figures.push(((performance.now() - begun) * 1000) / perSlice);
  }
  return figures;
}

async function measureBoth() {
  const session = await measure(sessionGuard());
  const token = await measure(tokenGuard());
  if (calls !== 1) throw new Error(`identity was called ${calls} times for one token`);
  return { session, token };
}

measureBoth().then(
  (figures) => process.stdout.write(JSON.stringify(figures)),
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
