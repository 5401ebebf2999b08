import { AppError, systemContext, type Member, type Organization, type Role } from '@tandem/contracts';
import { newId, type Database, type Tx } from '@tandem/db';
import { hashToken, newToken } from '@tandem/platform';
import { sql } from 'kysely';
import { hashPassword } from './account/password';
import { findProfileAcrossOrganizations } from './account/account.store';
import { subdomainCandidates } from './organization/organization';
import { createOrganizationWithAdmin } from './organization/organization.service';
import { getOrganizationById } from './organization/organization.store';
import type { IdentityTables } from './schema';
import { invitationExpiry } from './team/invitation';
import { insertInvitation } from './team/invitation.store';
import { findMembers, joinTeam } from './team/member.store';

/** For trying out the product only: this password is public. */
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
/** One pending and one expired invitation. */
const demoInvitations: readonly { email: string; role: Role; sentDaysAgo: number }[] = [
  { email: 'noor@demo.test', role: 'agent', sentDaysAgo: 2 },
  { email: 'jonas@demo.test', role: 'manager', sentDaysAgo: 9 },
];

/** Set when the organization is created, so that the due times of the first ticket use them. */
const demoSettings = {
  time_zone: 'Europe/Berlin',
  business_hours: (['mon', 'tue', 'wed', 'thu', 'fri'] as const).map((day) => ({ day, from: '09:00', to: '17:30' })),
};

export interface DemoOrganization {
  organization: Organization;
  /** Admin, manager, agent. */
  members: Member[];
  /** False if it existed already and nothing was written. */
  created: boolean;
}

/**
 * Creates the demo organization, Northwind Outfitters with the subdomain `northwind`, and three people who can sign in with `demoPassword`.
 * Emits the usual events. Runs once: if `admin@demo.test` is a member of an organization already, it returns that one, including when two
 * seeders run at once.
 */
export async function seedDemoOrganization(db: Database<IdentityTables>, { isSingle }: { isSingle: boolean }): Promise<DemoOrganization> {
  const present = await findDemoOrganization(db);
  if (present) return { ...present, created: false };
  const password_hash = await hashPassword(demoPassword);
  const organization_id = newId();
  try {
    // The other candidates are for a database in which another organization uses the name.
    const subdomains = ['northwind', ...subdomainCandidates(name)];
    const seeded = await db.forTenant({ organization_id }, (tx) =>
      writeDemoOrganization(tx, organization_id, { password_hash, isSingle, subdomains }),
    );
    return { ...seeded, created: true };
  } catch (error) {
    const isRefused = error instanceof AppError && (error.code === 'organization.already_set_up' || error.code === 'sign_up.closed');
    const fromTheOther = isRefused && (await findDemoOrganization(db));
    if (!fromTheOther) throw error;
    return { ...fromTheOther, created: false };
  }
}

async function findDemoOrganization(db: Database<IdentityTables>): Promise<Omit<DemoOrganization, 'created'> | undefined> {
  const profile = await db.asSystem('find the demo organization by its admin', async (tx) => {
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

export interface DemoOptions {
  password_hash: string;
  /** Whether no other organization may exist. */
  isSingle: boolean;
  subdomains: Iterable<string | null>;
  /** The host of the addresses of members and invited people; default `demo.test`. */
  mailHost?: string;
  /** When the organization is deleted; default: never. */
  demo_ends_at?: string;
}

/** Writes the demo organization with its members: admin, manager, agent. */
export async function writeDemoOrganization(
  tx: Tx<IdentityTables>,
  id: string,
  { password_hash, isSingle, subdomains, mailHost = 'demo.test', demo_ends_at }: DemoOptions,
): Promise<Omit<DemoOrganization, 'created'>> {
  const ctx = systemContext(id, 'demo');
  const addressed = <T extends { email: string }>(person: T): T => ({ ...person, email: person.email.replace('demo.test', mailHost) });
  const admin_id = await writePerson(tx, addressed(demoAdmin), password_hash);
  const settings = { ...demoSettings, ...(demo_ends_at !== undefined && { demo_ends_at }) };
  const organization = await createOrganizationWithAdmin(tx, ctx, { id, name, admin_id, isSingle, subdomains, settings });
  for (const person of demoStaff) {
    const user_id = await writePerson(tx, addressed(person), password_hash);
    await joinTeam(tx, ctx, { organization_id: id, user_id, role: person.role });
  }
  for (const invitation of demoInvitations)
    await writeInvitation(tx, { ...addressed(invitation), organization_id: id, invited_by: admin_id });
  return { organization, members: await findMembers(tx, id) };
}

/** Also takes over an existing account with this address: the demo's sign-ins must work. */
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

/** Without an email, and with a link that is never shown; resending it from the team page emails a link that works. */
async function writeInvitation(
  tx: Tx<IdentityTables>,
  { sentDaysAgo, ...invitation }: { organization_id: string; email: string; role: Role; invited_by: string; sentDaysAgo: number },
): Promise<void> {
  const sent = new Date(Date.now() - sentDaysAgo * 86_400_000).toISOString();
  const link = { token_hash: hashToken(newToken()), expires_at: invitationExpiry(sent), mails_since: sent, mails_sent: 1 };
  await insertInvitation(tx, { ...invitation, ...link, created_at: sent });
}
