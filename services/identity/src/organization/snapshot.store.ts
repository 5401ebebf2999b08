import type { Member, Organization } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { sql } from 'kysely';
import type { IdentityTables } from '../schema';
import { membersOfOrganization } from '../team/member.store';
import { organizationColumns } from './organization.store';

type IdentityTx = Tx<IdentityTables>;

/** The sequence of the newest event about the subject. Part of the statement that reads the state, so that both are consistent. */
const sequenceOf = (subject: string) =>
  sql<number>`coalesce((select last from event_sequences where subject = ${sql.ref(subject)}::text), 1)`.as('sequence');

/** Organizations in the order of their ids. */
export const findOrganizationsAcrossOrganizations = (
  tx: IdentityTx,
  created_before: string,
  after_id: string | null,
  limit: number,
): Promise<(Organization & { sequence: number })[]> =>
  tx
    .selectFrom('organizations')
    .select(organizationColumns)
    .select(sequenceOf('organizations.id'))
    .where('created_at', '<', created_before)
    .$if(after_id !== null, (query) => query.where('id', '>', after_id!))
    .orderBy('id')
    .limit(limit)
    .execute();

export const findMembersAcrossOrganizations = (
  tx: IdentityTx,
  organization_ids: readonly string[],
): Promise<(Member & { sequence: number })[]> =>
  membersOfOrganization(tx)
    .select(sequenceOf('members.user_id'))
    .where('members.organization_id', '=', sql<string>`any(${organization_ids}::uuid[])`)
    .orderBy('members.user_id')
    .execute();
