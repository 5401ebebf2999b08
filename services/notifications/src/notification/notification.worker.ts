import { Injectable } from '@nestjs/common';
import { pruneNotifications, systemContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Sweeps, Works, type PendingJob } from '@tandem/messaging';
import type { NotificationsSchema } from '../schema';
import { pruneBatch } from './notification';
import { deletePastNotificationsAcrossOrganizations, findsPastNotificationsAcrossOrganizations } from './notification.store';

/** Deletes the notices that are older than `keptDays`, read or not. */
@Injectable()
export class NotificationWorker {
  constructor(private readonly db: Database<NotificationsSchema>) {}

  /** Batch by batch, each in a transaction of its own: nobody waits for a long delete, and a killed worker loses one batch. */
  @Works(pruneNotifications, { concurrency: 1 })
  async prune(): Promise<void> {
    let deleted: number;
    do {
      deleted = await this.db.asSystem('notices that are past their time go', (tx) =>
        deletePastNotificationsAcrossOrganizations(tx, pruneBatch),
      );
    } while (deleted === pruneBatch);
  }

  /** One job for everything that is past its time; none while nothing is. */
  @Sweeps(pruneNotifications)
  async findPast(): Promise<PendingJob<typeof pruneNotifications>[]> {
    const isDue = await this.db.asSystem('whether notices are past their time', findsPastNotificationsAcrossOrganizations);
    return isDue ? [{ id: 'past', ctx: systemContext(null, 'sweep-notifications'), data: {} }] : [];
  }
}
