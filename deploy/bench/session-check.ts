/** Measures the gateway's code that identifies the signed-in user of a request. Bundled by suites/sign-in.ts, run as a separate process. */
import 'reflect-metadata';
import type { ExecutionContext } from '@nestjs/common';
import { readTicket } from '@tandem/contracts';
import { AccessTokens } from '@tandem/gateway/src/auth/access-token';
import { AllowGuard } from '@tandem/gateway/src/auth/allow.guard';
import { SessionCookies } from '@tandem/gateway/src/auth/cookies';
import { jwtStrategy } from '@tandem/gateway/src/auth/jwt.strategy';
import { SessionGuard } from '@tandem/gateway/src/auth/session.guard';
import { ForOperation } from '@tandem/gateway/src/routes/for-operation';
import { AccessChanges } from '@tandem/messaging';

const id = '00000000-0000-7000-9000-000000000001';
const config = { SESSION_SECRET: 'one-secret-that-is-long-enough-for-a-bench', PUBLIC_URL: 'http://localhost:3000' };
const warmUps = 5_000;
const slices = 20;
const perSlice = 2_000;

class Handlers {
  read(): void {}
}
ForOperation(readTicket)(Handlers.prototype, 'read', Object.getOwnPropertyDescriptor(Handlers.prototype, 'read')!);

/** Microseconds per request in each slice: verifying the token's signature and times, a newer access version, and the permissions. */
async function measure(): Promise<number[]> {
  const tokens = new AccessTokens(config);
  const cookies = new SessionCookies(config);
  const Strategy = jwtStrategy('bench') as new (...parts: unknown[]) => unknown;
  new Strategy(tokens, cookies);
  const changes = new AccessChanges({ NATS_URL: 'nats://127.0.0.1:1', NATS_STREAM: 'NONE', EVENTS_PREFIX: 'none' });
  const session = new SessionGuard({ defaultStrategy: 'bench', session: false }, changes);
  const allow = new AllowGuard();
  const later = Math.floor(Date.now() / 1000) + 3600;
  const headers = {
    cookie: `${cookies.names.access}=${tokens.sign({ sub: id, sid: id, org: id, role: 'agent', ver: 1, enrol: false, idle: later, abs: later })}`,
  };

  const check = async () => {
    const request = { id, ip: '127.0.0.1', headers, user: undefined as unknown };
    const context = {
      getHandler: () => Handlers.prototype.read,
      switchToHttp: () => ({ getRequest: () => request, getResponse: () => ({}) }),
    } as unknown as ExecutionContext;
    await session.canActivate(context);
    allow.canActivate(context);
    if (request.user === undefined) throw new Error('a valid token was refused');
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

measure().then(
  (figures) => process.stdout.write(JSON.stringify(figures)),
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
