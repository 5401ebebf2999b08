import type { OperatorAction, OperatorLogEntry } from '@tandem/contracts';
import { newId, type Tx } from '@tandem/db';
import { sql } from 'kysely';
import { lowestIdFrom, operatorRetentionDays } from '../audit/audit';
import type { IdentityTables } from '../schema';

type IdentityTx = Tx<IdentityTables>;

export interface SignedInUser {
  user_id: string;
  email: string;
  /** Both: two-factor sign-in is turned on, and this session was opened with it. */
  has_second_factor: boolean;
}

/** The user of a session that has not ended. */
export async function findSignedInUser(tx: IdentityTx, session_id: string, user_id: string): Promise<SignedInUser | undefined> {
  return tx
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('mfa', 'mfa.user_id', 'users.id')
    .select(['users.id as user_id', 'users.email'])
    .select(sql<boolean>`sessions.has_second_factor and mfa.confirmed_at is not null`.as('has_second_factor'))
    .where('sessions.id', '=', session_id)
    .where('users.id', '=', user_id)
    .where('sessions.ended_at', 'is', null)
    .where('sessions.idle_expires_at', '>', sql<string>`clock_timestamp()`)
    .where('users.email_confirmed_at', 'is not', null)
    .executeTakeFirst();
}

interface NewEntry {
  user_id: string;
  email: string;
  action: OperatorAction;
  target: string | null;
  ip: string | null;
  user_agent: string | null;
}

export async function recordOperatorAction(tx: IdentityTx, entry: NewEntry): Promise<void> {
  await tx
    .insertInto('operator_log')
    .values({ id: newId(), ...entry })
    .execute();
}

export const listOperatorLog = (tx: IdentityTx): Promise<OperatorLogEntry[]> =>
  tx
    .selectFrom('operator_log')
    .select(['id', 'action', 'target', 'email', 'ip', 'created_at'])
    .orderBy('id', 'desc')
    .limit(100)
    .execute() as Promise<OperatorLogEntry[]>;

/** Ids are in order of time: no index on the time is needed. */
const expiredEntries = (tx: IdentityTx) =>
  tx
    .selectFrom('operator_log')
    .select('id')
    .where('id', '<', lowestIdFrom(new Date(Date.now() - operatorRetentionDays * 86_400_000).toISOString()))
    .orderBy('id');

export const hasExpiredOperatorEntries = async (tx: IdentityTx): Promise<boolean> =>
  (await expiredEntries(tx).limit(1).executeTakeFirst()) !== undefined;

/** Deletes at most `limit` expired entries and returns their number. */
export async function deleteExpiredOperatorEntries(tx: IdentityTx, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from operator_log where id = any(array(${expiredEntries(tx).limit(limit)}))`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

export const findLastBackup = (tx: IdentityTx) =>
  tx.selectFrom('backups').select(['taken_at', 'version', 'folder']).orderBy('taken_at', 'desc').executeTakeFirst();

/** Organizations whose name contains `q`, or whose subdomain begins with it; the newest first. */
export async function searchOrganizationsAcrossOrganizations(tx: IdentityTx, q: string, limit: number) {
  const literal = q.toLowerCase().replace(/[\\%_]/g, '\\$&');
  return tx
    .selectFrom('organizations')
    .select(['id', 'name', 'subdomain', 'plan', 'trial_ends_at', 'deletion_at', 'created_at'])
    .select(sql<boolean>`demo_ends_at is not null`.as('is_demo'))
    .select(
      sql<number>`(select count(*)::integer from members where members.organization_id = organizations.id and is_active)`.as('members'),
    )
    .where(sql<boolean>`${q === ''} or lower(name) like ${`%${literal}%`} or subdomain like ${`${literal}%`}`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export const nameOrganizationsAcrossOrganizations = (tx: IdentityTx, ids: string[]) =>
  tx
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
