import { randomBytes } from 'node:crypto';
import type { Context } from '@tandem/contracts';
import type { Env } from '../src/config';

/** For this library's tests: an environment in which a service starts, with new secrets. */
export const goodEnv = (more: Env = {}): Env => ({
  NODE_ENV: 'test',
  LOG_LEVEL: 'fatal',
  TICKETS_PORT: '0',
  CONTEXT_SECRET: randomBytes(32).toString('base64url'),
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  TICKETS_DATABASE_URL: 'postgres://tandem_tickets:nobody-knows-this@127.0.0.1:1/tandem_tickets',
  NATS_URL: 'nats://127.0.0.1:1',
  REDIS_URL: 'redis://127.0.0.1:1',
  ...more,
});

export const agentContext: Context = {
  organization_id: '01980000-0000-7000-8000-000000000001',
  actor: {
    type: 'user',
    user_id: '01980000-0000-7000-8000-000000000002',
    role: 'agent',
    session_id: '01980000-0000-7000-8000-000000000003',
  },
  request_id: 'from-the-gateway',
  client: { ip: '203.0.113.7', user_agent: 'Zoë’s browser' },
};
