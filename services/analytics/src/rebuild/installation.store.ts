import { sql } from 'kysely';
import type { AnalyticsTx } from '../schema';

export const isInstallationAnnounced = async (tx: AnalyticsTx): Promise<boolean> =>
  (await tx.selectFrom('installation').select('announced_at').executeTakeFirst())?.announced_at !== null;

/** Returns when the database was created; undefined if the installation has been announced before. */
export async function markInstallationAnnounced(tx: AnalyticsTx): Promise<string | undefined> {
  const marked = await tx
    .updateTable('installation')
    .set({ announced_at: sql<string>`now()` })
    .where('announced_at', 'is', null)
    .returning('installed_at')
    .executeTakeFirst();
  return marked?.installed_at;
}
