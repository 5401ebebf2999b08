import { AppError, findApiToken, systemContext, type KnownApiToken } from '@tandem/contracts';
import { ApiTokenChanges, Services } from '@tandem/messaging';

/** Also the maximum time for which a changed token is used after an event was lost, because NATS was down. */
const maxAgeMs = 60_000;
/** If identity is unavailable, no token can be changed there either, so a cached one may be used for longer. */
const maxAgeWithoutIdentityMs = 10 * 60_000;
/** A value that no token had cannot become the value of one. */
const unknownMs = 30_000;
const capacity = 10_000;

interface Entry {
  token: KnownApiToken | null;
  loadedAt: number;
}
/** A lookup in progress, with the tokens that have changed since it started. */
interface Lookup {
  changed: Set<string>;
  result: Promise<KnownApiToken | null>;
}

/**
 * Finds API tokens by the hash of their value, and caches them, so that a request needs no call. Every change to a token removes it from
 * the cache of every replica.
 */
export class KnownApiTokens {
  /** In order of use, so that the least recently used entry is removed first. */
  private readonly entries = new Map<string, Entry>();
  private readonly hashesOfToken = new Map<string, Set<string>>();
  private readonly lookups = new Map<string, Lookup>();

  constructor(
    private readonly services: Pick<Services, 'call'>,
    changes: Pick<ApiTokenChanges, 'onChange'>,
  ) {
    changes.onChange((token_id) => this.forget(token_id));
  }

  /** The cached result, null for an unknown value; undefined if identity has to be asked. Never waits. */
  cached(hash: string, now = Date.now()): KnownApiToken | null | undefined {
    const entry = this.entries.get(hash);
    if (entry === undefined || now - entry.loadedAt >= (entry.token === null ? unknownMs : maxAgeMs)) return undefined;
    this.entries.delete(hash);
    this.entries.set(hash, entry);
    return entry.token;
  }

  /** Concurrent lookups of one value share a call. */
  async load(hash: string, request_id: string): Promise<KnownApiToken | null> {
    const running = this.lookups.get(hash);
    if (running !== undefined) return running.result;
    const changed = new Set<string>();
    const result = this.loadAndStore(hash, request_id, changed).finally(() => this.lookups.delete(hash));
    this.lookups.set(hash, { changed, result });
    return result;
  }

  private async loadAndStore(hash: string, request_id: string, changed: Set<string>): Promise<KnownApiToken | null> {
    try {
      const token = await this.services.call(findApiToken, systemContext(null, request_id), { body: { hash } });
      // A response from before a change must not enter the cache after it.
      if (token === null || !changed.has(token.id)) this.store(hash, token);
      return token;
    } catch (error) {
      const { token, loadedAt } = this.entries.get(hash) ?? { token: null, loadedAt: 0 };
      const isUnavailable = error instanceof AppError && error.status === 503;
      if (isUnavailable && token !== null && Date.now() - loadedAt < maxAgeWithoutIdentityMs) return token;
      throw error;
    }
  }

  private store(hash: string, token: KnownApiToken | null): void {
    this.drop(hash);
    const oldest = this.entries.size >= capacity ? this.entries.keys().next().value : undefined;
    if (oldest !== undefined) this.drop(oldest);
    this.entries.set(hash, { token, loadedAt: Date.now() });
    if (token === null) return;
    const hashes = this.hashesOfToken.get(token.id) ?? new Set();
    this.hashesOfToken.set(token.id, hashes.add(hash));
  }

  private drop(hash: string): void {
    const token = this.entries.get(hash)?.token;
    this.entries.delete(hash);
    if (!token) return;
    const hashes = this.hashesOfToken.get(token.id);
    hashes?.delete(hash);
    if (hashes?.size === 0) this.hashesOfToken.delete(token.id);
  }

  private forget(token_id: string): void {
    for (const { changed } of this.lookups.values()) changed.add(token_id);
    for (const hash of this.hashesOfToken.get(token_id) ?? []) this.drop(hash);
  }
}
