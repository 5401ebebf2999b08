import { sql } from 'kysely';
import type { ConnectionRow, IntegrationsTx } from '../schema';

/** Minutes until a tool that refused a valid token is tried again; the last pause repeats every hour. */
const minutes = [1, 5, 15, 60] as const;
const last = minutes.length - 1;

export const firstProbe = { probe_at: sql<string>`now() + make_interval(mins => ${minutes[0]})`, probes: 0 };

/** Claims a broken connection that is due for a probe. The next probe is scheduled in the same statement, before the tool is called. */
export function claimProbe(tx: IntegrationsTx, connection_id: string): Promise<ConnectionRow | undefined> {
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
