import { newId, type Tx } from '@tandem/db';
import { sql } from 'kysely';
import type { IdentityTables } from '../schema';
import { attemptMinutes } from './oidc';

type IdentityTx = Tx<IdentityTables>;

const connectionColumns = [
  'organization_id',
  'issuer',
  'client_id',
  'sealed_client_secret',
  'is_active',
  'auto_join',
  'updated_at',
] as const;

export interface ConnectionRow {
  organization_id: string;
  issuer: string;
  client_id: string;
  sealed_client_secret: string | null;
  is_active: boolean;
  auto_join: boolean;
  updated_at: string;
}

export const findConnection = (tx: IdentityTx, organization_id: string): Promise<ConnectionRow | undefined> =>
  tx.selectFrom('oidc_connections').select(connectionColumns).where('organization_id', '=', organization_id).executeTakeFirst();

/** Locks the connection against changes: a running sign-in counts only if the connection is unchanged since it started. */
export const findConnectionForShare = (tx: IdentityTx, organization_id: string): Promise<ConnectionRow | undefined> =>
  tx.selectFrom('oidc_connections').select(connectionColumns).where('organization_id', '=', organization_id).forShare().executeTakeFirst();

/**
 * Locks the organization's row, because two admins who connect for the first time at once have no connection row to wait for. Concurrent
 * sign-ins may link people in the meantime; writing the connection row waits for them.
 */
export async function findConnectionForUpdate(tx: IdentityTx, organization_id: string): Promise<ConnectionRow | undefined> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organization_id).forNoKeyUpdate().executeTakeFirst();
  return findConnection(tx, organization_id);
}

/** Undefined if there is no connection or it is inactive. */
export const findActiveConnectionAcrossOrganizations = (tx: IdentityTx, subdomain: string): Promise<ConnectionRow | undefined> =>
  tx
    .selectFrom('oidc_connections')
    .innerJoin('organizations', 'organizations.id', 'oidc_connections.organization_id')
    .select(connectionColumns.map((column) => `oidc_connections.${column}` as const))
    .where('organizations.subdomain', '=', subdomain)
    .where('oidc_connections.is_active', '=', true)
    .executeTakeFirst();

export const saveConnection = (tx: IdentityTx, connection: Omit<ConnectionRow, 'updated_at'>): Promise<ConnectionRow> =>
  tx
    .insertInto('oidc_connections')
    .values(connection)
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ ...connection, updated_at: sql<string>`now()` }))
    .returning(connectionColumns)
    .executeTakeFirstOrThrow();

export async function deleteConnection(tx: IdentityTx, organization_id: string): Promise<void> {
  await tx.deleteFrom('oidc_connections').where('organization_id', '=', organization_id).execute();
}

/** The people linked to the organization's provider, in a fixed order: locking them in it avoids deadlocks. */
export async function findLinkedUsers(tx: IdentityTx, organization_id: string): Promise<string[]> {
  const linked = await tx
    .selectFrom('oidc_identities')
    .select('user_id')
    .distinct()
    .where('organization_id', '=', organization_id)
    .orderBy('user_id')
    .execute();
  return linked.map(({ user_id }) => user_id);
}

export async function deleteIdentities(tx: IdentityTx, organization_id: string): Promise<void> {
  await tx.deleteFrom('oidc_identities').where('organization_id', '=', organization_id).execute();
}

export interface Attempt {
  state_hash: string;
  organization_id: string;
  binding_hash: string;
  nonce: string;
  sealed_verifier: string;
  redirect: string;
}

/** Saves the attempt and deletes expired ones. */
export async function insertAttempt(tx: IdentityTx, attempt: Attempt): Promise<void> {
  await tx
    .deleteFrom('oidc_attempts')
    .where('expires_at', '<', sql<string>`now()`)
    .execute();
  const expires_at = sql<string>`now() + make_interval(mins => ${attemptMinutes})`;
  await tx
    .insertInto('oidc_attempts')
    .values({ ...attempt, expires_at })
    .execute();
}

/** Uses up an attempt: of two concurrent requests with one state, one gets it. Undefined if it does not exist or has expired. */
export async function consumeAttempt(tx: IdentityTx, state_hash: string): Promise<Attempt | undefined> {
  const taken = await tx
    .deleteFrom('oidc_attempts')
    .where('state_hash', '=', state_hash)
    .returning(['state_hash', 'organization_id', 'binding_hash', 'nonce', 'sealed_verifier', 'redirect'])
    .returning((row) =>
      row('expires_at', '>', sql<string>`now()`)
        .$castTo<boolean>()
        .as('in_time'),
    )
    .executeTakeFirst();
  if (!taken?.in_time) return undefined;
  const { in_time: _, ...attempt } = taken;
  return attempt;
}

export interface Person {
  user_id: string;
  is_active: boolean;
}

/** The member who is linked to this subject of the organization's provider. */
export const findUserOfSubject = (
  tx: IdentityTx,
  identity: { organization_id: string; issuer: string; subject: string },
): Promise<Person | undefined> =>
  tx
    .selectFrom('oidc_identities as identity')
    .innerJoin('members', (join) =>
      join.onRef('members.user_id', '=', 'identity.user_id').onRef('members.organization_id', '=', 'identity.organization_id'),
    )
    .select(['members.user_id', 'members.is_active'])
    .where('identity.organization_id', '=', identity.organization_id)
    .where('identity.issuer', '=', identity.issuer)
    .where('identity.subject', '=', identity.subject)
    .executeTakeFirst();

/** The member of the organization with this address, locked. */
export const findMemberByEmailForUpdate = (tx: IdentityTx, organization_id: string, email: string): Promise<Person | undefined> =>
  tx
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['members.user_id', 'members.is_active'])
    .where('members.organization_id', '=', organization_id)
    .where('users.email', '=', email)
    .forUpdate('members')
    .executeTakeFirst();

/**
 * Whether this provider has linked another subject to the user. Call it with the member locked: the separate statement sees concurrent
 * links.
 */
export async function isLinked(tx: IdentityTx, person: { organization_id: string; issuer: string; user_id: string }): Promise<boolean> {
  const found = await tx
    .selectFrom('oidc_identities')
    .select('subject')
    .where('organization_id', '=', person.organization_id)
    .where('issuer', '=', person.issuer)
    .where('user_id', '=', person.user_id)
    .executeTakeFirst();
  return found !== undefined;
}

export async function insertIdentity(
  tx: IdentityTx,
  identity: { organization_id: string; issuer: string; subject: string; user_id: string },
): Promise<void> {
  await tx.insertInto('oidc_identities').values(identity).execute();
}

/**
 * Creates a confirmed account for an address that the provider verified, or takes over an unconfirmed account and deletes its confirmation
 * links. Undefined if the account is already confirmed.
 */
export async function createConfirmedAccount(
  tx: IdentityTx,
  person: { email: string; first_name: string | null; last_name: string | null; password_hash: string },
): Promise<string | undefined> {
  const opened = await tx
    .insertInto('users')
    .values({ id: newId(), ...person, email_confirmed_at: sql<string>`now()` })
    .onConflict((conflict) =>
      conflict
        .column('email')
        .doUpdateSet({ ...person, email_confirmed_at: sql<string>`now()` })
        .where('users.email_confirmed_at', 'is', null),
    )
    .returning('id')
    .executeTakeFirst();
  if (opened) await tx.deleteFrom('confirmation_tokens').where('user_id', '=', opened.id).execute();
  return opened?.id;
}
