import type { PageQuery, SyncLogEntry } from '@tandem/contracts';
import { lockName, paginate } from '@tandem/db';
import { sql, type Insertable, type OrderByItemBuilder, type Updateable } from 'kysely';
import type { ConnectionRow, IntegrationRow, IntegrationsSchema, IntegrationsTx } from '../schema';
import { hasRefusedField } from '../engine/sync-link.store';
import type { LinkCounts } from './health';

/** Sweeps read these rows across organizations, so a query needs its own condition on the organization for the planner to use the index. */
export const findIntegrations = (tx: IntegrationsTx, organization_id: string): Promise<IntegrationRow[]> =>
  tx
    .selectFrom('integrations')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .orderBy(rulesFirst)
    .orderBy('position', nullsLast)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/**
 * An integration with matching rules comes before one for all tickets, which would otherwise receive every ticket; those for manual links
 * come last.
 */
export const rulesFirst = sql<number>`case rules ->> 'create' when 'matching' then 0 when 'all' then 1 else 2 end`;
export const nullsLast = (order: OrderByItemBuilder) => order.nullsLast();

/** Concurrent requests that change the order or add an integration wait until the transaction ends. */
export async function saveOrder(tx: IntegrationsTx, organization_id: string, ids: string[]): Promise<void> {
  await sql`
    update integrations set position = wanted.position
    from unnest(${ids}::uuid[]) with ordinality as wanted (id, position)
    where integrations.organization_id = ${organization_id} and integrations.id = wanted.id`.execute(tx);
}

const one = (tx: IntegrationsTx, organization_id: string, id: string) =>
  tx.selectFrom('integrations').selectAll().where('organization_id', '=', organization_id).where('id', '=', id);

export const findIntegration = (tx: IntegrationsTx, organization_id: string, id: string): Promise<IntegrationRow | undefined> =>
  one(tx, organization_id, id).executeTakeFirst();

export const findIntegrationForUpdate = (tx: IntegrationsTx, organization_id: string, id: string): Promise<IntegrationRow | undefined> =>
  one(tx, organization_id, id).forUpdate().executeTakeFirst();

/** Locks the connection in share mode: it cannot be removed or changed until the transaction ends. */
export const findConnectionForShare = (tx: IntegrationsTx, organization_id: string, id: string): Promise<ConnectionRow | undefined> =>
  tx
    .selectFrom('connections')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();

/** Returns the number of integrations. Concurrent creations wait until the transaction ends, so that the limit is not exceeded. */
export async function countIntegrationsForUpdate(tx: IntegrationsTx, organization_id: string): Promise<number> {
  await lockName(tx, `integrations of ${organization_id}`);
  const { count } = await tx
    .selectFrom('integrations')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organization_id)
    .executeTakeFirstOrThrow();
  return count;
}

/** Undefined if the list already has an integration. */
export const insertIntegration = (
  tx: IntegrationsTx,
  row: Insertable<IntegrationsSchema['integrations']>,
): Promise<IntegrationRow | undefined> =>
  tx
    .insertInto('integrations')
    .values(row)
    .onConflict((conflict) => conflict.columns(['organization_id', 'connection_id', 'list_id']).doNothing())
    .returningAll()
    .executeTakeFirst();

export const updateIntegration = (
  tx: IntegrationsTx,
  { organization_id, id }: IntegrationRow,
  changes: Updateable<IntegrationsSchema['integrations']>,
): Promise<IntegrationRow> =>
  tx
    .updateTable('integrations')
    .set(changes)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

export async function removeIntegration(tx: IntegrationsTx, { organization_id, id }: IntegrationRow): Promise<void> {
  await tx.deleteFrom('integrations').where('organization_id', '=', organization_id).where('id', '=', id).execute();
}

/** Counts the links of all integrations of an organization, or of one, in one statement. */
export async function countLinks(tx: IntegrationsTx, organization_id: string, integration_id?: string): Promise<Map<string, LinkCounts>> {
  const pending = sql<boolean>`next_sync_at is not null and state in ('creating', 'linked')`;
  let counted = tx
    .selectFrom('links')
    .select(['integration_id', sql<string | null>`min(next_sync_at) filter (where ${pending})`.as('due_since')])
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('state', 'in', ['linked', 'stopped']).as('linked'),
      eb.fn.countAll<number>().filterWhere(pending).as('pending'),
      eb.fn.countAll<number>().filterWhere('state', '=', 'failed').as('failed'),
      eb.fn.countAll<number>().filterWhere('state', '=', 'stopped').as('stopped'),
      eb.fn.countAll<number>().filterWhere('state', '=', 'linked').filterWhere(hasRefusedField).as('differing'),
    ])
    .where('organization_id', '=', organization_id)
    .where('state', '<>', 'unlinked')
    .groupBy('integration_id');
  if (integration_id !== undefined) counted = counted.where('integration_id', '=', integration_id);
  const rows = await counted.execute();
  return new Map(rows.map(({ integration_id: id, ...counts }) => [id, counts]));
}

/** The latest first. */
export function pageOfSyncLog(
  tx: IntegrationsTx,
  { organization_id, id }: IntegrationRow,
  { level, ...page }: PageQuery & { level?: SyncLogEntry['level'] | undefined },
) {
  let entries = tx
    .selectFrom('sync_log')
    .select(['id', 'ticket_id', 'ticket_number', 'level', 'direction', 'field', 'message', 'created_at'])
    .where('organization_id', '=', organization_id)
    .where('integration_id', '=', id);
  if (level !== undefined) entries = entries.where('level', '=', level);
  return paginate(tx, entries, page);
}
