import { accessChanged } from '@tandem/contracts';
import { createLogger, type Logger } from '@tandem/platform';
import type { AccessChange } from '../rpc/access-header';
import type { NatsOptions } from './nats';
import { RecentEvents } from './recent-events';

type Listener = (change: AccessChange) => void;

/** An access token is valid for ten minutes, so a change older than this affects no token that is still valid. */
const defaultRetentionMs = 11 * 60_000;

/**
 * Keeps track, on every replica, of the users whose access has changed recently. While NATS is down no new changes arrive, and those
 * received before remain in effect. The process is ready once it knows which tokens to reject.
 */
export class AccessChanges extends RecentEvents<typeof accessChanged> {
  readonly #listeners = new Set<Listener>();
  /** In insertion order, so that expired entries are removed from the front. */
  readonly #latest = new Map<string, { version: number; until: number }>();

  /** @param retentionMs eleven minutes by default; tests may use less */
  constructor(
    config: NatsOptions & { LOG_LEVEL?: string },
    log: Logger = createLogger('access', config.LOG_LEVEL),
    retentionMs = defaultRetentionMs,
  ) {
    super(config, 'access', log, accessChanged, retentionMs);
  }

  /** `listener` receives every change until the returned function is called, some of them twice. It must not throw or block. */
  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether a token with this version was superseded, according to the changes received so far. */
  isSuperseded(user_id: string, version: number): boolean {
    const known = this.#latest.get(user_id);
    return known !== undefined && version < known.version;
  }

  protected received(change: AccessChange): void {
    this.apply(change);
  }

  /**
   * Applies a change that was announced, or that this process has just caused. The latter must not wait for its announcement, or
   * requests with the old rights would pass until it arrives.
   */
  apply({ user_id, access_version }: AccessChange): void {
    const now = Date.now();
    const version = Math.max(access_version, this.#latest.get(user_id)?.version ?? 0);
    this.#latest.delete(user_id);
    this.#latest.set(user_id, { version, until: now + this.windowMs });
    for (const [known, { until }] of this.#latest) {
      if (until > now) break;
      this.#latest.delete(known);
    }
    for (const listener of this.#listeners) listener({ user_id, access_version: version });
  }
}
