import { createHash } from 'node:crypto';
import {
  AppError,
  checkSubdomain,
  createOrganization,
  findOrganizationOfHost,
  findPortal,
  findPortalHosts,
  noOrganizationHere,
  organizationCreated,
  organizationUpdated,
  problems,
  readOrganization,
  readPublicOrganization,
  updateOrganization,
  type Context,
  type InputOf,
  type Organization,
  type OrganizationAtHost,
  type OutputOf,
  type PublicOrganization,
} from '@tandem/contracts';
import { Database, newId, type Tx } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import { classifyHost, portalOrigin, type HostConfig } from '@tandem/platform';
import { Controller, Inject } from '@nestjs/common';
import { lockUser, bumpAccessVersion } from '../access/access.store';
import { findProfileAcrossOrganizations } from '../account/account.store';
import { recordAudit } from '../audit/audit.store';
import type { IdentityConfig } from '../config';
import { hasMfa } from '../mfa/mfa.store';
import type { IdentityTables } from '../schema';
import { requireUser } from '../require-user';
import { assertStillAllowed, joinTeam } from '../team/member.store';
import { changesOf, fromTo } from './changes';
import { isReservedSubdomain, slugOf, subdomainCandidates, teamHost, ticketPrefixOf } from './organization';
import { assertIsFirstOrganization, signUpPolicy } from './single-organization';
import {
  findAdminsWithoutMfa,
  findFirstOrganizationAcrossOrganizations,
  findOrganizationOfDomainAcrossOrganizations,
  findOrganizationOfSubdomainAcrossOrganizations,
  findPortalHostsAcrossOrganizations,
  getOrganizationById,
  getOrganizationByIdForUpdate,
  getPublicOrganization,
  insertOrganization,
  isSubdomainTakenAcrossOrganizations,
  saveOrganization,
} from './organization.store';

/** Organizations, their settings, and the lookup of an organization by host name. */
@Controller()
export class OrganizationService {
  constructor(
    private readonly db: Database<IdentityTables>,
    @Inject('CONFIG') private readonly config: HostConfig & Pick<IdentityConfig, 'SIGN_UP'>,
  ) {}

  @Handles(createOrganization)
  async createOrganization(ctx: Context, { body }: InputOf<typeof createOrganization>): Promise<Organization> {
    const { user_id } = requireUser(ctx);
    if ((await signUpPolicy(this.db, this.config)) !== 'open') throw new AppError('sign_up.closed');
    const profile = await this.db.asSystem('new organization: the user has none yet', (tx) => findProfileAcrossOrganizations(tx, user_id));
    if (!profile) throw new AppError('session.expired');
    if (profile.organization_id !== null) throw new AppError('organization.already_set_up');
    const organization_id = newId();
    return this.db.forTenant({ organization_id }, (tx) =>
      createOrganizationWithAdmin(
        tx,
        { ...ctx, organization_id },
        { id: organization_id, name: body.name, admin_id: user_id, isSingle: this.config.SINGLE_ORGANIZATION },
      ),
    );
  }

  @Handles(readOrganization)
  async readOrganization(ctx: Context, { params }: InputOf<typeof readOrganization>): Promise<Organization> {
    return this.db.forTenant(ctx, (tx) => getOrganizationById(tx, params.id));
  }

  @Handles(updateOrganization)
  async updateOrganization(ctx: Context, { params, body }: InputOf<typeof updateOrganization>): Promise<Organization> {
    return this.db.forTenant(ctx, async (tx) => {
      const before = await getOrganizationByIdForUpdate(tx, params.id);
      await assertStillAllowed(tx, ctx, 'organization.write');
      const changes = changesOf<Organization, keyof typeof body>(before, body);
      if (Object.keys(changes).length === 0) return before;
      if (changes.subdomain && isReservedSubdomain(changes.subdomain)) throw new AppError('subdomain.taken');
      if (changes.require_mfa_for_admins !== undefined) assertNoToken(ctx);
      if (changes.require_mfa_for_admins) await assertOwnMfa(tx, ctx);
      const slug = changes.name === undefined ? {} : { slug: slugOf(changes.name) };
      const organization = await saveOrganization(tx, before.id, { ...changes, ...slug });
      await emit(tx, ctx, organizationUpdated, organization.id, { organization });
      await recordAudit(tx, ctx, {
        type: 'organization.updated',
        organization_id: organization.id,
        target: organization.name,
        changes: fromTo<Organization>(before, changes),
      });
      // Requiring or lifting two-factor sign-in changes the rights of admins without it, which their tokens contain.
      if (changes.require_mfa_for_admins !== undefined)
        for (const admin_id of await findAdminsWithoutMfa(tx, organization.id)) await bumpAccessVersion(tx, ctx, admin_id);
      return organization;
    });
  }

  @Handles(checkSubdomain)
  async checkSubdomain(ctx: Context, { query }: InputOf<typeof checkSubdomain>): Promise<OutputOf<typeof checkSubdomain>> {
    const { subdomain } = query;
    const organization_id = ctx.organization_id ?? '';
    const { subdomain: own } = await this.db.forTenant(ctx, (tx) => getOrganizationById(tx, organization_id));
    const taken =
      subdomain !== own &&
      (isReservedSubdomain(subdomain) ||
        (await this.db.asSystem('subdomains are unique across organizations', (tx) =>
          isSubdomainTakenAcrossOrganizations(tx, subdomain, organization_id),
        )));
    return { subdomain, available: !taken, message: taken ? problems['subdomain.taken'].title : null };
  }

  @Handles(readPublicOrganization)
  async readPublicOrganization(ctx: Context): Promise<PublicOrganization> {
    const { organization_id } = ctx;
    if (organization_id === null) throw noOrganizationHere();
    return this.db.forTenant({ organization_id }, (tx) => getPublicOrganization(tx, organization_id));
  }

  @Handles(findOrganizationOfHost)
  async findOrganizationOfHost(
    _ctx: Context,
    { query }: InputOf<typeof findOrganizationOfHost>,
  ): Promise<OutputOf<typeof findOrganizationOfHost>> {
    return (await this.organizationAt(query.host)) ?? null;
  }

  @Handles(findPortalHosts)
  async findPortalHosts(_ctx: Context, { query }: InputOf<typeof findPortalHosts>): Promise<OutputOf<typeof findPortalHosts>> {
    const hosts = await this.db.asSystem('list the hosts that may have certificates', findPortalHostsAcrossOrganizations);
    const version = createHash('sha256').update(JSON.stringify(hosts)).digest('base64url');
    return { version, hosts: query.unless === version ? null : hosts };
  }

  @Handles(findPortal)
  async findPortal(_ctx: Context, { query }: InputOf<typeof findPortal>): Promise<OutputOf<typeof findPortal>> {
    const found = await this.organizationAt(teamHost(query.team, this.config.PUBLIC_URL));
    if (!found) throw new AppError('organization.not_found');
    return { name: found.name, url: portalOrigin(this.config, found) };
  }

  private organizationAt(name: string): Promise<OrganizationAtHost | undefined> {
    const host = classifyHost(name, this.config);
    return this.db.asSystem('find the organization of a host', async (tx) => {
      if (host.kind === 'subdomain') return findOrganizationOfSubdomainAcrossOrganizations(tx, host.subdomain);
      if (host.kind === 'custom') return findOrganizationOfDomainAcrossOrganizations(tx, host.name);
      // A real host must never fall back to the first organization, unless there is only one.
      return host.kind === 'product' && host.hasPortal ? findFirstOrganizationAcrossOrganizations(tx) : undefined;
    });
  }
}

/**
 * Creates an organization with its first admin, and emits the events of both. If one user sends two requests at once, the database
 * rejects the second as a whole.
 *
 * @param isSingle whether no other organization may exist (SINGLE_ORGANIZATION): throws `sign_up.closed` then
 * @param subdomains candidates, best first; derived from the name by default
 * @param settings initial settings that differ from the defaults
 */
export async function createOrganizationWithAdmin(
  tx: Tx<IdentityTables>,
  ctx: Context,
  founding: {
    id: string;
    name: string;
    admin_id: string;
    isSingle: boolean;
    subdomains?: Iterable<string | null>;
    settings?: Partial<Organization>;
  },
): Promise<Organization> {
  const { id, name, admin_id, isSingle, subdomains = subdomainCandidates(name), settings } = founding;
  if (isSingle) await assertIsFirstOrganization(tx);
  const named = { id, name, slug: slugOf(name), ticket_prefix: ticketPrefixOf(name) };
  const organization = await insertOrganization(tx, named, subdomains, settings);
  await emit(tx, ctx, organizationCreated, id, { organization });
  await recordAudit(tx, ctx, { type: 'organization.created', organization_id: id, target: organization.name });
  await joinTeam(tx, ctx, { organization_id: id, user_id: admin_id, role: 'admin' });
  return organization;
}

/** Only people change security settings: no permission of a token allows it. */
function assertNoToken({ actor }: Context): void {
  if (actor.type === 'token') throw new AppError('token.not_allowed', { detail: 'Only a signed-in admin can require two-factor sign-in.' });
}

/**
 * An admin who requires a second factor must have one; otherwise their next sign-in could do nothing but set it up. Locks the user, so
 * that they cannot disable theirs concurrently; afterwards it is required.
 */
async function assertOwnMfa(tx: Tx<IdentityTables>, { actor }: Context): Promise<void> {
  if (actor.type !== 'user') return;
  await lockUser(tx, actor.user_id);
  if (!(await hasMfa(tx, actor.user_id))) throw new AppError('mfa.own_first');
}
