import { sql, type RawBuilder } from 'kysely';
import type { TicketsTx } from '../schema';
import { containsPattern } from './ticket';
import { isByPeriod, isIndexed, isSelective, type TicketSelection } from './ticket-filters';
import type { PageRequest } from './ticket-order';

/**
 * Maximum number of search results that are counted. To count 10,000 matches of a common word, the index would return every text with it:
 * a hundred times the work of the page. Searches that are not sorted by age sort only this many, the newest: texts are indexed by age, and
 * any other order would have to fetch all matches before it could return the first row.
 */
export const searchCap = 1_000;

type Search = TicketSelection & { search: string };

/** Ids of the tickets found by text. `migrations/repeatable/ticket_search.sql` explains why this is a function. */
export function idsByText(selection: Search, { sort, after, skip, rows }: PageRequest): RawBuilder<{ id: string }> {
  const cursor = after ? { after_created_at: after[0], after_id: after[1] } : {};
  const filter = JSON.stringify({ ...filterOf(selection), ...cursor });
  return sql<{ id: string }>`find_tickets_by_text(${filter}::jsonb, ${sort === 'oldest' ? 'oldest' : 'newest'}, ${rows}, ${skip})`;
}

/** At most `rows` matches in any order, for counting. */
export const matchingText = (selection: Search, rows: number): RawBuilder<{ id: string }> =>
  sql<{ id: string }>`find_tickets_by_text(${JSON.stringify(filterOf(selection))}::jsonb, 'any', ${rows}, 0)`;

export async function countByText(tx: TicketsTx, selection: Search, rows: number): Promise<number> {
  const counted = await sql<{ total: number }>`select count(*) as total from ${matchingText(selection, rows)} as found`.execute(tx);
  return counted.rows[0]?.total ?? 0;
}

/** The argument of the function; it renders the conditions as `toSql` does. */
const filterOf = ({ search, conditions }: Search) => ({
  needle: containsPattern(search),
  typed: search,
  conditions,
  is_selective: conditions.some(isSelective),
  is_indexed: conditions.some((condition) => (isIndexed(condition) && !isByPeriod(condition)) || condition.column === 'status'),
});
