import { processWebhook, type Context } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { Jobs } from '@tandem/messaging';
import { Injectable } from '@nestjs/common';

/** Between two jobs of this process for the same connection: in a storm ten in a second take what a thousand would. */
const pauseMs = 100;

/** Asks for the work on a connection's stored webhooks: at once for the first, and once more for all that came within the pause. */
@Injectable()
export class Nudges {
  /** Connections asked for just now; true where another webhook has come since. */
  readonly #recent = new Map<string, boolean>();

  constructor(private readonly jobs: Jobs) {}

  /** To be called once the webhook is stored for good. What Redis does not take, or a process takes to its grave, the sweeper finds. */
  nudge(ctx: Context, connection_id: string): void {
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
      if (hasMore) this.nudge(ctx, connection_id);
    };
    setTimeout(again, pauseMs).unref();
  }
}
