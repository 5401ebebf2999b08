import { AppError, Branding, brandingDefaults, type PublicBranding } from '@tandem/contracts';
import { classifyHost, type HostConfig } from '@tandem/platform';
import type { Changes } from '../schema';
import type { BrandingRow } from './branding.store';

/** Pictures of one organization at most; the oldest that is in no use goes first. */
export const keptAssets = 20;

const assetBase = '/api/v1/public/branding-assets/';
export const assetUrlOf = (id: string | null): string | null => (id === null ? null : `${assetBase}${id}`);
/** The picture's id, undefined where the address is none of ours. */
export const assetIdOf = (url: string): string | undefined =>
  new RegExp(`^${assetBase}([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`).exec(url)?.[1];
/** The pictures that a mail template shows. */
export const assetIdsIn = (html: string): string[] =>
  [...html.matchAll(new RegExp(`${assetBase}([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})`, 'gi'))].map(([, id]) => id!.toLowerCase());

/** The DNS record of type TXT that proves a domain. */
export const recordOf = (domain: string, token: string) => ({ name: `_tandem.${domain}`, value: `tandem-verification=${token}` });

type Proof = Pick<BrandingRow, 'custom_domain_verified_at' | 'custom_domain_lapsed_at'>;
/** Whether links use the custom domain: it was verified, and its record has not been missing for too long. */
export const isProven = (row: { [Column in keyof Proof]: Proof[Column] | null }): boolean =>
  row.custom_domain_verified_at !== null && row.custom_domain_lapsed_at === null;

/** As the API shows it; an organization that has saved nothing has the defaults. */
export function brandingOf(organization_id: string, row: BrandingRow | undefined): Branding {
  if (!row) return Branding.parse({ organization_id });
  const { logo_id, favicon_id, scoped_css: _css, custom_domain_token: token, ...rest } = row;
  const { custom_domain_verified_at: _since, custom_domain_checked_at: _checked, custom_domain_lapsed_at: _lapsed, ...shown } = rest;
  return {
    ...shown,
    logo_url: assetUrlOf(logo_id),
    favicon_url: assetUrlOf(favicon_id),
    custom_domain_verified: isProven(row),
    custom_domain_record: shown.custom_domain === null || token === null ? null : recordOf(shown.custom_domain, token),
  };
}

type PublicRow = Pick<BrandingRow, 'primary_color' | 'secondary_color' | 'logo_id' | 'favicon_id' | 'hide_powered_by' | 'scoped_css'>;
/** As everybody sees it. The columns are null together, where nothing was saved. */
export function publicBrandingOf(row: { [Column in keyof PublicRow]: PublicRow[Column] | null }): PublicBranding {
  const { primary_color, secondary_color, logo_id, favicon_id, hide_powered_by, scoped_css } = row;
  return {
    primary_color: primary_color ?? brandingDefaults.primary_color,
    secondary_color: secondary_color ?? brandingDefaults.secondary_color,
    logo_url: assetUrlOf(logo_id),
    favicon_url: assetUrlOf(favicon_id),
    hide_powered_by: hide_powered_by ?? false,
    css: scoped_css ?? '',
  };
}

export const refused = (path: string, message: string): AppError =>
  new AppError('request.invalid', { detail: message, fields: [{ path, code: 'custom', message }] });

/** Names of at most 253 characters have room for the record's own label before them. */
const longestDomain = 253 - '_tandem.'.length;

/** Refuses the product's own domains, localhost and everything below them. */
export function assertOwnDomain(domain: string, config: HostConfig): void {
  if (classifyHost(domain, config).kind !== 'custom') throw refused('custom_domain', 'Use a domain of your own');
  if (domain.length > longestDomain) throw refused('custom_domain', `Use a host name of at most ${longestDomain} characters`);
}

/** Style sheet and templates are long: the log says that they changed, and how long they are. */
const longTexts = ['custom_css', 'email_template_header', 'email_template_footer'];
const sizeOf = (text: unknown) => `${String(text).length} characters`;
export const forLog = (changes: Changes): Changes =>
  Object.fromEntries(
    Object.entries(changes).map(([name, { from, to }]) => [
      name,
      longTexts.includes(name) ? { from: sizeOf(from), to: sizeOf(to) } : { from, to },
    ]),
  );
