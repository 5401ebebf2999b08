import { sql } from 'kysely';
import { nextNumber } from '../article/article.store';
import type { TicketsTx } from '../schema';

const maxKeptNumber = 1_000_000;

/** The number of an imported article or category: its own if that is free, so that links to it still work, otherwise the next one. */
export async function keptNumber(tx: TicketsTx, organization_id: string, wanted: number | undefined): Promise<number> {
  if (wanted === undefined || wanted < 1 || wanted > maxKeptNumber) return nextNumber(tx, organization_id);
  // Locks the counter, so that no other article gets the number in the meantime.
  await sql`insert into article_counters (organization_id, last_number) values (${organization_id}, ${wanted})
    on conflict (organization_id) do update set last_number = greatest(article_counters.last_number, excluded.last_number)`.execute(tx);
  const { rows } = await sql`select from articles where organization_id = ${organization_id} and number = ${wanted}
    union all select from article_categories where organization_id = ${organization_id} and number = ${wanted}`.execute(tx);
  return rows.length === 0 ? wanted : nextNumber(tx, organization_id);
}
