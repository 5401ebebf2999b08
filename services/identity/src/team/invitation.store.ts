import { AppError, type Invitation, type OfferedInvitation } from '@tandem/contracts';
import { newId, type Tx } from '@tandem/db';
import { sql } from 'kysely';
import type { IdentityTables, InvitationsTable } from '../schema';
import type { MailCount } from './invitation';

type IdentityTx = Tx<IdentityTables>;

const invitationColumns = ['id', 'organization_id', 'email', 'role', 'status', 'created_at', 'expires_at'] as const;
/** The database's clock judges every deadline: it is the one clock that all replicas share. */
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

/** An invitation with its mails of the hour, and the moment it was read. */
export type CountedInvitation = Invitation & MailCount & { now: string };

/** The last one that an address was sent; one that is pending is always it. */
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
 * The mails of an organization's invitations in the hour behind us, and since when the oldest of their counts runs. An invitation that
 * took another one's place counts on where that one was, so the highest count of an address holds all of its mails.
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
/** What a mail that is about to go out leaves behind. */
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

/** Replaces the link: the one before it stops working. */
export const saveLink = (tx: IdentityTx, id: string, link: Link): Promise<Invitation> =>
  tx.updateTable('invitations').set(link).where('id', '=', id).returning(invitationColumns).executeTakeFirstOrThrow();

/** Cancels a pending invitation, also one past its time; undefined for one that is not pending, or of another organization. */
export const cancelPendingInvitation = (tx: IdentityTx, id: string): Promise<Invitation | undefined> =>
  tx
    .updateTable('invitations')
    .set({ status: 'cancelled' })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .returning(invitationColumns)
    .executeTakeFirst();

/**
 * What the link of this token offers; undefined for a link that is unknown, used, withdrawn or past its time. One statement for all of
 * them, so that no clock tells them apart.
 */
export const findOfferAcrossOrganizations = (
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

/** Uses a link up; of two at once, one gets undefined. */
export const settleOffer = (tx: IdentityTx, token_hash: string, status: 'accepted' | 'cancelled'): Promise<Invitation | undefined> =>
  tx
    .updateTable('invitations')
    .set({ status })
    .where('token_hash', '=', token_hash)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .returning(invitationColumns)
    .executeTakeFirst();

/** How a mail says who invites: by name, by address where there is none. */
export async function findInviterName(tx: IdentityTx, user_id: string | null): Promise<string | null> {
  if (user_id === null) return null;
  const found = await tx.selectFrom('users').select(['first_name', 'last_name', 'email']).where('id', '=', user_id).executeTakeFirst();
  if (!found) return null;
  return [found.first_name, found.last_name].filter((name) => name !== null).join(' ') || found.email;
}

/** The address of a person, locked until the transaction ends: it does not change meanwhile. */
export async function findAddressForUpdate(tx: IdentityTx, user_id: string): Promise<string | undefined> {
  const found = await tx.selectFrom('users').select('email').where('id', '=', user_id).forNoKeyUpdate().executeTakeFirst();
  return found?.email;
}
