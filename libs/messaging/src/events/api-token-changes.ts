import { apiTokenChanged, type DataOf } from '@tandem/contracts';
import { createLogger, type Logger } from '@tandem/platform';
import type { NatsOptions } from './nats';
import { RecentEvents } from './recent-events';

type Listener = (token_id: string) => void;

/** No gateway uses a token from its cache for longer than ten minutes, so an older change affects no cache. */
const windowMs = 11 * 60_000;

/** Notifies every gateway replica of recent changes of API tokens. */
export class ApiTokenChanges extends RecentEvents<typeof apiTokenChanged> {
  readonly #listeners = new Set<Listener>();

  constructor(config: NatsOptions & { LOG_LEVEL?: string }, log: Logger = createLogger('api-tokens', config.LOG_LEVEL)) {
    super(config, 'api-tokens', log, apiTokenChanged, windowMs);
  }

  /** `listener` receives the id of every changed token, some of them twice, until the returned function is called. It must not throw or block. */
  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  protected received({ what, token }: DataOf<typeof apiTokenChanged>): void {
    // No cache can have a token from before its creation.
    if (what === 'created') return;
    for (const listener of this.#listeners) listener(token.id);
  }
}
