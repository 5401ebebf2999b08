import { AppError, Branding, brandingDefaults, type PublicBranding } from '@tandem/contracts';
import { classifyHost, type HostConfig } from '@tandem/platform';
import type { Changes } from '../schema';
import type { BrandingRow } from './branding.store';

/** Maximum number of pictures per organization; the oldest unused one is deleted first. */
export const maxAssets = 20;

const assetBase = '/api/v1/public/branding-assets/';
export const assetUrlOf = (id: string | null): string | null => (id === null ? null : `${assetBase}${id}`);
/** The picture's id; undefined if the URL is not one of Tandem's. */
export const assetIdOf = (url: string): string | undefined =>
  new RegExp(`^${assetBase}([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`).exec(url)?.[1];
/** The ids of the pictures in an email template. */
export const assetIdsIn = (html: string): string[] =>
  [...html.matchAll(new RegExp(`${assetBase}([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})`, 'gi'))].map(([, id]) => id!.toLowerCase());

/** The DNS TXT record that proves ownership of a domain. */
export const recordOf = (domain: string, token: string) => ({ name: `_tandem.${domain}`, value: `tandem-verification=${token}` });

type Proof = Pick<BrandingRow, 'custom_domain_verified_at' | 'custom_domain_lapsed_at'>;
/** Whether links use the custom domain: it was verified, and its record has not been missing for too long. */
export const isProven = (row: { [Column in keyof Proof]: Proof[Column] | null }): boolean =>
  row.custom_domain_verified_at !== null && row.custom_domain_lapsed_at === null;

/** The branding in the API's format, with defaults if nothing was saved. */
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
/** The public part of the branding. If nothing was saved, all columns are null. */
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

/** A DNS name has at most 253 characters, including the label of the TXT record. */
const longestDomain = 253 - '_tandem.'.length;

/** Rejects localhost, the product's own domains and their subdomains. */
export function assertOwnDomain(domain: string, config: HostConfig): void {
  if (classifyHost(domain, config).kind !== 'custom') throw refused('custom_domain', 'Use your own domain');
  if (domain.length > longestDomain) throw refused('custom_domain', `Use a host name of at most ${longestDomain} characters`);
}

/** Style sheets and templates are too long for the log: it contains only their sizes. */
const longTexts = ['custom_css', 'email_template_header', 'email_template_footer', 'email_templates'];
const sizeOf = (value: unknown) => `${(typeof value === 'string' ? value : JSON.stringify(value)).length} characters`;
export const forLog = (changes: Changes): Changes =>
  Object.fromEntries(
    Object.entries(changes).map(([name, { from, to }]) => [
      name,
      longTexts.includes(name) ? { from: sizeOf(from), to: sizeOf(to) } : { from, to },
    ]),
  );
