import { AppError, memberJoined, systemContext, type Member, type Organization, type Role } from '@tandem/contracts';
import { newId, type Database, type Tx } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { sql } from 'kysely';
import { hashPassword } from './account/password';
import { findProfileAcrossOrganizations } from './account/account.store';
import { subdomainCandidates } from './organization/organization';
import { foundOrganization } from './organization/organization.service';
import { findMembers, getMember, getOrganizationById, insertMember } from './organization/organization.store';
import type { IdentityTables } from './schema';

/** For trying the product out only: everybody can read it here. */
export const demoPassword = 'tandem-demo-1';

interface Person {
  email: string;
  first_name: string;
  last_name: string;
  role: Role;
}
const name = 'Northwind Outfitters';
const demoAdmin: Person = { email: 'admin@demo.test', first_name: 'Grace', last_name: 'Okafor', role: 'admin' };
const demoStaff: readonly Person[] = [
  { email: 'manager@demo.test', first_name: 'Tomas', last_name: 'Lindqvist', role: 'manager' },
  { email: 'agent@demo.test', first_name: 'Priya', last_name: 'Raman', role: 'agent' },
];

export interface DemoOrganization {
  organization: Organization;
  /** Admin, manager, agent. */
  members: Member[];
  /** False when it was there already, and nothing was written. */
  created: boolean;
}

/**
 * The demo organization, Northwind Outfitters with the subdomain `northwind`, and three people who can sign in with `demoPassword`.
 * Written and announced like any other, once: whoever finds `admin@demo.test` in an organization gets that one, also when two
 * seeders run at once.
 */
export async function seedDemoOrganization(db: Database<IdentityTables>): Promise<DemoOrganization> {
  const present = await findDemoOrganization(db);
  if (present) return { ...present, created: false };
  const password_hash = await hashPassword(demoPassword);
  const organization_id = newId();
  try {
    const seeded = await db.forTenant({ organization_id }, (tx) => writeDemoOrganization(tx, organization_id, password_hash));
    return { ...seeded, created: true };
  } catch (error) {
    const fromTheOther = error instanceof AppError && error.code === 'organization.already_set_up' && (await findDemoOrganization(db));
    if (!fromTheOther) throw error;
    return { ...fromTheOther, created: false };
  }
}

async function findDemoOrganization(db: Database<IdentityTables>): Promise<Omit<DemoOrganization, 'created'> | undefined> {
  const profile = await db.asSystem('the demo organization is known by its admin', async (tx) => {
    const admin = await tx.selectFrom('users').select('id').where('email', '=', demoAdmin.email).executeTakeFirst();
    return admin && findProfileAcrossOrganizations(tx, admin.id);
  });
  if (!profile?.organization_id) return undefined;
  const { organization_id } = profile;
  return db.forTenant({ organization_id }, async (tx) => ({
    organization: await getOrganizationById(tx, organization_id),
    members: await findMembers(tx, organization_id),
  }));
}

async function writeDemoOrganization(
  tx: Tx<IdentityTables>,
  id: string,
  password_hash: string,
): Promise<Omit<DemoOrganization, 'created'>> {
  const ctx = systemContext(id, 'demo');
  const admin_id = await writePerson(tx, demoAdmin, password_hash);
  // The rest is for a database in which somebody else has taken the name.
  const organization = await foundOrganization(tx, ctx, { id, name, admin_id, subdomains: ['northwind', ...subdomainCandidates(name)] });
  for (const person of demoStaff) {
    const user_id = await writePerson(tx, person, password_hash);
    if (!(await insertMember(tx, { organization_id: id, user_id, role: person.role }))) throw new AppError('organization.already_set_up');
    await emit(tx, ctx, memberJoined, user_id, { member: await getMember(tx, user_id) });
  }
  return { organization, members: await findMembers(tx, id) };
}

/** Also takes over an account that somebody opened under the address before: the demo's sign-ins must work. */
async function writePerson(tx: Tx<IdentityTables>, person: Person, password_hash: string): Promise<string> {
  const { email, first_name, last_name } = person;
  const known = { first_name, last_name, password_hash, email_confirmed_at: sql<string>`now()` };
  const { id } = await tx
    .insertInto('users')
    .values({ id: newId(), email, ...known })
    .onConflict((conflict) => conflict.column('email').doUpdateSet(known))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
