import type { TicketStats } from '@tandem/contracts';
import { currentOrganizationId, executePrepared, fixedQuery } from '@tandem/db';
import { sql } from 'kysely';
import type { AnalyticsTx } from '../schema';

const timeZone = fixedQuery((tx: AnalyticsTx) =>
  tx.selectFrom('organizations').select('time_zone').where('organization_id', '=', currentOrganizationId),
);

/** The organization's time zone, or UTC until the first event about the organization. */
export const findTimeZone = async (tx: AnalyticsTx): Promise<string> =>
  (await executePrepared(tx, timeZone(tx))).rows[0]?.time_zone ?? 'UTC';

/**
 * Adds `movement` to the organization's counts and increments its version. The first movement of an organization is a new ticket, so the
 * inserted counts are never negative. Throws if the time zone has changed since the transaction computed local days with it: the event is
 * then delivered again. Until the commit, other changes to the organization's figures wait.
 */
export async function updateCounts(tx: AnalyticsTx, organization_id: string, movement: TicketStats, time_zone: string): Promise<void> {
  const { total, open, resolved, unassigned } = movement;
  const statement = sql<{ time_zone: string }>`
    insert into organizations as o (organization_id, total, open, resolved, unassigned)
    values (${organization_id}, greatest(${total}::integer, 0), greatest(${open}::integer, 0),
      greatest(${resolved}::integer, 0), greatest(${unassigned}::integer, 0))
    on conflict (organization_id) do update set total = o.total + ${total}, open = o.open + ${open},
      resolved = o.resolved + ${resolved}, unassigned = o.unassigned + ${unassigned}, version = o.version + 1
    returning time_zone`;
  const { rows } = await executePrepared(tx, statement.compile(tx));
  if (rows[0]?.time_zone !== time_zone) throw new Error('The time zone of the organization has changed in the meantime');
}

/** Increments the version after a change to figures that does not come from a ticket. */
export const incrementVersion = (tx: AnalyticsTx) =>
  tx
    .updateTable('organizations')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .execute();

export const findCounts = (tx: AnalyticsTx): Promise<TicketStats | undefined> =>
  tx
    .selectFrom('organizations')
    .select(['total', 'open', 'resolved', 'unassigned'])
    .where('organization_id', '=', currentOrganizationId)
    .executeTakeFirst();
