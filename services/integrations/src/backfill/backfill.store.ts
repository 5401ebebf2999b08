import type { TaskRules } from '@tandem/contracts';
import { sql, type SqlBool } from 'kysely';
import type { IntegrationRow, IntegrationsTx, LinkRow } from '../schema';
import { applyEventToAll, endedStates, insertOrRestartLinks, updateLinks } from '../engine/link-state';
import { initialValues } from '../engine/link-values';
import { markPrimaryDue } from '../engine/sharing.store';

type Of = Pick<IntegrationRow, 'organization_id' | 'id'>;

export const findIntegration = (tx: IntegrationsTx, { organization_id, id }: Of): Promise<IntegrationRow | undefined> =>
  tx.selectFrom('integrations').selectAll().where('organization_id', '=', organization_id).where('id', '=', id).executeTakeFirst();

/** A concurrent start of the same integration's backfill waits until the transaction ends. */
export const findIntegrationForUpdate = (tx: IntegrationsTx, { organization_id, id }: Of): Promise<IntegrationRow | undefined> =>
  tx
    .selectFrom('integrations')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

/** The rules in SQL, over `ticket_copies as copy`; must give the same result as `matches` for a copy. */
const fits = ({ create, categories, tags, priorities }: TaskRules) => {
  if (create !== 'matching') return sql<SqlBool>`${create === 'all'}::boolean`;
  return sql<SqlBool>`(
    (cardinality(${categories}::text[]) = 0 or copy.category = any(${categories}::text[]))
    and (cardinality(${tags}::text[]) = 0 or copy.tags && ${tags}::text[])
    and (cardinality(${priorities}::text[]) = 0 or copy.priority = any(${priorities}::text[]))
  )`;
};

/**
 * Ended links that a backfill may start again: those that ended with their integration and still know their task, and those whose list was
 * deleted, if this is another list. Not links that were removed manually, nor those whose task was deleted individually.
 */
const canRestart = (list_id: string) => sql<SqlBool>`(
  (links.state = 'unlinked' and links.task is not null) or (links.state = 'gone' and links.deleted_list_id <> ${list_id})
)`;

/** Copies of unresolved tickets that match the rules and have no link, except one that may start again. */
export const matchingCopies = (
  tx: IntegrationsTx,
  { organization_id, rules, list_id }: Pick<IntegrationRow, 'organization_id' | 'rules' | 'list_id'>,
) =>
  tx
    .selectFrom('ticket_copies as copy')
    .where('copy.organization_id', '=', organization_id)
    .where('copy.status', 'not in', ['resolved', 'closed'])
    .where(fits(rules))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('links')
            .select(sql`1`.as('one'))
            .where('links.organization_id', '=', organization_id)
            .whereRef('links.ticket_id', '=', 'copy.ticket_id')
            .where(sql<SqlBool>`${canRestart(list_id)} is not true`),
        ),
      ),
    );

export async function countMatching(tx: IntegrationsTx, integration: IntegrationRow): Promise<number> {
  const { count } = await matchingCopies(tx, integration)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Links of the matching tickets whose old task is in this list: the task is read again, and both sides then count as agreed. */
async function restoreLinks(tx: IntegrationsTx, integration: IntegrationRow): Promise<number> {
  const { organization_id, id, connection_id, list_id } = integration;
  const { task_id: _, task_url: __, ...restarted } = initialValues;
  const { numUpdatedRows } = await applyEventToAll(tx, 'task_restored')
    // Several tickets may return to one task: `choosePrimaries` chooses the primary one.
    .set({ ...restarted, is_primary: false, integration_id: id, connection_id })
    .set({ urgency: 3, is_backfill: true, next_sync_at: sql<string>`now()` })
    .where('links.organization_id', '=', organization_id)
    .where(canRestart(list_id))
    .where(sql<SqlBool>`links.task ->> 'list_id' = ${list_id}`)
    .where('links.ticket_id', 'in', matchingCopies(tx, integration).select('copy.ticket_id'))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Writes a link for each matching ticket. Returns the number of links. */
export async function insertBackfillLinks(tx: IntegrationsTx, integration: IntegrationRow): Promise<number> {
  const { organization_id, id, connection_id, list_id } = integration;
  // Links of an earlier backfill are not counted in this one.
  await updateLinks(tx)
    .set({ is_backfill: false })
    .where('organization_id', '=', organization_id)
    .where('integration_id', '=', id)
    .where('is_backfill', '=', true)
    .execute();
  const restored = await restoreLinks(tx, integration);
  const tickets = matchingCopies(tx, integration).select([
    'copy.organization_id',
    'copy.ticket_id',
    sql<string>`${id}::uuid`.as('integration_id'),
    sql<string>`${connection_id}::uuid`.as('connection_id'),
    sql<3>`3`.as('urgency'),
    sql<boolean>`true`.as('is_backfill'),
    sql<string>`now()`.as('next_sync_at'),
  ]);
  // A new ticket's own event may have inserted the link first: such a link stays unchanged.
  const restart = { values: initialValues, condition: canRestart(list_id) };
  return restored + (await insertOrRestartLinks(tx, 'creation_requested', tickets, restart));
}

/** If several tickets return to one task, the oldest becomes the primary one, unless a ticket that was linked since then is. */
export async function choosePrimaries(tx: IntegrationsTx, { organization_id, id }: Of): Promise<void> {
  const returned = () =>
    tx
      .selectFrom('links as again')
      .where('again.organization_id', '=', organization_id)
      .where('again.integration_id', '=', id)
      .where('again.is_backfill', '=', true)
      .where('again.state', '=', 'linked')
      .where('again.task', 'is', null);
  const oldest = returned()
    .distinctOn('again.task_id')
    .select('again.ticket_id')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('links as other')
            .select('other.ticket_id')
            .whereRef('other.organization_id', '=', 'again.organization_id')
            .whereRef('other.connection_id', '=', 'again.connection_id')
            .whereRef('other.task_id', '=', 'again.task_id')
            .where('other.is_primary', '=', true)
            .where('other.state', 'not in', endedStates),
        ),
      ),
    )
    .orderBy('again.task_id')
    .orderBy('again.ticket_id');
  await updateLinks(tx)
    .set({ is_primary: true })
    .where('links.organization_id', '=', organization_id)
    .where('links.ticket_id', 'in', oldest)
    .execute();
  const shared = returned()
    .select(['again.organization_id', 'again.connection_id', 'again.task_id'])
    .distinct()
    .where('again.is_primary', '=', false);
  // The primary link of each task has to list the tickets that returned to it.
  for (const ofTask of await shared.execute()) await markPrimaryDue(tx, ofTask, 'list');
}

/** Tickets whose old task was found again by the backfill that was just started. */
export const findRelinked = (
  tx: IntegrationsTx,
  { organization_id, id }: Of,
): Promise<Pick<LinkRow, 'ticket_id' | 'task_id' | 'task_url'>[]> =>
  tx
    .selectFrom('links')
    .select(['ticket_id', 'task_id', 'task_url'])
    .where('organization_id', '=', organization_id)
    .where('integration_id', '=', id)
    .where('is_backfill', '=', true)
    .where('state', '=', 'linked')
    .where('task', 'is', null)
    .execute();

export async function recordBackfillStart(tx: IntegrationsTx, { organization_id, id }: Of, total: number): Promise<void> {
  await tx
    .updateTable('integrations')
    .set({ backfill_started_at: sql<string>`now()`, backfill_finished_at: null, backfill_total: total })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .execute();
}

export async function countBackfill(
  tx: IntegrationsTx,
  { organization_id, id }: Of,
): Promise<{ left: number; created: number; failed: number }> {
  return tx
    .selectFrom('links')
    .select([
      sql<number>`(count(*) filter (where state = 'creating'))::int`.as('left'),
      sql<number>`(count(*) filter (where state = 'failed'))::int`.as('failed'),
      sql<number>`(count(*) filter (where state not in ('creating', 'failed')))::int`.as('created'),
    ])
    .where('organization_id', '=', organization_id)
    .where('integration_id', '=', id)
    .where('is_backfill', '=', true)
    .executeTakeFirstOrThrow();
}

/** Records the end of the backfill, when a reader first finds no remaining links. */
export async function recordBackfillEnd(tx: IntegrationsTx, { organization_id, id }: Of): Promise<string | null> {
  const { backfill_finished_at } = await tx
    .updateTable('integrations')
    .set({ backfill_finished_at: sql<string>`coalesce(backfill_finished_at, now())` })
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returning('backfill_finished_at')
    .executeTakeFirstOrThrow();
  return backfill_finished_at;
}

export async function isExportComplete(tx: IntegrationsTx, connection_id: string): Promise<boolean> {
  const connection = await tx.selectFrom('connections').select('tickets_exported').where('id', '=', connection_id).executeTakeFirst();
  return connection?.tickets_exported === true;
}
