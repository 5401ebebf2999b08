import type { Tx } from '@tandem/db';
import { sql } from 'kysely';
import type { NotificationsSchema } from '../schema';
import { taskSyncAlertSeconds } from './notification';

/**
 * Records an alert to admins; false if the same one was sent within `taskSyncAlertSeconds`. Of two concurrent calls only one returns true.
 */
export async function recordAlert(
  tx: Tx<NotificationsSchema>,
  alert: { organization_id: string; subject: string; problem: string },
): Promise<boolean> {
  const notified = await tx
    .insertInto('task_sync_alerts')
    .values({ ...alert, notified_at: sql<string>`now()` })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'subject', 'problem'])
        .doUpdateSet({ notified_at: sql<string>`now()` })
        .where(sql<boolean>`task_sync_alerts.notified_at <= now() - make_interval(secs => ${sql.lit(taskSyncAlertSeconds)})`),
    )
    .returning('problem')
    .executeTakeFirst();
  return notified !== undefined;
}
