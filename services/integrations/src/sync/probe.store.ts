import { sql } from 'kysely';
import type { ConnectionRow, IntegrationsTx } from '../schema';

/** A tool that refused a good token, once or for an hour, is asked again after so many minutes, then every hour. */
const minutes = [1, 5, 15, 60] as const;
const last = minutes.length - 1;

export const firstProbe = { probe_at: sql<string>`now() + make_interval(mins => ${minutes[0]})`, probes: 0 };

/** A broken connection whose time has come, for this process alone; when it is asked next is written down before it is asked. */
export function takeProbe(tx: IntegrationsTx, connection_id: string): Promise<ConnectionRow | undefined> {
  return tx
    .updateTable('connections')
    .set({
      probe_at: sql<string>`now() + make_interval(mins => (${sql.val([...minutes])}::int[])[least(probes + 1, ${last}::int) + 1])`,
      probes: sql<number>`probes + 1`,
    })
    .where('id', '=', connection_id)
    .where('state', '=', 'broken')
    .where('sealed_token', 'is not', null)
    .where('probe_at', '<=', sql<string>`now()`)
    .returningAll()
    .executeTakeFirst();
}
