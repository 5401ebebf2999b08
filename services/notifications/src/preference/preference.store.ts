import { defaultPreferences, type NotificationPreferences } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import type { NotificationsSchema } from '../schema';
import type { Person } from '../notification/notification.store';

/** The defaults, overridden by the member's choices. A topic that was added after they chose is on. */
export const preferencesFrom = (chosen: NotificationPreferences | null | undefined): NotificationPreferences => ({
  ...defaultPreferences,
  ...chosen,
});

export async function findPreferences(tx: Tx<NotificationsSchema>, { organization_id, user_id }: Person): Promise<NotificationPreferences> {
  const row = await tx
    .selectFrom('notification_preferences')
    .select('preferences')
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  return preferencesFrom(row?.preferences);
}

export async function savePreferences(tx: Tx<NotificationsSchema>, person: Person, chosen: NotificationPreferences): Promise<void> {
  const preferences = JSON.stringify(chosen);
  await tx
    .insertInto('notification_preferences')
    .values({ ...person, preferences })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet({ preferences }))
    .execute();
}
