import { AppError, type Organization, type OrganizationAtHost, type PublicOrganization } from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { sql } from 'kysely';
import { isProven, publicBrandingOf } from '../branding/branding';
import type { IdentityTables } from '../schema';
import { hasWording } from '../wording/wording.store';
import { trialDays } from './organization';

type IdentityTx = Tx<IdentityTables>;

export const organizationColumns = [
  'id',
  'name',
  'slug',
  'subdomain',
  'ticket_prefix',
  'require_mfa_for_admins',
  'time_zone',
  'business_hours',
  'holidays',
  'auto_assign',
  'default_priority',
  'customer_follow_up',
  'instant_lookup',
  'languages',
  'categories',
  'trial_ends_at',
  'plan',
  'demo_ends_at',
  'deletion_at',
  'created_at',
] as const;

/** Inserts the organization under the first free subdomain; null is always free. If a concurrent transaction inserts the same one, waits for its outcome. */
export async function insertOrganization(
  tx: IdentityTx,
  organization: Pick<Organization, 'id' | 'name' | 'slug' | 'ticket_prefix'>,
  subdomains: Iterable<string | null>,
  settings: Settings = {},
): Promise<Organization> {
  for (const subdomain of subdomains) {
    const inserted = await tx
      .insertInto('organizations')
      .values({
        ...organization,
        ...written(settings),
        organization_id: organization.id,
        subdomain,
        trial_ends_at: sql<string>`now() + make_interval(hours => ${trialDays * 24})`,
      })
      .onConflict((conflict) => conflict.column('subdomain').doNothing())
      .returning(organizationColumns)
      .executeTakeFirst();
    if (inserted) return inserted;
  }
  throw new Error('Every subdomain that was offered for a new organization is taken');
}

export async function getOrganizationById(tx: IdentityTx, id: string): Promise<Organization> {
  const found = await tx.selectFrom('organizations').select(organizationColumns).where('id', '=', id).executeTakeFirst();
  if (!found) throw new AppError('organization.not_found');
  return found;
}

/** Locked until the transaction ends, so that changes to an organization or its team run one at a time. */
export async function getOrganizationByIdForUpdate(tx: IdentityTx, id: string): Promise<Organization> {
  const found = await tx.selectFrom('organizations').select(organizationColumns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
  if (!found) throw new AppError('organization.not_found');
  return found;
}

type Settings = Partial<Omit<Organization, 'id' | 'ticket_prefix' | 'trial_ends_at' | 'created_at'>>;

/** Stringifies values of jsonb columns; otherwise lists would be sent as PostgreSQL arrays. */
const written = ({ business_hours, holidays, languages, categories, ...columns }: Settings) => ({
  ...columns,
  ...(business_hours === undefined ? {} : { business_hours: business_hours && JSON.stringify(business_hours) }),
  ...(holidays === undefined ? {} : { holidays: JSON.stringify(holidays) }),
  ...(languages === undefined ? {} : { languages: JSON.stringify(languages) }),
  ...(categories === undefined ? {} : { categories: JSON.stringify(categories) }),
});

/** If two organizations want the same subdomain, the database decides; the other request fails with `subdomain.taken`. */
export async function saveOrganization(tx: IdentityTx, id: string, settings: Settings): Promise<Organization> {
  try {
    return await tx
      .updateTable('organizations')
      .set(written(settings))
      .where('id', '=', id)
      .returning(organizationColumns)
      .executeTakeFirstOrThrow();
  } catch (error) {
    if (settings.subdomain && isSubdomainConflict(error)) throw new AppError('subdomain.taken', { cause: error });
    throw error;
  }
}

/** Undefined when a newer change to the prefix has been applied, or the organization does not exist. */
export const saveTicketPrefix = (
  tx: IdentityTx,
  id: string,
  ticket_prefix: string,
  ticket_prefix_sequence: number,
): Promise<Organization | undefined> =>
  tx
    .updateTable('organizations')
    .set({ ticket_prefix, ticket_prefix_sequence })
    .where('id', '=', id)
    .where('ticket_prefix_sequence', '<', ticket_prefix_sequence)
    .returning(organizationColumns)
    .executeTakeFirst();

/** Also detects a deadlock (40P01): two organizations that swap subdomains at once wait for each other, and PostgreSQL aborts one. */
function isSubdomainConflict(error: unknown): boolean {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  return (code === '23505' && constraint === 'organizations_subdomain_key') || code === '40P01';
}

export async function isSubdomainTakenAcrossOrganizations(tx: IdentityTx, subdomain: string, except: string): Promise<boolean> {
  const found = await tx
    .selectFrom('organizations')
    .select('id')
    .where('subdomain', '=', subdomain)
    .where('id', '!=', except)
    .executeTakeFirst();
  return found !== undefined;
}

/** Active admins without two-factor sign-in, in a fixed order: locking them in it avoids deadlocks. */
export async function findAdminsWithoutMfa(tx: IdentityTx, organization_id: string): Promise<string[]> {
  const admins = await tx
    .selectFrom('members')
    .leftJoin('mfa', 'mfa.user_id', 'members.user_id')
    .select('members.user_id')
    .where('members.organization_id', '=', organization_id)
    .where('members.role', '=', 'admin')
    .where('members.is_active', '=', true)
    .where('mfa.confirmed_at', 'is', null)
    .orderBy('members.user_id')
    .execute();
  return admins.map(({ user_id }) => user_id);
}

export async function getPublicOrganization(tx: IdentityTx, id: string): Promise<PublicOrganization> {
  const found = await tx
    .selectFrom('organizations')
    .leftJoin('branding', (join) => join.on('branding.organization_id', '=', id))
    .select(['organizations.id', 'organizations.name', 'organizations.subdomain', 'organizations.default_priority'])
    .select(['organizations.business_hours', 'organizations.time_zone', 'organizations.holidays', 'organizations.languages'])
    .select('organizations.categories')
    .select(hasWording)
    .select(['branding.primary_color', 'branding.secondary_color', 'branding.logo_id', 'branding.favicon_id'])
    .select(['branding.hide_powered_by', 'branding.scoped_css'])
    .where('organizations.id', '=', id)
    .executeTakeFirst();
  if (!found) throw new AppError('organization.not_found');
  const { name, subdomain, default_priority, business_hours, time_zone, holidays, languages, categories, has_wording, ...look } = found;
  return {
    id,
    name,
    subdomain,
    default_priority,
    business_hours,
    time_zone,
    holidays,
    languages,
    categories,
    has_wording,
    branding: publicBrandingOf(look),
  };
}

const findAtHost = async (tx: IdentityTx, narrow: (query: HostQuery) => HostQuery): Promise<OrganizationAtHost | undefined> => {
  const found = await narrow(hostQuery(tx)).executeTakeFirst();
  if (!found) return undefined;
  const { id, name, subdomain, custom_domain, ...proof } = found;
  return { id, name, subdomain, custom_domain: isProven(proof) ? custom_domain : null };
};
const hostQuery = (tx: IdentityTx) =>
  tx
    .selectFrom('organizations')
    .leftJoin('branding', 'branding.organization_id', 'organizations.id')
    .select(['organizations.id', 'organizations.name', 'organizations.subdomain'])
    .select(['branding.custom_domain', 'branding.custom_domain_verified_at', 'branding.custom_domain_lapsed_at']);
type HostQuery = ReturnType<typeof hostQuery>;

export const findOrganizationOfSubdomainAcrossOrganizations = (
  tx: IdentityTx,
  subdomain: string,
): Promise<OrganizationAtHost | undefined> => findAtHost(tx, (query) => query.where('organizations.subdomain', '=', subdomain));

/** The organization that has verified this custom domain, even if its record has been missing for some time. */
export const findOrganizationOfDomainAcrossOrganizations = (tx: IdentityTx, domain: string): Promise<OrganizationAtHost | undefined> =>
  findAtHost(tx, (query) => query.where('branding.custom_domain', '=', domain).where('branding.custom_domain_verified_at', 'is not', null));

export const findFirstOrganizationAcrossOrganizations = (tx: IdentityTx): Promise<OrganizationAtHost | undefined> =>
  findAtHost(tx, (query) =>
    query.where('organizations.demo_ends_at', 'is', null).orderBy('organizations.created_at').orderBy('organizations.id').limit(1),
  );

/** The subdomains and verified domains of all organizations, sorted. A domain remains one until its claim ends. */
export async function findPortalHostsAcrossOrganizations(tx: IdentityTx): Promise<{ subdomains: string[]; domains: string[] }> {
  const subdomains = await tx
    .selectFrom('organizations')
    .select('subdomain')
    .where('subdomain', 'is not', null)
    .orderBy('subdomain')
    .execute();
  const domains = await tx
    .selectFrom('branding')
    .select('custom_domain')
    .where('custom_domain', 'is not', null)
    .where('custom_domain_verified_at', 'is not', null)
    .orderBy('custom_domain')
    .execute();
  return { subdomains: subdomains.map((row) => row.subdomain!), domains: domains.map((row) => row.custom_domain!) };
}
