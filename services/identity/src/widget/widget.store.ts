import {
  AppError,
  widgetDefaults,
  type FoundOrganization,
  type Organization,
  type PublicBranding,
  type WidgetTheme,
} from '@tandem/contracts';
import type { Tx } from '@tandem/db';
import { sql, type Selectable } from 'kysely';
import { isProven, publicBrandingOf } from '../branding/branding';
import type { IdentityTables, WidgetsTable } from '../schema';
import { hasWording } from '../wording/wording.store';

type IdentityTx = Tx<IdentityTables>;
export type WidgetRow = Selectable<WidgetsTable>;

export const findWidgetSettings = (tx: IdentityTx, organization_id: string): Promise<WidgetRow | undefined> =>
  tx.selectFrom('widgets').selectAll().where('organization_id', '=', organization_id).executeTakeFirst();

export const saveWidgetSettings = (
  tx: IdentityTx,
  organization_id: string,
  columns: Partial<Omit<WidgetRow, 'organization_id' | 'updated_at'>>,
): Promise<WidgetRow> =>
  tx
    .insertInto('widgets')
    .values({ organization_id, ...columns })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ ...columns, updated_at: sql<string>`now()` }))
    .returningAll()
    .executeTakeFirstOrThrow();

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A key is a subdomain, or an organization's id, which also works without a subdomain or after it changes. No text can be both. */
export async function findWidgetAcrossOrganizations(
  tx: IdentityTx,
  key: string,
): Promise<(FoundOrganization & { allowed_sites: string[] }) | undefined> {
  const found = await tx
    .selectFrom('organizations')
    .leftJoin('widgets', 'widgets.organization_id', 'organizations.id')
    .select(['organizations.id', 'organizations.name', 'organizations.subdomain', 'widgets.allowed_sites'])
    .where(uuid.test(key) ? 'organizations.id' : 'organizations.subdomain', '=', key)
    // A demo must not be usable by strangers, for example inside a forged page.
    .where('organizations.demo_ends_at', 'is', null)
    .executeTakeFirst();
  return found && { ...found, allowed_sites: found.allowed_sites ?? [] };
}

interface WidgetLook {
  name: string;
  subdomain: string | null;
  /** Null unless it is verified. */
  custom_domain: string | null;
  languages: Organization['languages'];
  has_wording: boolean;
  identity_required: boolean;
  theme: WidgetTheme;
  branding: Omit<PublicBranding, 'css'>;
}
export async function getWidgetAppearance(tx: IdentityTx, id: string): Promise<WidgetLook> {
  const found = await tx
    .selectFrom('organizations')
    .leftJoin('branding', (join) => join.on('branding.organization_id', '=', id))
    .leftJoin('widgets', (join) => join.on('widgets.organization_id', '=', id))
    .select(hasWording)
    .select(['organizations.name', 'organizations.subdomain', 'organizations.languages', 'widgets.identity_required', 'widgets.theme'])
    .select(['branding.primary_color', 'branding.secondary_color', 'branding.logo_id', 'branding.favicon_id', 'branding.hide_powered_by'])
    .select(['branding.custom_domain', 'branding.custom_domain_verified_at', 'branding.custom_domain_lapsed_at'])
    .where('organizations.id', '=', id)
    .executeTakeFirst();
  if (!found) throw new AppError('organization.not_found');
  const { name, subdomain, languages, has_wording, identity_required, theme, ...row } = found;
  const { css: _pagesOnly, ...branding } = publicBrandingOf({ ...row, scoped_css: null });
  const custom_domain = isProven(row) ? row.custom_domain : null;
  const settings = { identity_required: identity_required ?? false, theme: theme ?? widgetDefaults.theme };
  return { name, subdomain, custom_domain, languages, has_wording, ...settings, branding };
}
