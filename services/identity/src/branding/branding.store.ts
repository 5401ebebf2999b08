import { AppError, customDomainRules } from '@tandem/contracts';
import { newId, type Tx } from '@tandem/db';
import { sql, type Selectable } from 'kysely';
import type { BrandingTable, IdentityTables } from '../schema';

type IdentityTx = Tx<IdentityTables>;
export type BrandingRow = Selectable<BrandingTable>;

export const findBranding = (tx: IdentityTx, organization_id: string): Promise<BrandingRow | undefined> =>
  tx.selectFrom('branding').selectAll().where('organization_id', '=', organization_id).executeTakeFirst();

/**
 * Saves the given columns; the others are unchanged, or get their defaults on the first save. A unique index decides which organization
 * owns a verified domain.
 */
export async function saveBranding(
  tx: IdentityTx,
  organization_id: string,
  { email_templates, ...others }: Partial<Omit<BrandingRow, 'organization_id' | 'updated_at'>>,
): Promise<BrandingRow> {
  const columns = { ...others, ...(email_templates === undefined ? {} : { email_templates: JSON.stringify(email_templates) }) };
  try {
    return await tx
      .insertInto('branding')
      .values({ organization_id, ...columns })
      .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ ...columns, updated_at: sql<string>`now()` }))
      .returningAll()
      .executeTakeFirstOrThrow();
  } catch (error) {
    const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown };
    if (code === '23505' && constraint === 'branding_custom_domain') throw new AppError('custom_domain.taken', { cause: error });
    throw error;
  }
}

export async function isDomainVerifiedAcrossOrganizations(tx: IdentityTx, custom_domain: string, except: string): Promise<boolean> {
  const found = await tx
    .selectFrom('branding')
    .select('organization_id')
    .where('custom_domain', '=', custom_domain)
    .where('custom_domain_verified_at', 'is not', null)
    .where('organization_id', '!=', except)
    .executeTakeFirst();
  return found !== undefined;
}

type CheckColumns = Partial<Pick<BrandingRow, 'custom_domain_verified_at' | 'custom_domain_missing_since' | 'custom_domain_lapsed_at'>>;
/** Saves the result of a check. `updated_at` is unchanged, because no person changed the branding. */
export const saveDomainCheck = (tx: IdentityTx, organization_id: string, columns: CheckColumns): Promise<BrandingRow> =>
  tx
    .updateTable('branding')
    .set({ ...columns, custom_domain_checked_at: sql<string>`now()` })
    .where('organization_id', '=', organization_id)
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * Verified domains that have not been checked for a day, the longest unchecked first. A new domain counts as checked when it was verified.
 */
export const findDomainsToCheckAcrossOrganizations = (tx: IdentityTx): Promise<{ organization_id: string }[]> =>
  tx
    .selectFrom('branding')
    .select('organization_id')
    .where('custom_domain_verified_at', 'is not', null)
    .where((row) =>
      row.or([
        row('custom_domain_checked_at', 'is', null),
        row('custom_domain_checked_at', '<', sql<string>`now() - make_interval(hours => ${customDomainRules.checkHours})`),
      ]),
    )
    .orderBy(sql`custom_domain_checked_at nulls first`)
    .limit(100)
    .execute();

export async function insertAsset(
  tx: IdentityTx,
  asset: { organization_id: string; content_type: string; content: Buffer },
): Promise<string> {
  const id = newId();
  await tx
    .insertInto('branding_assets')
    .values({ id, ...asset })
    .execute();
  return id;
}

export async function hasAsset(tx: IdentityTx, organization_id: string, id: string): Promise<boolean> {
  const found = await tx
    .selectFrom('branding_assets')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst();
  return found !== undefined;
}

/** Keeps `limit` pictures: those in use, and the latest of the others. */
export async function deleteSurplusAssets(tx: IdentityTx, organization_id: string, limit: number, used: readonly string[]): Promise<void> {
  const rows = await tx
    .selectFrom('branding_assets')
    .select('id')
    .where('organization_id', '=', organization_id)
    .orderBy('id', 'desc')
    .execute();
  const inUse = new Set(used);
  const unused = rows.filter(({ id }) => !inUse.has(id));
  const surplus = unused.slice(Math.max(1, limit - (rows.length - unused.length))).map(({ id }) => id);
  if (surplus.length === 0) return;
  await tx.deleteFrom('branding_assets').where('organization_id', '=', organization_id).where('id', 'in', surplus).execute();
}

export const findAssetAcrossOrganizations = (tx: IdentityTx, id: string): Promise<{ content_type: string; content: Buffer } | undefined> =>
  tx.selectFrom('branding_assets').select(['content_type', 'content']).where('id', '=', id).executeTakeFirst();
