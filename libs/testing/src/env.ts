import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serviceNames, type ServiceName } from '@tandem/contracts';
import { jetstreamManager, JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import { connectRedis } from '@tandem/messaging';
import { connect } from '@nats-io/transport-node';
import { onTestFileEnd } from './on-test-file-end';
import { freshDatabase } from './database';
import { testServers } from './servers';

/** Environment variables, as `startService` accepts them. */
export type Env = Record<string, string | undefined>;

const urlVariable = (service: ServiceName) => `${service.toUpperCase()}_DATABASE_URL`;

/**
 * A complete environment for `startForTest`: free ports, new secrets, a unique NATS stream and subject prefix, a unique Redis prefix,
 * and a fresh database for each service (or for none, if `overrides` names a database of any service). Everything created on the servers
 * is removed when the test file ends.
 */
export async function testEnv(overrides: Env = {}): Promise<Env> {
  const servers = testServers();
  const id = randomBytes(6).toString('hex');
  const stream = `TEST_${servers.run}_${id}`;
  const redisPrefix = `test-${servers.run}-${id}`;
  onTestFileEnd(() => removeStream(servers.natsUrl, stream));
  onTestFileEnd(() => removeKeys(servers.redisUrl, redisPrefix));
  const files = join(tmpdir(), `tandem-test-${id}`);
  onTestFileEnd(() => rm(files, { recursive: true, force: true }));
  return {
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    HOST: '127.0.0.1',
    PORT: '0',
    ...Object.fromEntries(serviceNames.map((service) => [`${service.toUpperCase()}_PORT`, '0'])),
    PUBLIC_URL: 'http://localhost:3000',
    CONTEXT_SECRET: randomBytes(32).toString('base64url'),
    LINK_SECRET: randomBytes(32).toString('base64url'),
    SESSION_SECRET: randomBytes(32).toString('base64url'),
    ENCRYPTION_KEYS: `test:${randomBytes(32).toString('base64')}`,
    NATS_URL: servers.natsUrl,
    NATS_STREAM: stream,
    EVENTS_PREFIX: `test-${servers.run}-${id}`,
    REDIS_URL: servers.redisUrl,
    REDIS_PREFIX: redisPrefix,
    SMTP_URL: servers.smtpUrl,
    STATUS_EMAIL_DELAY_SECONDS: '0',
    ATTACHMENTS_DIR: files,
    ...(serviceNames.some((service) => overrides[urlVariable(service)]) ? {} : await freshDatabases()),
    ...overrides,
  };
}

async function freshDatabases(): Promise<Env> {
  const databases = await Promise.all(serviceNames.map(async (service) => [urlVariable(service), (await freshDatabase(service)).url]));
  return Object.fromEntries(databases) as Env;
}

async function removeStream(natsUrl: string, stream: string): Promise<void> {
  const url = new URL(natsUrl);
  const connection = await connect({ servers: url.host, user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) });
  try {
    const manager = await jetstreamManager(connection);
    await manager.streams.delete(stream);
  } catch (error) {
    // No service in this test published or consumed events.
    if (!(error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound)) throw error;
  } finally {
    await connection.close();
  }
}

async function removeKeys(redisUrl: string, prefix: string): Promise<void> {
  const redis = connectRedis(redisUrl);
  try {
    let cursor = '0';
    do {
      const [next, keys] = await redis.scan(cursor, 'MATCH', `${prefix}*`, 'COUNT', 1000);
      if (keys.length > 0) await redis.unlink(...keys);
      cursor = next;
    } while (cursor !== '0');
  } finally {
    redis.disconnect();
  }
}
