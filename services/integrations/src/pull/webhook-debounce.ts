import { processWebhook, type TenantContext } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { Jobs } from '@tandem/messaging';
import { Injectable } from '@nestjs/common';

/**
 * Minimum time between two jobs of this process for the same connection: in a burst of webhooks, ten jobs per second do the work of a
 * thousand.
 */
const pauseMs = 100;

/**
 * Schedules processing of a connection's stored webhooks: immediately for the first one, and once more for all that arrive within the
 * pause.
 */
@Injectable()
export class WebhookDebounce {
  /** Connections scheduled within the pause; true if another webhook has arrived since. */
  readonly #recent = new Map<string, boolean>();

  constructor(private readonly jobs: Jobs) {}

  /** Call this after the webhook is committed. If Redis rejects the job or the process dies, the sweeper recovers it. */
  schedule(ctx: TenantContext, connection_id: string): void {
    if (this.#recent.has(connection_id)) {
      this.#recent.set(connection_id, true);
      return;
    }
    this.#recent.set(connection_id, false);
    const id = `${connection_id}_${newId()}`;
    this.jobs.restore(processWebhook, [{ id, ctx, data: { connection_id } }]).catch(() => undefined);
    const again = () => {
      const hasMore = this.#recent.get(connection_id) === true;
      this.#recent.delete(connection_id);
      if (hasMore) this.schedule(ctx, connection_id);
    };
    setTimeout(again, pauseMs).unref();
  }
}
