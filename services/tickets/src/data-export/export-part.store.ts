import { sql } from 'kysely';
import type { StoredPart, TicketsTx } from '../schema';
import type { PartService } from './export';

export async function insertPart(tx: TicketsTx, part: StoredPart): Promise<void> {
  await tx.insertInto('export_parts').values(part).execute();
}

/** Whether the last event of the service has arrived, and all before it. Events can arrive in any order. */
export async function isPartComplete(tx: TicketsTx, export_id: string, service: PartService): Promise<boolean> {
  const { rows } = await sql<{ is_complete: boolean }>`
    select coalesce(bool_or(is_last) and max(index) filter (where is_last) = count(*) - 1, false) as is_complete
    from export_parts where export_id = ${export_id}::uuid and service = ${service}`.execute(tx);
  return rows[0]!.is_complete;
}

/** Removes the service from those that are missing; true if none is missing any more. The caller has locked the export. */
export async function markPartComplete(tx: TicketsTx, export_id: string, service: PartService): Promise<boolean> {
  const { missing_parts } = await tx
    .updateTable('exports')
    .set({ missing_parts: sql<string[]>`array_remove(missing_parts, ${service})` })
    .where('id', '=', export_id)
    .returning('missing_parts')
    .executeTakeFirstOrThrow();
  return missing_parts.length === 0;
}

const order = sql`(service, index)`;

/** The next parts of a file, in the order of their events. */
export const findPartsOfFile = (
  tx: TicketsTx,
  export_id: string,
  file: string,
  after: Pick<StoredPart, 'service' | 'index'> | undefined,
  limit: number,
): Promise<Pick<StoredPart, 'service' | 'index' | 'lines'>[]> =>
  tx
    .selectFrom('export_parts')
    .select(['service', 'index', 'lines'])
    .where('export_id', '=', export_id)
    .where('file', '=', file)
    .$if(after !== undefined, (query) => query.where(sql<boolean>`${order} > (${after!.service}, ${after!.index}::int)`))
    .orderBy('service')
    .orderBy('index')
    .limit(limit)
    .execute();

export async function deleteParts(tx: TicketsTx, export_id: string): Promise<void> {
  await tx.deleteFrom('export_parts').where('export_id', '=', export_id).execute();
}
