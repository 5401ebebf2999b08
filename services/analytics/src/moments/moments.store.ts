import type { TicketMoment } from '@tandem/contracts';
import { localDay, type Day } from '../local-time/local-time';
import type { AnalyticsTx } from '../schema';

interface TicketId {
  organization_id: string;
  ticket_id: string;
}

/** Inserts the moments that are not stored yet and returns their days. */
export async function insertMoments(
  tx: AnalyticsTx,
  { organization_id, ticket_id }: TicketId,
  moments: readonly TicketMoment[],
  time_zone: string,
): Promise<Day[]> {
  if (moments.length === 0) return [];
  const rows = moments.map(({ kind, at }) => ({ organization_id, ticket_id, kind, at, day: localDay(time_zone, at) }));
  const inserted = await tx
    .insertInto('ticket_moments')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('day')
    .execute();
  return inserted.map(({ day }) => day);
}

/** The days on which a ticket was resolved or reopened. */
export async function findMomentDays(tx: AnalyticsTx, ticket_id: string): Promise<Day[]> {
  const rows = await tx.selectFrom('ticket_moments').select('day').distinct().where('ticket_id', '=', ticket_id).execute();
  return rows.map(({ day }) => day);
}
