import {
  addBrandingAsset,
  AppError,
  brandingRules,
  brandingUpdated,
  languages,
  readBranding,
  saveBranding,
  verifyCustomDomain,
  type Branding,
  type InputOf,
  type OutputOf,
  type SaveBranding,
  type TenantContext,
} from '@tandem/contracts';
import { Database, type Tx } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import { newToken } from '@tandem/platform';
import { Controller, Inject } from '@nestjs/common';
import { recordAudit } from '../audit/audit.store';
import type { IdentityConfig } from '../config';
import { changesOf, fromTo } from '../organization/changes';
import type { IdentityTables } from '../schema';
import { lockOrganization } from '../team/member.store';
import { assertOwnDomain, assetIdOf, assetIdsIn, assetUrlOf, brandingOf, forLog, maxAssets, recordOf } from './branding';
import {
  deleteSurplusAssets,
  findBranding,
  hasAsset,
  insertAsset,
  isDomainVerifiedAcrossOrganizations,
  saveBranding as saveRow,
  type BrandingRow,
} from './branding.store';
import { applyCheck, isVerified } from './custom-domain.worker';
import { findTextRecords } from './dns-records';
import { sanitizeTemplate } from './mail-template';
import { imageTypeOf } from './image-type';

type IdentityTx = Tx<IdentityTables>;
type Columns = Partial<Omit<BrandingRow, 'organization_id' | 'updated_at'>>;

/** An organization's branding and custom domain. */
@Controller()
export class BrandingService {
  constructor(
    private readonly db: Database<IdentityTables>,
    @Inject('CONFIG') private readonly config: IdentityConfig,
  ) {}

  @Handles(readBranding)
  async readBranding(ctx: TenantContext): Promise<Branding> {
    const organization_id = ctx.organization_id;
    return brandingOf(organization_id, await this.db.forTenant(ctx, (tx) => findBranding(tx, organization_id)));
  }

  @Handles(saveBranding)
  async saveBranding(ctx: TenantContext, { body }: InputOf<typeof saveBranding>): Promise<Branding> {
    const organization_id = ctx.organization_id;
    if (body.custom_domain) await this.assertFree(body.custom_domain, organization_id);
    const wanted = this.asStored(body);
    // Before the organization is locked, because parsing is slow.
    const scoped_css = wanted.custom_css === undefined ? undefined : await scoped(wanted.custom_css);
    return this.db.forTenant(ctx, async (tx) => {
      await lockOrganization(tx, ctx, 'organization.write');
      const before = await findBranding(tx, organization_id);
      const shown = brandingOf(organization_id, before);
      const changes = changesOf<Branding, keyof SaveBranding>(shown, wanted);
      if (Object.keys(changes).length === 0) return shown;
      const columns: Columns = { ...(await columnsOf(tx, organization_id, changes)), ...('custom_css' in changes ? { scoped_css } : {}) };
      const branding = brandingOf(organization_id, await saveRow(tx, organization_id, columns));
      await emit(tx, ctx, brandingUpdated, organization_id, { branding });
      await recordAudit(tx, ctx, { type: 'branding.updated', organization_id, changes: forLog(fromTo<Branding>(shown, changes)) });
      return branding;
    });
  }

  @Handles(addBrandingAsset)
  async addBrandingAsset(ctx: TenantContext, { body }: InputOf<typeof addBrandingAsset>): Promise<OutputOf<typeof addBrandingAsset>> {
    const organization_id = ctx.organization_id;
    const content = Buffer.from(body.content, 'base64');
    const content_type = content.length > brandingRules.maxAssetBytes ? undefined : imageTypeOf(content);
    if (content_type === undefined) throw new AppError('branding.asset_refused');
    const id = await this.db.forTenant(ctx, async (tx) => {
      await lockOrganization(tx, ctx, 'organization.write');
      const added = await insertAsset(tx, { organization_id, content_type, content });
      await deleteSurplusAssets(tx, organization_id, maxAssets, usedAssets(await findBranding(tx, organization_id)));
      return added;
    });
    return { url: assetUrlOf(id)! };
  }

  @Handles(verifyCustomDomain)
  async verifyCustomDomain(ctx: TenantContext): Promise<Branding> {
    const organization_id = ctx.organization_id;
    const asked = await this.db.forTenant(ctx, (tx) => findBranding(tx, organization_id));
    if (!asked?.custom_domain || !asked.custom_domain_token)
      throw new AppError('custom_domain.not_verified', { detail: 'Save a custom domain first' });
    if (asked.custom_domain_verified_at !== null && asked.custom_domain_missing_since === null) return brandingOf(organization_id, asked);
    const { name, value } = recordOf(asked.custom_domain, asked.custom_domain_token);
    const records = await findTextRecords(name, this.config.DNS_SERVERS);
    if (!records.includes(value)) throw new AppError('custom_domain.not_verified');
    return this.db.forTenant(ctx, async (tx) => {
      await lockOrganization(tx, ctx, 'organization.write');
      const row = await findBranding(tx, organization_id);
      // Another domain was saved during the DNS lookup.
      if (row?.custom_domain_token !== asked.custom_domain_token) throw new AppError('custom_domain.not_verified');
      if (isVerified(row)) return brandingOf(organization_id, await applyCheck(tx, ctx, row, true));
      const now = new Date().toISOString();
      const verified = await saveRow(tx, organization_id, { custom_domain_verified_at: now, custom_domain_checked_at: now });
      const branding = brandingOf(organization_id, verified);
      await emit(tx, ctx, brandingUpdated, organization_id, { branding });
      await recordAudit(tx, ctx, { type: 'custom_domain.verified', organization_id, target: asked.custom_domain });
      return branding;
    });
  }

  /** The input in its stored form, with sanitized templates. */
  private asStored(body: SaveBranding): SaveBranding {
    const { email_template_header: header, email_template_footer: footer, email_templates } = body;
    const clean = (html: string) => sanitizeTemplate(html, this.config.PUBLIC_URL);
    return {
      ...body,
      ...(header === undefined ? {} : { email_template_header: clean(header) }),
      ...(footer === undefined ? {} : { email_template_footer: clean(footer) }),
      ...(email_templates === undefined ? {} : { email_templates: cleanTemplates(email_templates, clean) }),
    };
  }

  /** Several organizations may claim a domain while none of them has verified it; a verified claim rules out all others. */
  private async assertFree(custom_domain: string, organization_id: string): Promise<void> {
    assertOwnDomain(custom_domain, this.config);
    const isTaken = await this.db.asSystem('verified domains are unique across organizations', (tx) =>
      isDomainVerifiedAcrossOrganizations(tx, custom_domain, organization_id),
    );
    if (isTaken) throw new AppError('custom_domain.taken');
  }
}

/** Sanitized; a language without header and footer has the general ones. */
function cleanTemplates(given: NonNullable<SaveBranding['email_templates']>, clean: (html: string) => string): Branding['email_templates'] {
  const cleaned: Branding['email_templates'] = {};
  for (const language of languages) {
    const template = given[language];
    const [header, footer] = [clean(template?.header ?? ''), clean(template?.footer ?? '')];
    if (header !== '' || footer !== '') cleaned[language] = { header, footer };
  }
  return cleaned;
}

async function columnsOf(tx: IdentityTx, organization_id: string, changes: SaveBranding): Promise<Columns> {
  const { logo_url, favicon_url, custom_domain, ...same } = changes;
  return {
    ...same,
    ...(logo_url === undefined ? {} : { logo_id: await ownAsset(tx, organization_id, 'logo_url', logo_url) }),
    ...(favicon_url === undefined ? {} : { favicon_id: await ownAsset(tx, organization_id, 'favicon_url', favicon_url) }),
    // A changed domain must be verified again.
    ...(custom_domain === undefined
      ? {}
      : {
          custom_domain,
          custom_domain_token: custom_domain === null ? null : newToken(),
          custom_domain_verified_at: null,
          custom_domain_checked_at: null,
          custom_domain_missing_since: null,
          custom_domain_lapsed_at: null,
        }),
  };
}

async function ownAsset(tx: IdentityTx, organization_id: string, path: string, url: string | null): Promise<string | null> {
  if (url === null) return null;
  const id = assetIdOf(url);
  if (id !== undefined && (await hasAsset(tx, organization_id, id))) return id;
  const message = 'Upload the image first';
  throw new AppError('branding.asset_not_found', { fields: [{ path, code: 'custom', message }] });
}

/** The parser is loaded when it is needed: it takes 10 to 23 ms of CPU time at a start. */
const scoped = async (css: string): Promise<string> => (await import('./css')).scopeCss(css);

const usedAssets = (row: BrandingRow | undefined): string[] =>
  row
    ? [
        row.logo_id,
        row.favicon_id,
        ...assetIdsIn(row.email_template_header + row.email_template_footer + JSON.stringify(row.email_templates)),
      ].filter((id) => id !== null)
    : [];
