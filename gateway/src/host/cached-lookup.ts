import { LiveEvents } from '@tandem/messaging';

interface Entry<Found> {
  found: Found | null;
  expiresAt: number;
  unsubscribe: () => void;
}
const foundMs = 30_000;
/** Shorter for unknown names: an organization may claim one at any time, and no event announces that to this cache. */
const notFoundMs = 1_000;
const defaultCapacity = 2_000;

/**
 * Caches what a name refers to for 30 seconds, such as the organization of a host. `id` is its organization: an entry is dropped as soon as
 * that changes.
 */
export class CachedLookup<Found extends { id: string }> {
  private readonly entries = new Map<string, Entry<Found>>();
  private readonly pending = new Map<string, Promise<Found | null>>();

  /**
   * @param load loads the entry from its owner
   * @param invalidatedBy prefixes of the event types that invalidate an entry, such as `organization.`
   * @param capacity the maximum number of entries
   */
  constructor(
    private readonly live: LiveEvents,
    private readonly load: (name: string, request_id: string) => Promise<Found | null>,
    private readonly invalidatedBy: readonly string[],
    private readonly capacity = defaultCapacity,
  ) {}

  async find(name: string, request_id: string): Promise<Found | null> {
    const entry = this.entries.get(name);
    if (entry !== undefined && entry.expiresAt > Date.now()) return entry.found;
    // Concurrent lookups of the same name share one request.
    const found = this.pending.get(name) ?? this.loadAndStore(name, request_id).finally(() => this.pending.delete(name));
    this.pending.set(name, found);
    return found;
  }

  private async loadAndStore(name: string, request_id: string): Promise<Found | null> {
    const found = await this.load(name, request_id);
    this.store(name, found);
    return found;
  }

  private store(name: string, found: Found | null): void {
    this.drop(name);
    const oldest = this.entries.size >= this.capacity ? this.entries.keys().next().value : undefined;
    if (oldest !== undefined) this.drop(oldest);
    const invalidates = (type: string) => this.invalidatedBy.some((prefix) => type.startsWith(prefix));
    const unsubscribe =
      found === null ? () => undefined : this.live.subscribe(found.id, ({ type }) => invalidates(type) && this.drop(name));
    this.entries.set(name, { found, expiresAt: Date.now() + (found === null ? notFoundMs : foundMs), unsubscribe });
  }

  private drop(name: string): void {
    this.entries.get(name)?.unsubscribe();
    this.entries.delete(name);
  }
}
