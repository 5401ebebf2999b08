import { randomUUID } from 'node:crypto';
import type { Operation } from '@tandem/contracts';
import type { Logger } from '@tandem/platform';
import type { Redis } from 'ioredis';
import { connectRedis, holdWrites } from '../redis';

/** Set on responses while the organization's new version is not in Redis: the gateway writes it before it responds to the client. */
export const versionPendingHeader = 'x-tandem-version-pending';

/** An organization without a version has had no change for a day; gateways remember a response for a minute. */
const versionMs = 24 * 60 * 60_000;

/** The key in Redis of the version of an organization's data in one service. */
export const versionKey = (prefix: string, owner: Operation['owner'], organization_id: string): string =>
  `${prefix}:version:${owner}:${organization_id}`;

/** Writes a new version. Never the same twice, so that a Redis that has lost its last writes does not repeat one. */
export async function renewVersion(redis: Redis, key: string): Promise<void> {
  holdWrites(redis);
  await redis.set(key, randomUUID(), 'PX', versionMs);
}

/**
 * The services with `versioned` operations: only their data has versions. Not derived from the list of all operations, which contains the
 * schemas of all services: each of them would load all.
 */
export const versionedOwners: ReadonlySet<Operation['owner']> = new Set(['tickets'] as const);

interface DataVersionsConfig {
  name: string;
  REDIS_URL: string;
  REDIS_PREFIX: string;
}

/**
 * Announces in Redis that an organization's data has changed, before the caller that changed it gets its response. The gateways compare
 * versions before they answer 304 for an operation that is `versioned`. A service without such operations announces nothing.
 */
export class DataVersions {
  readonly #redis: Redis | undefined;
  /** Organizations whose change Redis has not confirmed. */
  readonly #pending = new Set<string>();

  constructor(
    private readonly config: DataVersionsConfig,
    log: Logger,
  ) {
    if (!versionedOwners.has(config.name as Operation['owner'])) return;
    this.#redis = connectRedis(config.REDIS_URL, log, {
      // A transaction must not wait long for Redis. Without Redis, gateways cannot read versions either.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: 500,
    });
    this.#redis.on('ready', () => [...this.#pending].forEach((organization_id) => void this.renew(organization_id)));
  }

  /** Whether a change to the organization is not yet known to the gateways. */
  isPending(organization_id: string | null): boolean {
    return organization_id !== null && this.#pending.has(organization_id);
  }

  /** Resolves when the gateways know of the change, or Redis has failed; then it is announced again once Redis is back. Never throws. */
  async renew(organization_id: string): Promise<void> {
    if (this.#redis === undefined) return;
    try {
      await renewVersion(this.#redis, versionKey(this.config.REDIS_PREFIX, this.config.name as Operation['owner'], organization_id));
      this.#pending.delete(organization_id);
    } catch {
      this.#pending.add(organization_id);
    }
  }

  close(): void {
    this.#redis?.disconnect();
  }
}
