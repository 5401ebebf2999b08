import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { IntegrationsTx } from '../schema';

/** Days. `contracts/integrations.ts` promises the first; the second is longer than any task tool redelivers a webhook. */
const kept = { syncLog: 30, webhooks: 7 };
const batch = 5_000;

const past = {
  sync_log: sql<SqlBool>`created_at < now() - make_interval(days => ${kept.syncLog})`,
  inbound_webhooks: sql<SqlBool>`state <> 'stored' and received_at < now() - make_interval(days => ${kept.webhooks})`,
  oauth_states: sql<SqlBool>`expires_at < now()`,
} satisfies Record<string, RawBuilder<SqlBool>>;
export type Perishable = keyof typeof past;
export const perishables = Object.keys(past) as Perishable[];

export async function hasPastAcrossOrganizations(tx: IntegrationsTx): Promise<boolean> {
  for (const table of perishables) {
    const { rows } = await sql`select 1 from ${sql.table(table)} where ${past[table]} limit 1`.execute(tx);
    if (rows.length > 0) return true;
  }
  return false;
}

/** False once nothing is left. */
export async function deletePastAcrossOrganizations(tx: IntegrationsTx, table: Perishable): Promise<boolean> {
  const { numAffectedRows } =
    await sql`delete from ${sql.table(table)} where ctid in (select ctid from ${sql.table(table)} where ${past[table]} limit ${batch})`.execute(
      tx,
    );
  return numAffectedRows === BigInt(batch);
}
