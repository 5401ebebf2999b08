import type { ListPreferences, SaveListPreferences, View } from '@tandem/contracts';
import { lockName } from '@tandem/db';
import { sql } from 'kysely';
import type { ListPreferencesRow, TicketsTx, ViewRow } from '../schema';
import type { TicketSelection } from '../ticket/ticket-filters';
import { matchingTickets } from '../ticket/ticket-list.store';
import { matchingText } from '../ticket/ticket-search.store';

const fields = ['id', 'name', 'filter', 'is_shared', 'owner_id', 'created_at'] as const satisfies readonly (keyof ViewRow)[];

/** Shared views, plus the user's own if there is a user; sorted by name, ignoring case. */
export const findViews = (tx: TicketsTx, user_id: string | null): Promise<View[]> =>
  tx
    .selectFrom('views')
    .select(fields)
    .where((eb) => eb.or([eb('is_shared', '=', true), ...(user_id === null ? [] : [eb('owner_id', '=', user_id)])]))
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();

export const findViewForUpdate = (tx: TicketsTx, id: string): Promise<View | undefined> =>
  tx.selectFrom('views').select(fields).where('id', '=', id).forUpdate().executeTakeFirst();

/** The number of an owner's views. Takes a lock per owner, so that concurrent saves cannot exceed the limit. */
export async function countViewsForUpdate(tx: TicketsTx, owner_id: string): Promise<number> {
  await lockName(tx, `views of ${owner_id}`);
  const { count } = await tx
    .selectFrom('views')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', owner_id)
    .executeTakeFirstOrThrow();
  return count;
}

export const insertView = (tx: TicketsTx, organization_id: string, view: View): Promise<View> =>
  tx
    .insertInto('views')
    .values({ ...view, organization_id, filter: JSON.stringify(view.filter) })
    .returning(fields)
    .executeTakeFirstOrThrow();

export const saveView = (tx: TicketsTx, { id, name, filter, is_shared }: View): Promise<View> =>
  tx
    .updateTable('views')
    .set({ name, is_shared, filter: JSON.stringify(filter) })
    .where('id', '=', id)
    .returning(fields)
    .executeTakeFirstOrThrow();

export async function removeView(tx: TicketsTx, id: string): Promise<void> {
  await tx.deleteFrom('views').where('id', '=', id).execute();
}

const preferences = ['density', 'group_by', 'columns'] as const satisfies readonly (keyof ListPreferences)[];

/** Undefined for API tokens, and for users who have not chosen. */
export async function findListPreferences(tx: TicketsTx, user_id: string | null): Promise<ListPreferences | undefined> {
  if (user_id === null) return undefined;
  return tx.selectFrom('list_preferences').select(preferences).where('user_id', '=', user_id).executeTakeFirst();
}

export const upsertListPreferences = (
  tx: TicketsTx,
  user: Pick<ListPreferencesRow, 'organization_id' | 'user_id'>,
  chosen: SaveListPreferences,
): Promise<ListPreferences> =>
  tx
    .insertInto('list_preferences')
    .values({ ...user, ...chosen })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(chosen))
    .returning(preferences)
    .executeTakeFirstOrThrow();

/** The number of tickets per selection, each counted up to `rows` from its own index, in one round trip. */
export async function countSelections(tx: TicketsTx, selections: Map<string, TicketSelection>, rows: number): Promise<Map<string, number>> {
  const counts = [...selections].map(([key, selection]) => {
    const { search } = selection;
    const source = search === undefined ? matchingTickets(selection, rows) : matchingText({ ...selection, search }, rows);
    return sql`select ${key}::text as key, (select count(*) from ${source} as counted)::integer as count`;
  });
  const { rows: counted } = await sql<{ key: string; count: number }>`${sql.join(counts, sql` union all `)}`.execute(tx);
  return new Map(counted.map(({ key, count }) => [key, count]));
}

const isCancelled = (error: unknown): boolean => (error as { code?: unknown }).code === '57014';

/** Whether a selection may read many rows that it does not count: it searches texts, or compares them. */
const isSlow = ({ search, conditions }: TicketSelection): boolean =>
  search !== undefined || conditions.some(({ column }) => column === 'condition' || column === 'custom_fields');

/**
 * Like `countSelections`, without those that would take longer than `withinMs` together. Each slow selection may take half of the time that is
 * left, so that one that takes too long does not prevent those after it. The transaction stays usable.
 */
export async function countInTime(
  tx: TicketsTx,
  selections: Map<string, TicketSelection>,
  rows: number,
  withinMs: number,
): Promise<Map<string, number>> {
  const end = Date.now() + withinMs;
  const [slow, quick] = [new Map<string, TicketSelection>(), new Map<string, TicketSelection>()];
  for (const [key, selection] of selections) (isSlow(selection) ? slow : quick).set(key, selection);
  const counted = new Map<string, number>();
  const count = async (some: Map<string, TicketSelection>, ms: number): Promise<void> => {
    for (const [key, value] of (await countOrCancel(tx, some, rows, ms)) ?? []) counted.set(key, value);
  };
  await count(quick, withinMs / 2);
  for (const one of slow) {
    const leftMs = end - Date.now();
    if (leftMs < minCountMs) break;
    await count(new Map([one]), leftMs / 2);
  }
  return counted;
}

/** Time in which no slow selection would be counted; PostgreSQL would take 0 for no limit. */
const minCountMs = 20;

/** Undefined if it takes longer than `withinMs`. */
async function countOrCancel(
  tx: TicketsTx,
  selections: Map<string, TicketSelection>,
  rows: number,
  withinMs: number,
): Promise<Map<string, number> | undefined> {
  if (selections.size === 0) return undefined;
  await sql`savepoint counting`.execute(tx);
  await sql`select set_config('statement_timeout', ${String(Math.ceil(withinMs))}, true)`.execute(tx);
  try {
    return await countSelections(tx, selections, rows);
  } catch (error) {
    if (!isCancelled(error)) throw error;
    await sql`rollback to savepoint counting`.execute(tx);
    return undefined;
  }
}
