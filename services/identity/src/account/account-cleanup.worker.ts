import { Injectable } from '@nestjs/common';
import { cleanUpAccounts, systemContext, type Context } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import type { IdentityTables } from '../schema';
import { deleteExpiredLinks, deleteOldSessions, deleteUnconfirmedAccounts, cleanupBatch } from './account-cleanup.store';

/** Hourly is enough: expired links and sessions are rejected anyway. */
const everyMs = 3_600_000;

/**
 * Deletes expired links, old sessions, and accounts that were never confirmed, so that an address that a stranger typed is not stored
 * forever.
 */
@Injectable()
export class AccountCleanup {
  #next = 0;

  constructor(private readonly db: Database<IdentityTables>) {}

  /** Due by the hour, not by a row. All replicas use the same job id, so the work runs once. */
  @Recovers(cleanUpAccounts)
  findDue(): PendingJob<typeof cleanUpAccounts>[] {
    if (Date.now() < this.#next) return [];
    this.#next = Date.now() + everyMs;
    return [{ id: 'hourly', ctx: systemContext(null, 'clean-up-accounts'), data: {} }];
  }

  @HandlesJob(cleanUpAccounts, { concurrency: 1 })
  async remove(_ctx?: Context): Promise<void> {
    for (const work of [deleteExpiredLinks, deleteUnconfirmedAccounts, deleteOldSessions]) {
      while ((await this.db.asSystem('delete expired accounts, links and sessions', work)) >= cleanupBatch);
    }
  }
}
