import { pruneAuditLog, systemContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import { Injectable } from '@nestjs/common';
import type { IdentityTables } from '../schema';
import { pruneBatch } from './audit';
import { deleteExpiredAuditEntriesAcrossOrganizations, hasExpiredAuditEntriesAcrossOrganizations } from './audit.store';

/** Deletes log entries older than `retentionDays`. */
@Injectable()
export class AuditWorker {
  constructor(private readonly db: Database<IdentityTables>) {}

  /** Deletes in batches with one transaction each: locks are short, and a killed worker loses one batch only. */
  @HandlesJob(pruneAuditLog, { concurrency: 1 })
  async prune(): Promise<void> {
    let deleted: number;
    do {
      deleted = await this.db.asSystem('delete expired audit entries', (tx) =>
        deleteExpiredAuditEntriesAcrossOrganizations(tx, pruneBatch),
      );
    } while (deleted === pruneBatch);
  }

  /** One job for all expired entries; none if nothing has expired. */
  @Recovers(pruneAuditLog)
  async findPast(): Promise<PendingJob<typeof pruneAuditLog>[]> {
    const isDue = await this.db.asSystem('whether audit entries have expired', hasExpiredAuditEntriesAcrossOrganizations);
    return isDue ? [{ id: 'past', ctx: systemContext(null, 'sweep-audit-log'), data: {} }] : [];
  }
}
