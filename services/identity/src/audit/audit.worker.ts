import { pruneAuditLog, systemContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import { Injectable } from '@nestjs/common';
import { deleteExpiredOperatorEntries, hasExpiredOperatorEntries } from '../operator/operator.store';
import type { IdentityTables } from '../schema';
import { pruneBatch } from './audit';
import { deleteExpiredAuditEntriesAcrossOrganizations, hasExpiredAuditEntriesAcrossOrganizations } from './audit.store';

/** Deletes entries of the organizations' audit logs and of the operators' log after their retention. */
@Injectable()
export class AuditWorker {
  constructor(private readonly db: Database<IdentityTables>) {}

  /** Deletes in batches with one transaction each: locks are short, and a killed worker loses one batch only. */
  @HandlesJob(pruneAuditLog, { concurrency: 1 })
  async prune(): Promise<void> {
    for (const deleteExpired of [deleteExpiredAuditEntriesAcrossOrganizations, deleteExpiredOperatorEntries]) {
      let deleted: number;
      do {
        deleted = await this.db.asSystem('delete expired log entries', (tx) => deleteExpired(tx, pruneBatch));
      } while (deleted === pruneBatch);
    }
  }

  /** One job for all expired entries; none if nothing has expired. */
  @Recovers(pruneAuditLog)
  async findPast(): Promise<PendingJob<typeof pruneAuditLog>[]> {
    const isDue = await this.db.asSystem(
      'whether log entries have expired',
      async (tx) => (await hasExpiredAuditEntriesAcrossOrganizations(tx)) || (await hasExpiredOperatorEntries(tx)),
    );
    return isDue ? [{ id: 'past', ctx: systemContext(null, 'sweep-audit-log'), data: {} }] : [];
  }
}
