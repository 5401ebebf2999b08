import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { syncTasks, systemContext, type Context, type JobDataOf } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Jobs, HandlesJob, Recovers } from '@tandem/messaging';
import { Secrets, type Logger } from '@tandem/platform';
import type { IntegrationsConfig } from '../config';
import type { IntegrationsSchema } from '../schema';
import { ToolCalls } from './caller';
import { findNextTime, findWaitingAcrossOrganizations, takeLease } from './lease.store';
import { Members } from './members';
import { probe } from './probe';
import { takeProbe } from './probe.store';
import { Run } from './run';
import { wakeConnection } from './wake';

/** Work that is due later than this is left to the sweep. */
const soonMs = 60_000;

/**
 * Syncs all due tickets and tasks of a connection, the most urgent first. One process at a time works on a connection, and only for a
 * limited time: the next job continues, so that no connection blocks the others.
 */
@Injectable()
export class SyncPump implements OnModuleDestroy {
  readonly #members = new Members();
  readonly #runs = new Set<Run>();

  constructor(
    private readonly db: Database<IntegrationsSchema>,
    private readonly jobs: Jobs,
    private readonly secrets: Secrets,
    private readonly calls: ToolCalls,
    @Inject('CONFIG') private readonly config: IntegrationsConfig,
    @Inject('LOG') private readonly log: Logger,
  ) {}

  @HandlesJob(syncTasks, { concurrency: 10 })
  async pump(ctx: Context, { connection_id }: JobDataOf<typeof syncTasks>) {
    const connection = await this.db.forTenant(ctx, (tx) => takeLease(tx, connection_id, this.config.SYNC_LEASE_MS));
    const { db, secrets, jobs, calls, config, log } = this;
    if (!connection?.working_id) {
      const broken = await db.forTenant(ctx, (tx) => takeProbe(tx, connection_id));
      return broken && probe({ db, jobs, calls, log }, ctx, broken);
    }
    const run = new Run({ db, secrets, calls, config, log, members: this.#members }, connection, connection.working_id);
    this.#runs.add(run);
    try {
      await run.work();
    } finally {
      this.#runs.delete(run);
      await run.end();
    }
    await this.askForNext(ctx, run);
  }

  @Recovers(syncTasks)
  async findForgotten() {
    const waiting = await this.db.asSystem('connections of every organization that may wait for nobody', findWaitingAcrossOrganizations);
    return waiting.map(({ id, organization_id }) => ({
      id,
      ctx: systemContext(organization_id, `sweep-${id}`),
      data: { connection_id: id },
    }));
  }

  /** Finishes the work in flight and starts nothing new. */
  onModuleDestroy(): void {
    for (const run of this.#runs) run.stop();
  }

  private async askForNext(ctx: Context, { connection, retry_at }: Run): Promise<void> {
    await this.db.forTenant(ctx, async (tx) => {
      const row = await tx.selectFrom('connections').select('blocked_until').where('id', '=', connection.id).executeTakeFirst();
      const due = await findNextTime(tx, connection);
      if (due === undefined) return;
      // Not before the connection is unblocked.
      const at =
        [due, row?.blocked_until, retry_at]
          .filter((time) => typeof time === 'string')
          .sort()
          .at(-1) ?? due;
      const delayMs = Math.max(0, Date.parse(at) - Date.now()) + 5;
      if (delayMs < soonMs) wakeConnection(this.jobs, tx, ctx, connection.id, delayMs);
    });
  }
}
