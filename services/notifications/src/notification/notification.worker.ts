import { Injectable } from '@nestjs/common';
import { pruneNotifications, systemContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import type { NotificationsSchema } from '../schema';
import { pruneBatch } from './notification';
import { deleteExpiredNotificationsAcrossOrganizations, hasExpiredNotificationsAcrossOrganizations } from './notification.store';

/** Deletes notifications older than `retentionDays`, read or not. */
@Injectable()
export class NotificationWorker {
  constructor(private readonly db: Database<NotificationsSchema>) {}

  /** Deletes in batches, one transaction each, so that locks are short and a killed worker loses at most one batch. */
  @HandlesJob(pruneNotifications, { concurrency: 1 })
  async prune(): Promise<void> {
    let deleted: number;
    do {
      deleted = await this.db.asSystem('delete expired notifications', (tx) =>
        deleteExpiredNotificationsAcrossOrganizations(tx, pruneBatch),
      );
    } while (deleted === pruneBatch);
  }

  /** One job for all expired notifications; none if there are none. */
  @Recovers(pruneNotifications)
  async findExpired(): Promise<PendingJob<typeof pruneNotifications>[]> {
    const isDue = await this.db.asSystem('whether notifications have expired', hasExpiredNotificationsAcrossOrganizations);
    return isDue ? [{ id: 'past', ctx: systemContext(null, 'sweep-notifications'), data: {} }] : [];
  }
}
