import { deletionRules } from '@tandem/contracts/values';
import type { Organization } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { sql, type Selectable } from 'kysely';
import { organizationColumns } from '../organization/organization.store';
import type { IdentityTables, OrganizationsTable } from '../schema';
import { membersOfOrganization } from '../team/member.store';

type IdentityTx = Tx<IdentityTables>;

const inDays = (days: number) => sql<string>`now() + make_interval(days => ${days})`;

export const saveDeletionRequest = (tx: IdentityTx, id: string, requested_by: string): Promise<Organization> =>
  tx
    .updateTable('organizations')
    .set({
      deletion_at: inDays(deletionRules.days),
      deletion_requested_at: sql<string>`now()`,
      deletion_requested_by: requested_by,
      deletion_reminded_at: null,
    })
    .where('id', '=', id)
    .returning(organizationColumns)
    .executeTakeFirstOrThrow();

export const removeDeletionRequest = (tx: IdentityTx, id: string): Promise<Organization> =>
  tx
    .updateTable('organizations')
    .set({ deletion_at: null, deletion_requested_at: null, deletion_requested_by: null, deletion_reminded_at: null })
    .where('id', '=', id)
    .returning(organizationColumns)
    .executeTakeFirstOrThrow();

export type DeletionRequest = Pick<
  Selectable<OrganizationsTable>,
  'id' | 'name' | 'deletion_at' | 'deletion_requested_at' | 'deletion_requested_by' | 'deletion_reminded_at'
>;

/** The request, with the organization locked: of a cancellation and the deletion, the second sees the result of the first. */
export const findDeletionRequestForUpdate = (tx: IdentityTx, id: string): Promise<(DeletionRequest & { now: string }) | undefined> =>
  tx
    .selectFrom('organizations')
    .select(['id', 'name', 'deletion_at', 'deletion_requested_at', 'deletion_requested_by', 'deletion_reminded_at'])
    .select(sql<string>`clock_timestamp()`.as('now'))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Records the reminder. `postpone` also moves the date, by as many days as there are between a reminder and the deletion. */
export const saveReminder = (tx: IdentityTx, id: string, postpone: boolean): Promise<Organization> =>
  tx
    .updateTable('organizations')
    .set({ deletion_reminded_at: sql<string>`now()`, ...(postpone && { deletion_at: inDays(deletionRules.reminderDays) }) })
    .where('id', '=', id)
    .returning(organizationColumns)
    .executeTakeFirstOrThrow();

/** The organizations for which `dueStep` returns a step. */
export const findDueDeletionsAcrossOrganizations = (tx: IdentityTx): Promise<{ id: string }[]> =>
  tx
    .selectFrom('organizations')
    .select('id')
    .where('deletion_at', '<=', inDays(deletionRules.reminderDays))
    .where((row) => row.or([row('deletion_reminded_at', 'is', null), row('deletion_at', '<=', sql<string>`now()`)]))
    .orderBy('deletion_at')
    .limit(100)
    .execute();

export interface Recipient {
  user_id: string;
  email: string;
  first_name: string | null;
}

/** `admins`: those who can cancel. `members`: everyone whose account is deleted, also if it is deactivated. */
export async function findRecipients(tx: IdentityTx, organization_id: string, who: 'admins' | 'members'): Promise<Recipient[]> {
  let members = membersOfOrganization(tx).where('members.organization_id', '=', organization_id);
  if (who === 'admins') members = members.where('members.role', '=', 'admin').where('members.is_active', '=', true);
  return members.orderBy('members.user_id').execute();
}

/** The name of a user, or their address; null if there is no such user. */
export async function findUserName(tx: IdentityTx, user_id: string | null): Promise<string | null> {
  if (user_id === null) return null;
  const user = await tx.selectFrom('users').select(['email', 'first_name', 'last_name']).where('id', '=', user_id).executeTakeFirst();
  if (!user) return null;
  return [user.first_name, user.last_name].filter((name) => name !== null).join(' ') || user.email;
}
