import { newId } from '@tandem/db';
import { sql } from 'kysely';
import type { ConnectionRow, IntegrationRow, IntegrationsTx } from '../schema';
import { activeStates } from './link-state';
import { findDue, findNextDue } from './sync-link.store';

type Of = Pick<ConnectionRow, 'organization_id' | 'id'>;
/** FOR NO KEY UPDATE does not block ticket events, whose `isConnected` only prevents deletion of the row. */
const lock = (tx: IntegrationsTx, id: string) =>
  tx.selectFrom('connections').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
const fromNow = (ms: number) => sql<string>`clock_timestamp() + make_interval(secs => ${ms / 1_000})`;

/**
 * Acquires the connection for this process until `lease_until`. Undefined if another process holds it or it may not be used now. The row
 * is locked first, so that a concurrent release has finished before the lease is checked.
 */
export async function acquireLease(tx: IntegrationsTx, connection_id: string, leaseMs: number): Promise<ConnectionRow | undefined> {
  if (!(await lock(tx, connection_id))) return undefined;
  return tx
    .updateTable('connections')
    .set({ lease_until: fromNow(leaseMs), lease_id: newId() })
    .where('id', '=', connection_id)
    .where('state', '=', 'connected')
    .where('sealed_token', 'is not', null)
    .where(sql<boolean>`(lease_until is null or lease_until < clock_timestamp())`)
    .where(sql<boolean>`(blocked_until is null or blocked_until <= clock_timestamp())`)
    .returningAll()
    .executeTakeFirst();
}

/** Extends the lease of the holder `lease_id`; false if it was lost. */
export async function renewLease(tx: IntegrationsTx, connection_id: string, lease_id: string, leaseMs: number): Promise<boolean> {
  const renewed = await tx
    .updateTable('connections')
    .set({ lease_until: fromNow(leaseMs) })
    .where('id', '=', connection_id)
    .where('lease_id', '=', lease_id)
    .returning('id')
    .executeTakeFirst();
  return renewed !== undefined;
}

/**
 * Releases the lease; false if work became due in the meantime. The row is locked before that check: a process that adds work either found
 * the lease taken, and its work is visible here, or finds it released.
 */
export async function releaseLease(
  tx: IntegrationsTx,
  connection: Of,
  lease_id: string,
  which: { maxUrgency: number } | 'anyway',
): Promise<boolean> {
  if (!(await lock(tx, connection.id))) return true;
  if (which !== 'anyway') {
    const due = await findDue(tx, connection, [], 1, which.maxUrgency);
    if (due.length > 0 || (await findListsToCheck(tx, connection)).length > 0) return false;
  }
  await tx
    .updateTable('connections')
    .set({ lease_until: null, lease_id: null })
    .where('id', '=', connection.id)
    .where('lease_id', '=', lease_id)
    .execute();
  return true;
}

/** Active, or paused only because the list was not available: then it is requested from time to time. */
const isChecked = sql<boolean>`(is_active or (pause_reason in ('unavailable', 'list_gone') and unavailable_since is not null))`;

export const findListsToCheck = (tx: IntegrationsTx, { organization_id, id }: Of): Promise<IntegrationRow[]> =>
  tx
    .selectFrom('integrations')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('connection_id', '=', id)
    .where(isChecked)
    .where('next_check_at', '<=', sql<string>`now()`)
    .orderBy('next_check_at')
    .execute();

/** When the next link or list of the connection is due. */
export async function findNextTime(tx: IntegrationsTx, connection: Of): Promise<string | undefined> {
  const link = await findNextDue(tx, connection);
  const list = await tx
    .selectFrom('integrations')
    .select(sql<string | null>`min(next_check_at)`.as('at'))
    .where('organization_id', '=', connection.organization_id)
    .where('connection_id', '=', connection.id)
    .where(isChecked)
    .executeTakeFirst();
  return [link, list?.at ?? undefined].filter((at) => at !== undefined).sort()[0];
}

/**
 * Connections that have due work and no worker: jobs that Redis lost, processes that died, and broken connections due for a probe. In
 * random order, so that connections that cannot proceed do not block the others in every sweep.
 */
export const findWaitingAcrossOrganizations = async (tx: IntegrationsTx): Promise<Of[]> => [
  ...(await findWaiting(tx)),
  ...(await findProbesDue(tx)),
];

const findProbesDue = (tx: IntegrationsTx): Promise<Of[]> =>
  tx
    .selectFrom('connections')
    .select(['id', 'organization_id'])
    .where('state', '=', 'broken')
    .where('sealed_token', 'is not', null)
    .where('probe_at', '<=', sql<string>`now()`)
    .orderBy(sql`random()`)
    .limit(100)
    .execute();

const findWaiting = (tx: IntegrationsTx): Promise<Of[]> =>
  tx
    .selectFrom('connections as c')
    .select(['c.id', 'c.organization_id'])
    .where('c.state', '=', 'connected')
    .where('c.sealed_token', 'is not', null)
    .where(sql<boolean>`(c.lease_until is null or c.lease_until < now())`)
    .where(sql<boolean>`(c.blocked_until is null or c.blocked_until <= now())`)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('integrations as i')
          .select('i.id')
          .whereRef('i.organization_id', '=', 'c.organization_id')
          .whereRef('i.connection_id', '=', 'c.id')
          .where(isChecked)
          .where((or) =>
            or.or([
              or('i.next_check_at', '<=', sql<string>`now()`),
              or('i.is_active', '=', true).and(
                or.exists(
                  or
                    .selectFrom('links as l')
                    .select('l.ticket_id')
                    .whereRef('l.organization_id', '=', 'i.organization_id')
                    .whereRef('l.integration_id', '=', 'i.id')
                    .where('l.next_sync_at', '<=', sql<string>`now()`)
                    .where('l.state', 'in', activeStates),
                ),
              ),
            ]),
          ),
      ),
    )
    .orderBy(sql`random()`)
    .limit(500)
    .execute();
