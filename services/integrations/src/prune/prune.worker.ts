import { Injectable } from '@nestjs/common';
import { pruneSyncLog, systemContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import type { IntegrationsSchema } from '../schema';
import { deleteExpiredAcrossOrganizations, hasExpiredAcrossOrganizations, expirableTables } from './prune.store';

/** Deletes expired data: old sync log entries, processed webhooks, and OAuth authorizations that were never completed. */
@Injectable()
export class PruneWorker {
  constructor(private readonly db: Database<IntegrationsSchema>) {}

  /** Deletes in batches, each in its own transaction: no long locks, and a killed worker loses at most one batch. */
  @HandlesJob(pruneSyncLog, { concurrency: 1 })
  async prune(): Promise<void> {
    for (const table of expirableTables) {
      let isMore = true;
      while (isMore) isMore = await this.db.asSystem('delete expired rows', (tx) => deleteExpiredAcrossOrganizations(tx, table));
    }
  }

  /** One job for all expired data; none if there is nothing to delete. */
  @Recovers(pruneSyncLog)
  async findExpired(): Promise<PendingJob<typeof pruneSyncLog>[]> {
    const isDue = await this.db.asSystem('check for expired rows', hasExpiredAcrossOrganizations);
    return isDue ? [{ id: 'expired', ctx: systemContext(null, 'sweep-sync-log'), data: {} }] : [];
  }
}
