import type { IssuedSession, Session } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { sql, type Selectable } from 'kysely';
import { mfaRequired } from '../mfa/mfa';
import type { IdentityTables, SessionEnd, SessionsTable } from '../schema';
import type { SessionState } from './session';

type IdentityTx = Tx<IdentityTables>;

/** Deadlines use the database's clock, the only one that all replicas share. */
const now = sql<string>`clock_timestamp()`;

export async function getDatabaseTime(tx: IdentityTx): Promise<string> {
  const { time } = await tx.selectNoFrom(now.as('time')).executeTakeFirstOrThrow();
  return time;
}

const sessionsAcrossOrganizations = (tx: IdentityTx) =>
  tx
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('members', 'members.user_id', 'users.id')
    .leftJoin('organizations', 'organizations.id', 'members.organization_id')
    .leftJoin('mfa', 'mfa.user_id', 'users.id')
    .select([
      'sessions.id as session_id',
      'sessions.ended_at',
      'sessions.last_seen_at',
      'sessions.idle_expires_at',
      'sessions.absolute_expires_at',
      'sessions.refresh_sequence',
      'sessions.rotated_at',
      'users.id as user_id',
      'users.email',
      'users.first_name',
      'users.last_name',
      'users.signature',
      'users.access_version',
      'mfa.confirmed_at as mfa_confirmed_at',
      'members.role',
      'members.is_active',
      'organizations.id as organization_id',
      'organizations.name',
      'organizations.slug',
      'organizations.subdomain',
      'organizations.ticket_prefix',
      'organizations.require_mfa_for_admins',
      'organizations.default_priority',
      'organizations.time_zone',
      'organizations.languages',
      'organizations.trial_ends_at',
      'organizations.plan',
      'organizations.demo_ends_at',
      'organizations.deletion_at',
      'organizations.created_at as organization_created_at',
      now.as('now'),
    ]);
type SessionQuery = ReturnType<typeof sessionsAcrossOrganizations>;
/** A session with its user, membership and organization, and the database time when it was read. */
export type SessionRow = Awaited<ReturnType<SessionQuery['execute']>>[number];

/** Runs for every open page, so it is one statement without a lock. */
export const findSessionAcrossOrganizations = (tx: IdentityTx, session_id: string): Promise<SessionRow | undefined> =>
  sessionsAcrossOrganizations(tx).where('sessions.id', '=', session_id).executeTakeFirst();

/** The same, locked for a change. */
export const findSessionAcrossOrganizationsForUpdate = (tx: IdentityTx, session_id: string): Promise<SessionRow | undefined> =>
  sessionsAcrossOrganizations(tx).where('sessions.id', '=', session_id).forUpdate('sessions').executeTakeFirst();

/**
 * The session that a refresh token, current or old, belongs to; locked, so that refreshes of one session run one at a time. (A token's row
 * never changes, so only the session needs the lock.)
 */
export const findSessionOfTokenAcrossOrganizationsForUpdate = (
  tx: IdentityTx,
  token_hash: string,
): Promise<(SessionRow & { sequence: number }) | undefined> =>
  sessionsAcrossOrganizations(tx)
    .innerJoin('refresh_tokens', 'refresh_tokens.session_id', 'sessions.id')
    .select('refresh_tokens.sequence')
    .where('refresh_tokens.token_hash', '=', token_hash)
    .forUpdate('sessions')
    .executeTakeFirst();

type NewSession = Pick<SessionsTable, 'id' | 'user_id' | 'ip' | 'user_agent' | 'idle_expires_at' | 'absolute_expires_at'> & {
  created_at: string;
  has_second_factor: boolean;
};

export async function insertSession(tx: IdentityTx, session: NewSession, token_hash: string): Promise<void> {
  const { created_at } = session;
  await tx
    .insertInto('sessions')
    .values({ ...session, last_seen_at: created_at, rotated_at: created_at })
    .execute();
  await tx.insertInto('refresh_tokens').values({ token_hash, session_id: session.id, sequence: 1 }).execute();
}

/** Saves the time of the last activity and the resulting deadline. */
export async function saveActivity(
  tx: IdentityTx,
  session_id: string,
  { last_seen_at, idle_expires_at }: Pick<SessionState, 'last_seen_at' | 'idle_expires_at'>,
): Promise<void> {
  await tx.updateTable('sessions').set({ last_seen_at, idle_expires_at }).where('id', '=', session_id).execute();
}

export async function rotateToken(
  tx: IdentityTx,
  session: Pick<SessionState, 'refresh_sequence'> & { session_id: string },
  token_hash: string,
  rotated_at: string,
): Promise<void> {
  const { session_id } = session;
  const sequence = session.refresh_sequence + 1;
  await tx.updateTable('sessions').set({ refresh_sequence: sequence, rotated_at }).where('id', '=', session_id).execute();
  await tx.insertInto('refresh_tokens').values({ token_hash, session_id, sequence }).execute();
}

/** Ends a session with all its refresh tokens; false if it had ended before or belongs to another person. */
export async function endSession(
  tx: IdentityTx,
  session: { session_id: string; user_id: string },
  end_reason: SessionEnd,
): Promise<boolean> {
  const ended = await tx
    .updateTable('sessions')
    .set({ ended_at: now, end_reason })
    .where('id', '=', session.session_id)
    .where('user_id', '=', session.user_id)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return ended !== undefined;
}

export type LiveSession = Pick<Selectable<SessionsTable>, 'id' | 'ip' | 'user_agent' | 'created_at' | 'last_seen_at'>;
/** The user's active sessions, the latest first. */
export const findLiveSessions = (tx: IdentityTx, user_id: string): Promise<LiveSession[]> =>
  tx
    .selectFrom('sessions')
    .select(['id', 'ip', 'user_agent', 'created_at', 'last_seen_at'])
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
    .where('idle_expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

/** A row in the contract's format. */
export function sessionView(row: SessionRow): Session {
  const { session_id, user_id, email, first_name, last_name, signature, organization_id, role, idle_expires_at, absolute_expires_at } = row;
  return {
    session_id,
    profile: { user_id, email, first_name, last_name, signature, organization_id, role },
    organization: organizationOf(row),
    mfa_enrolment_required: mfaRequired(row) && row.mfa_confirmed_at === null,
    idle_expires_at,
    absolute_expires_at,
  };
}

/** The gateway's copy of a session. `refresh_token` is null if the cookie already has the current one. */
export const issuedSession = (row: SessionRow, refresh_token: string | null): IssuedSession => ({
  session: sessionView(row),
  refresh_token,
  access_version: row.access_version,
});

function organizationOf(row: SessionRow): Session['organization'] {
  const {
    organization_id: id,
    name,
    slug,
    subdomain,
    ticket_prefix,
    require_mfa_for_admins,
    default_priority,
    time_zone,
    languages,
    trial_ends_at,
    plan,
    demo_ends_at,
    deletion_at,
  } = row;
  const { organization_created_at: created_at } = row;
  if (id === null || name === null || slug === null || ticket_prefix === null || require_mfa_for_admins === null) return null;
  if (default_priority === null || time_zone === null || languages === null || trial_ends_at === null || created_at === null) return null;
  const settings = { require_mfa_for_admins, default_priority, time_zone, languages };
  return { id, name, slug, subdomain, ticket_prefix, ...settings, trial_ends_at, plan, demo_ends_at, deletion_at, created_at };
}

/** When the demo organization of a user ends; null for a user of another organization, or of none. */
export async function findDemoEndAcrossOrganizations(tx: IdentityTx, user_id: string): Promise<string | null> {
  const found = await tx
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .select('organizations.demo_ends_at')
    .where('members.user_id', '=', user_id)
    .executeTakeFirst();
  return found?.demo_ends_at ?? null;
}

/** The organization whose log gets a user's events; null for a user without an organization. */
export async function findOrganizationOfUserAcrossOrganizations(tx: IdentityTx, user_id: string): Promise<string | null> {
  const found = await tx.selectFrom('members').select('organization_id').where('user_id', '=', user_id).executeTakeFirst();
  return found?.organization_id ?? null;
}
