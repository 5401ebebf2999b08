import { LiveEvents } from '@tandem/messaging';

interface Known<Found> {
  found: Found | null;
  until: number;
  forget: () => void;
}
const knownMs = 30_000;
/** Shorter for unknown names: an organization may claim one at any time, and no event announces that to this cache. */
const unknownMs = 1_000;
const capacity = 2_000;

/** Caches the organization of a name for 30 seconds; drops the entry as soon as the organization changes. */
export class Remembered<Found extends { id: string }> {
  private readonly known = new Map<string, Known<Found>>();
  private readonly asking = new Map<string, Promise<Found | null>>();

  /**
   * @param lookUp loads the organization from its owner
   * @param changes prefixes of the event types that invalidate an entry, such as `organization.`
   */
  constructor(
    private readonly live: LiveEvents,
    private readonly lookUp: (name: string, request_id: string) => Promise<Found | null>,
    private readonly changes: readonly string[],
  ) {}

  async find(name: string, request_id: string): Promise<Found | null> {
    const known = this.known.get(name);
    if (known !== undefined && known.until > Date.now()) return known.found;
    // Concurrent lookups of the same name share one request.
    const asked = this.asking.get(name) ?? this.ask(name, request_id).finally(() => this.asking.delete(name));
    this.asking.set(name, asked);
    return asked;
  }

  private async ask(name: string, request_id: string): Promise<Found | null> {
    const found = await this.lookUp(name, request_id);
    this.remember(name, found);
    return found;
  }

  private remember(name: string, found: Found | null): void {
    this.drop(name);
    const oldest = this.known.size >= capacity ? this.known.keys().next().value : undefined;
    if (oldest !== undefined) this.drop(oldest);
    const isOld = (type: string) => this.changes.some((change) => type.startsWith(change));
    const forget = found === null ? () => undefined : this.live.subscribe(found.id, ({ type }) => isOld(type) && this.drop(name));
    this.known.set(name, { found, until: Date.now() + (found === null ? unknownMs : knownMs), forget });
  }

  private drop(name: string): void {
    this.known.get(name)?.forget();
    this.known.delete(name);
  }
}
