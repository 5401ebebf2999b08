import { AppError, type Invitation, type OfferedInvitation } from '@tandem/contracts';
import { newId, type Tx } from '@tandem/db';
import { sql } from 'kysely';
import type { IdentityTables, InvitationsTable } from '../schema';
import type { MailCount } from './invitation';

type IdentityTx = Tx<IdentityTables>;

const invitationColumns = ['id', 'organization_id', 'email', 'role', 'status', 'created_at', 'expires_at'] as const;
/** Deadlines use the database's clock, the only one that all replicas share. */
const now = sql<string>`clock_timestamp()`;

export const findPendingInvitations = (tx: IdentityTx, organization_id: string): Promise<Invitation[]> =>
  tx
    .selectFrom('invitations')
    .select(invitationColumns)
    .where('organization_id', '=', organization_id)
    .where('status', '=', 'pending')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

/** An invitation with its email count of the last hour, and the database time when it was read. */
export type CountedInvitation = Invitation & MailCount & { now: string };

/** The latest invitation of an address; if one is pending, it is this one. */
export const findLatestInvitation = (tx: IdentityTx, organization_id: string, email: string): Promise<CountedInvitation | undefined> =>
  tx
    .selectFrom('invitations')
    .select([...invitationColumns, 'mails_since', 'mails_sent', now.as('now')])
    .where('organization_id', '=', organization_id)
    .where('email', '=', email)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

export async function getPendingInvitation(tx: IdentityTx, id: string): Promise<CountedInvitation> {
  const found = await tx
    .selectFrom('invitations')
    .select([...invitationColumns, 'mails_since', 'mails_sent', now.as('now')])
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  if (!found) throw new AppError('invitation.not_found');
  return found;
}

/**
 * The invitation emails of an organization in the last hour, and the start of the oldest count. An invitation that replaces another
 * continues its count, so the highest count of an address includes all of its emails.
 */
export async function findMailsOfHour(
  tx: IdentityTx,
  organization_id: string,
): Promise<{ spent: number; since: string | null; now: string }> {
  const ofAddress = tx
    .selectFrom('invitations')
    .select((row) => [row.fn.max('mails_sent').as('mails'), row.fn.min('mails_since').as('since')])
    .where('organization_id', '=', organization_id)
    .where('mails_since', '>', sql<string>`clock_timestamp() - interval '1 hour'`)
    .groupBy('email');
  return tx
    .selectFrom(ofAddress.as('address'))
    .select((row) => [row.fn.coalesce(row.fn.sum<number>('mails'), sql<number>`0`).as('spent'), row.fn.min('since').as('since')])
    .select(now.as('now'))
    .executeTakeFirstOrThrow();
}

export async function getDatabaseTime(tx: IdentityTx): Promise<string> {
  const { time } = await tx.selectNoFrom(now.as('time')).executeTakeFirstOrThrow();
  return time;
}

type NewInvitation = Pick<Invitation, 'organization_id' | 'email' | 'role'> &
  Pick<InvitationsTable, 'invited_by'> &
  Link & { created_at: string };
/** The stored part of an invitation link: the token's hash, its deadline and the email count. */
export interface Link extends MailCount {
  token_hash: string;
  expires_at: string;
}

export const insertInvitation = (tx: IdentityTx, invitation: NewInvitation): Promise<Invitation> =>
  tx
    .insertInto('invitations')
    .values({ ...invitation, id: newId() })
    .returning(invitationColumns)
    .executeTakeFirstOrThrow();

/** Replaces the link; the previous one stops working. */
export const saveLink = (tx: IdentityTx, id: string, link: Link): Promise<Invitation> =>
  tx.updateTable('invitations').set(link).where('id', '=', id).returning(invitationColumns).executeTakeFirstOrThrow();

/** Cancels a pending invitation, even if it has expired; undefined if it is not pending or belongs to another organization. */
export const cancelPendingInvitation = (tx: IdentityTx, id: string): Promise<Invitation | undefined> =>
  tx
    .updateTable('invitations')
    .set({ status: 'cancelled' })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returning(invitationColumns)
    .executeTakeFirst();

/**
 * The invitation of this link; undefined if the link is unknown, used, cancelled or expired. One statement for all cases, so that the
 * response time does not reveal which one applies.
 */
export const findInvitationOfLinkAcrossOrganizations = (
  tx: IdentityTx,
  token_hash: string,
): Promise<(OfferedInvitation & { organization_id: string }) | undefined> =>
  tx
    .selectFrom('invitations')
    .innerJoin('organizations', 'organizations.id', 'invitations.organization_id')
    .select(['invitations.organization_id', 'organizations.name as organization_name'])
    .select(['invitations.email', 'invitations.role', 'invitations.expires_at'])
    .where('invitations.token_hash', '=', token_hash)
    .where('invitations.status', '=', 'pending')
    .where('invitations.expires_at', '>', now)
    .executeTakeFirst();

/** Whether any organization has invited this address, and the invitation has not expired. */
export async function hasPendingInvitationAcrossOrganizations(tx: IdentityTx, email: string): Promise<boolean> {
  const found = await tx
    .selectFrom('invitations')
    .select('id')
    .where('email', '=', email)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Uses up a link; of two concurrent requests, one gets undefined. */
export const closeInvitation = (tx: IdentityTx, token_hash: string, status: 'accepted' | 'cancelled'): Promise<Invitation | undefined> =>
  tx
    .updateTable('invitations')
    .set({ status })
    .where('token_hash', '=', token_hash)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .returning(invitationColumns)
    .executeTakeFirst();

/** The inviter's name for the email, or the address if no name is set. */
export async function findInviterName(tx: IdentityTx, user_id: string | null): Promise<string | null> {
  if (user_id === null) return null;
  const found = await tx.selectFrom('users').select(['first_name', 'last_name', 'email']).where('id', '=', user_id).executeTakeFirst();
  if (!found) return null;
  return [found.first_name, found.last_name].filter((name) => name !== null).join(' ') || found.email;
}

/** The address of a user, locked until the transaction ends, so that it cannot change. */
export async function findAddressForUpdate(tx: IdentityTx, user_id: string): Promise<string | undefined> {
  const found = await tx.selectFrom('users').select('email').where('id', '=', user_id).forNoKeyUpdate().executeTakeFirst();
  return found?.email;
}
