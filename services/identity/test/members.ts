import type { AuditType, Role } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { insertOrganization } from '../src/organization/organization.store';
import { insertMember } from '../src/team/member.store';
import type { IdentityUnderTest, Person } from './identity';

/** A person who is a member of a new organization. */
export async function aMember(
  identity: IdentityUnderTest,
  { role = 'agent', is_active = true }: { role?: Role; is_active?: boolean } = {},
) {
  const person = await identity.aPerson();
  const organization_id = newId();
  const setActive = (active: boolean) =>
    identity.db.forTenant({ organization_id }, (tx) =>
      tx.updateTable('members').set({ is_active: active }).where('user_id', '=', person.user_id).execute(),
    );
  await identity.db.forTenant({ organization_id }, async (tx) => {
    await insertOrganization(tx, { id: organization_id, name: 'Northwind', slug: 'northwind', ticket_prefix: 'NORTH' }, [
      `n-${organization_id.slice(-12)}`,
    ]);
    await insertMember(tx, { organization_id, user_id: person.user_id, role });
  });
  if (!is_active) await setActive(false);
  return { person, organization_id, setActive };
}

/** The entries of one type in an organization's log, oldest first. */
export const auditOf = (identity: IdentityUnderTest, organization_id: string, type: AuditType) =>
  identity.db.forTenant({ organization_id }, (tx) =>
    tx.selectFrom('audit_log').selectAll().where('type', '=', type).orderBy('id').execute(),
  );

/** The current version of the person's access tokens. */
export const accessVersionOf = async (identity: IdentityUnderTest, { user_id }: Person): Promise<number> =>
  (
    await identity.db.asSystem('test', (tx) =>
      tx.selectFrom('users').select('access_version').where('id', '=', user_id).executeTakeFirstOrThrow(),
    )
  ).access_version;
