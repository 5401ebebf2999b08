import { Injectable } from '@nestjs/common';
import { pruneSyncLog, systemContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Sweeps, Works, type PendingJob } from '@tandem/messaging';
import type { IntegrationsSchema } from '../schema';
import { deletePastAcrossOrganizations, hasPastAcrossOrganizations, perishables } from './prune.store';

/** Deletes what nobody will ask for again: old lines of the sync log, webhooks that were worked on, OAuth that nobody ended. */
@Injectable()
export class PruneWorker {
  constructor(private readonly db: Database<IntegrationsSchema>) {}

  /** Batch by batch, each in a transaction of its own: nobody waits for a long delete, and a killed worker loses one batch. */
  @Works(pruneSyncLog, { concurrency: 1 })
  async prune(): Promise<void> {
    for (const table of perishables) {
      let isMore = true;
      while (isMore) isMore = await this.db.asSystem('what is past its time goes', (tx) => deletePastAcrossOrganizations(tx, table));
    }
  }

  /** One job for everything that is past its time; none while nothing is. */
  @Sweeps(pruneSyncLog)
  async findPast(): Promise<PendingJob<typeof pruneSyncLog>[]> {
    const isDue = await this.db.asSystem('whether anything is past its time', hasPastAcrossOrganizations);
    return isDue ? [{ id: 'past', ctx: systemContext(null, 'sweep-sync-log'), data: {} }] : [];
  }
}
