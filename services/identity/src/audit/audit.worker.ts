import { pruneAuditLog, systemContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Sweeps, Works, type PendingJob } from '@tandem/messaging';
import { Injectable } from '@nestjs/common';
import type { IdentityTables } from '../schema';
import { pruneBatch } from './audit';
import { deletePastAuditEntriesAcrossOrganizations, findsPastAuditEntriesAcrossOrganizations } from './audit.store';

/** Deletes the lines of the log that are older than `keptDays`. */
@Injectable()
export class AuditWorker {
  constructor(private readonly db: Database<IdentityTables>) {}

  /** Batch by batch, each in a transaction of its own: nobody waits for a long delete, and a killed worker loses one batch. */
  @Works(pruneAuditLog, { concurrency: 1 })
  async prune(): Promise<void> {
    let deleted: number;
    do {
      deleted = await this.db.asSystem('lines of the log that are past their time go', (tx) =>
        deletePastAuditEntriesAcrossOrganizations(tx, pruneBatch),
      );
    } while (deleted === pruneBatch);
  }

  /** One job for everything that is past its time; none while nothing is. */
  @Sweeps(pruneAuditLog)
  async findPast(): Promise<PendingJob<typeof pruneAuditLog>[]> {
    const isDue = await this.db.asSystem('whether lines of the log are past their time', findsPastAuditEntriesAcrossOrganizations);
    return isDue ? [{ id: 'past', ctx: systemContext(null, 'sweep-audit-log'), data: {} }] : [];
  }
}
