import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { syncTasks, systemContext, type JobDataOf, type TenantContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Jobs, HandlesJob, Recovers } from '@tandem/messaging';
import { Secrets, type Logger } from '@tandem/platform';
import type { IntegrationsConfig } from '../config';
import type { IntegrationsSchema } from '../schema';
import { ToolClients } from '../tool/tool-client';
import { findNextTime, findWaitingAcrossOrganizations, acquireLease } from './lease.store';
import { MemberCache } from '../tool/member-cache';
import { probe } from '../tool/probe';
import { claimProbe } from '../tool/probe.store';
import { ConnectionRun } from './connection-run';
import { scheduleSync } from './schedule-sync';

/** Work that is due later than this is left to the sweep. */
const soonMs = 60_000;

/**
 * Syncs all due tickets and tasks of a connection, the most urgent first. One process at a time works on a connection, and only for a
 * limited time: the next job continues, so that no connection blocks the others.
 */
@Injectable()
export class SyncWorker implements OnModuleDestroy {
  readonly #members = new MemberCache();
  readonly #runs = new Set<ConnectionRun>();

  constructor(
    private readonly db: Database<IntegrationsSchema>,
    private readonly jobs: Jobs,
    private readonly secrets: Secrets,
    private readonly clients: ToolClients,
    @Inject('CONFIG') private readonly config: IntegrationsConfig,
    @Inject('LOG') private readonly log: Logger,
  ) {}

  @HandlesJob(syncTasks, { concurrency: 10 })
  async run(ctx: TenantContext, { connection_id }: JobDataOf<typeof syncTasks>) {
    const connection = await this.db.forTenant(ctx, (tx) => acquireLease(tx, connection_id, this.config.SYNC_LEASE_MS));
    const { db, secrets, jobs, clients, config, log } = this;
    if (!connection?.lease_id) {
      const broken = await db.forTenant(ctx, (tx) => claimProbe(tx, connection_id));
      return broken && probe({ db, jobs, clients, log }, ctx, broken);
    }
    const run = new ConnectionRun({ db, secrets, clients, config, log, members: this.#members }, connection, connection.lease_id);
    this.#runs.add(run);
    try {
      await run.work();
    } finally {
      this.#runs.delete(run);
      await run.end();
    }
    await this.scheduleNext(ctx, run);
  }

  @Recovers(syncTasks)
  async findWaiting() {
    const waiting = await this.db.asSystem('connections with due work and no worker', findWaitingAcrossOrganizations);
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

  private async scheduleNext(ctx: TenantContext, { connection, retry_at }: ConnectionRun): Promise<void> {
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
      if (delayMs < soonMs) scheduleSync(this.jobs, tx, ctx, connection.id, delayMs);
    });
  }
}
