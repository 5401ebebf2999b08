import {
  AppError,
  createOrganization,
  findOrganizationOfHost,
  listMembers,
  memberJoined,
  organizationCreated,
  readOrganization,
  readPublicOrganization,
  type Context,
  type InputOf,
  type Member,
  type Organization,
  type OutputOf,
  type PublicOrganization,
} from '@tandem/contracts';
import { Database, newId, type Tx } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import { Controller } from '@nestjs/common';
import { findProfileAcrossOrganizations } from '../account/account.store';
import type { IdentityTables } from '../schema';
import { signedIn } from '../signed-in';
import { meaningOfHost, slugOf, subdomainCandidates, ticketPrefixOf } from './organization';
import {
  findFirstOrganizationAcrossOrganizations,
  findMembers,
  findOrganizationBySubdomainAcrossOrganizations,
  getMember,
  getOrganizationById,
  getPublicOrganization,
  insertMember,
  insertOrganization,
} from './organization.store';

/** Organizations, who belongs to them, and which one a host name stands for. */
@Controller()
export class OrganizationService {
  constructor(private readonly db: Database<IdentityTables>) {}

  @Handles(createOrganization)
  async createOrganization(ctx: Context, { body }: InputOf<typeof createOrganization>): Promise<Organization> {
    const { user_id } = signedIn(ctx);
    const profile = await this.db.asSystem('whoever creates an organization has none yet', (tx) =>
      findProfileAcrossOrganizations(tx, user_id),
    );
    if (!profile) throw new AppError('session.expired');
    if (profile.organization_id !== null) throw new AppError('organization.already_set_up');
    const organization_id = newId();
    return this.db.forTenant({ organization_id }, (tx) =>
      foundOrganization(tx, { ...ctx, organization_id }, { id: organization_id, name: body.name, admin_id: user_id }),
    );
  }

  @Handles(readOrganization)
  async readOrganization(ctx: Context, { params }: InputOf<typeof readOrganization>): Promise<Organization> {
    return this.db.forTenant(ctx, (tx) => getOrganizationById(tx, params.id));
  }

  @Handles(listMembers)
  async listMembers(ctx: Context): Promise<Member[]> {
    return this.db.forTenant(ctx, (tx) => findMembers(tx, ctx.organization_id ?? ''));
  }

  @Handles(readPublicOrganization)
  async readPublicOrganization(ctx: Context): Promise<PublicOrganization> {
    const { organization_id } = ctx;
    if (organization_id === null) throw new AppError('organization.not_found');
    return this.db.forTenant({ organization_id }, (tx) => getPublicOrganization(tx, organization_id));
  }

  @Handles(findOrganizationOfHost)
  async findOrganizationOfHost(
    _ctx: Context,
    { query }: InputOf<typeof findOrganizationOfHost>,
  ): Promise<OutputOf<typeof findOrganizationOfHost>> {
    const meaning = meaningOfHost(query.host);
    if (meaning === undefined) return null;
    const found = await this.db.asSystem('a host name is all that is known of the organization', (tx) =>
      meaning === 'first'
        ? findFirstOrganizationAcrossOrganizations(tx)
        : findOrganizationBySubdomainAcrossOrganizations(tx, meaning.subdomain),
    );
    return found ?? null;
  }
}

/**
 * Writes a new organization and its first admin, and announces both. The database decides between two requests of one person at once:
 * the second is refused whole.
 *
 * @param subdomains what to try, best first; the name's own unless given
 */
export async function foundOrganization(
  tx: Tx<IdentityTables>,
  ctx: Context,
  founding: { id: string; name: string; admin_id: string; subdomains?: Iterable<string> },
): Promise<Organization> {
  const { id, name, admin_id, subdomains = subdomainCandidates(name) } = founding;
  const organization = await insertOrganization(tx, { id, name, slug: slugOf(name), ticket_prefix: ticketPrefixOf(name) }, subdomains);
  await emit(tx, ctx, organizationCreated, id, { organization });
  const joined = await insertMember(tx, { organization_id: id, user_id: admin_id, role: 'admin' });
  if (!joined) throw new AppError('organization.already_set_up');
  await emit(tx, ctx, memberJoined, admin_id, { member: await getMember(tx, admin_id) });
  return organization;
}
