import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { IntegrationsTx } from '../schema';

/** Days. `libs/contracts/src/integrations.ts` documents the first; the second is longer than any task tool redelivers a webhook. */
const retentionDays = { syncLog: 30, webhooks: 7 };
const batch = 5_000;

const isExpired = {
  sync_log: sql<SqlBool>`created_at < now() - make_interval(days => ${retentionDays.syncLog})`,
  inbound_webhooks: sql<SqlBool>`state <> 'stored' and received_at < now() - make_interval(days => ${retentionDays.webhooks})`,
  oauth_states: sql<SqlBool>`expires_at < now()`,
} satisfies Record<string, RawBuilder<SqlBool>>;
export type ExpirableTable = keyof typeof isExpired;
export const expirableTables = Object.keys(isExpired) as ExpirableTable[];

export async function hasExpiredAcrossOrganizations(tx: IntegrationsTx): Promise<boolean> {
  for (const table of expirableTables) {
    const { rows } = await sql`select 1 from ${sql.table(table)} where ${isExpired[table]} limit 1`.execute(tx);
    if (rows.length > 0) return true;
  }
  return false;
}

/** False once nothing is left. */
export async function deleteExpiredAcrossOrganizations(tx: IntegrationsTx, table: ExpirableTable): Promise<boolean> {
  const { numAffectedRows } =
    await sql`delete from ${sql.table(table)} where ctid = any(array(select ctid from ${sql.table(table)} where ${isExpired[table]} limit ${batch}))`.execute(
      tx,
    );
  return numAffectedRows === BigInt(batch);
}
