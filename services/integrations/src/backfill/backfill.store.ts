import type { TaskRules } from '@tandem/contracts';
import { sql, type SqlBool } from 'kysely';
import type { IntegrationRow, IntegrationsTx, LinkRow } from '../schema';
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
 * Links that may be created again: those that ended with their integration and still know their task, and those whose list was deleted, if
 * this is another list. Not links that were removed manually, nor those whose task was deleted individually.
 */
const canRelink = (list_id: string) => sql<SqlBool>`(
  (links.state = 'unlinked' and links.task is not null) or (links.state = 'gone' and links.deleted_list_id <> ${list_id})
)`;

/** Copies of unresolved tickets that match the rules and have no link, except one that may be created again. */
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
            .where(sql<SqlBool>`${canRelink(list_id)} is not true`),
        ),
      ),
    );

export async function countMatching(tx: IntegrationsTx, integration: IntegrationRow): Promise<number> {
  const { count } = await matchingCopies(tx, integration)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** The new state of a link that is created again: its old task if that is in this list, otherwise a new task. */
const isHere = (list_id: string) => sql<boolean>`links.task ->> 'list_id' = ${list_id}`;
const again = (list_id: string) => ({
  state: sql<'linked' | 'creating'>`case when ${isHere(list_id)} then 'linked' else 'creating' end`,
  task_id: sql<string | null>`case when ${isHere(list_id)} then links.task_id end`,
  task_url: sql<string | null>`case when ${isHere(list_id)} then links.task_url end`,
  // Several tickets may return to one task: `choosePrimaries` chooses the primary one.
  is_primary: sql<boolean>`not coalesce(${isHere(list_id)}, false)`,
  listed_tickets: '',
  // The task is read again, and the values of both sides then become the agreed state.
  task: null,
  ...{ shadow: '{}', task_read_at: null, task_notified_at: null, pending_comment_ids: sql<string[]>`'{}'`, comments_read_until: null },
  ...{ ticket_sequence: 0, create_started_at: null, attempts: 0, problem: null, finished_at: null, deleted_list_id: null },
  created_at: sql<string>`now()`,
});

/** Inserts a link for each matching ticket in one statement. Returns the number of links. */
export async function insertBackfillLinks(tx: IntegrationsTx, integration: IntegrationRow): Promise<number> {
  const { organization_id, id, connection_id, list_id } = integration;
  // Links of an earlier backfill are not counted in this one.
  await tx
    .updateTable('links')
    .set({ is_backfill: false })
    .where('organization_id', '=', organization_id)
    .where('integration_id', '=', id)
    .where('is_backfill', '=', true)
    .execute();
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('links')
    .columns(['organization_id', 'ticket_id', 'integration_id', 'connection_id', 'state', 'urgency', 'is_backfill', 'next_sync_at'])
    .expression(
      matchingCopies(tx, integration).select([
        'copy.organization_id',
        'copy.ticket_id',
        sql<string>`${id}::uuid`.as('integration_id'),
        sql<string>`${connection_id}::uuid`.as('connection_id'),
        sql<'creating'>`'creating'`.as('state'),
        sql<3>`3`.as('urgency'),
        sql<boolean>`true`.as('is_backfill'),
        sql<string>`now()`.as('next_sync_at'),
      ]),
    )
    // A new ticket's own event may have inserted the link first: such a link stays unchanged.
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'ticket_id'])
        .doUpdateSet((eb) => ({
          ...again(list_id),
          integration_id: eb.ref('excluded.integration_id'),
          connection_id: eb.ref('excluded.connection_id'),
          ...{ urgency: eb.ref('excluded.urgency'), is_backfill: true, next_sync_at: eb.ref('excluded.next_sync_at') },
        }))
        .where(canRelink(list_id)),
    )
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0);
}

/** If several tickets return to one task, the oldest becomes the primary one, unless a ticket that was linked since then is. */
export async function choosePrimaries(tx: IntegrationsTx, { organization_id, id }: Of): Promise<void> {
  await sql`
    update links set is_primary = true
    from (
      select distinct on (again.task_id) again.ticket_id
      from links again
      where again.organization_id = ${organization_id} and again.integration_id = ${id} and again.is_backfill
        and again.state = 'linked' and again.task is null
        and not exists (
          select from links other
          where other.organization_id = again.organization_id and other.connection_id = again.connection_id
            and other.task_id = again.task_id and other.is_primary and other.state not in ('unlinked', 'gone')
        )
      order by again.task_id, again.ticket_id
    ) as next
    where links.organization_id = ${organization_id} and links.ticket_id = next.ticket_id`.execute(tx);
  const shared = tx
    .selectFrom('links')
    .select(['organization_id', 'connection_id', 'task_id'])
    .distinct()
    .where('organization_id', '=', organization_id)
    .where('integration_id', '=', id)
    .where('is_backfill', '=', true)
    .where('is_primary', '=', false)
    .where('state', '=', 'linked')
    .where('task', 'is', null);
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
