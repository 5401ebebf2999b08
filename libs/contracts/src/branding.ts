import * as z from 'zod';
import { event, job, operation } from './define';
import { Id, text, Timestamp } from './scalars';
import { brandingDefaults, brandingRules } from './values/customers';
import { languages } from './values/languages';

const owner = 'identity';

// ---- shapes ---------------------------------------------------------------------------------------------------

const color = z.string().regex(brandingRules.color, 'Use a color like #3B82F6').toUpperCase();
/** A path of this API (`/api/v1/public/branding-assets/{id}`): images are uploaded, never loaded from other sites. */
const assetUrl = z.string().nullable();

export const Branding = z.object({
  organization_id: Id,
  primary_color: z.string().default(brandingDefaults.primary_color),
  secondary_color: z.string().default(brandingDefaults.secondary_color),
  logo_url: assetUrl.default(null),
  favicon_url: assetUrl.default(null),
  /** As typed. The sanitized form for the public pages is `PublicBranding.css`. */
  custom_css: z.string().default(''),
  hide_powered_by: z.boolean().default(false),
  /** The organization's own host name. It serves the public pages once it is verified. */
  custom_domain: z.string().nullable().default(null),
  /** True once it is verified, and false again when its DNS record has been missing for three days. Links use the domain while it is true. */
  custom_domain_verified: z.boolean().default(false),
  /** When the daily check first found a verified domain's record missing; null while the record exists. */
  custom_domain_missing_since: Timestamp.nullable().default(null),
  /** The DNS record of type TXT that proves ownership of the domain; null without a domain. */
  custom_domain_record: z.object({ name: z.string(), value: z.string() }).nullable().default(null),
  /** HTML above and below each email to customers, already sanitized: it is sent unchanged. */
  email_template_header: z.string().default(''),
  email_template_footer: z.string().default(''),
  /** The same for emails in other languages than the default one; a language that is missing here has the two above. */
  email_templates: z.partialRecord(z.enum(languages), z.object({ header: z.string(), footer: z.string() })).default({}),
  updated_at: Timestamp.nullable().default(null),
});
export type Branding = z.infer<typeof Branding>;

/** Branding of the public pages and the widget. */
export const PublicBranding = Branding.pick({
  primary_color: true,
  secondary_color: true,
  logo_url: true,
  favicon_url: true,
  hide_powered_by: true,
}).extend({
  /** The organization's style sheet: every rule is scoped to `.portal`, without external resources and without covering trusted text. */
  css: z.string().default(''),
});
export type PublicBranding = z.infer<typeof PublicBranding>;

// ---- inputs ---------------------------------------------------------------------------------------------------

const hostName = text(253)
  .toLowerCase()
  .regex(/^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'Use a host name like support.example.com');
/** Blank counts as null. */
const hostNameOrNull = z.preprocess((value) => (typeof value === 'string' && value.trim() === '' ? null : value), hostName.nullable());

/** Omitted members keep their values. */
export const SaveBranding = z
  .strictObject({
    primary_color: color,
    secondary_color: color,
    /** Null removes it; otherwise a URL returned by `POST /branding/assets`. */
    logo_url: z.string().max(200).nullable(),
    favicon_url: z.string().max(200).nullable(),
    custom_css: text(brandingRules.maxCss),
    hide_powered_by: z.boolean(),
    custom_domain: hostNameOrNull,
    email_template_header: text(brandingRules.maxTemplate),
    email_template_footer: text(brandingRules.maxTemplate),
    /** Replaces the templates of all languages. */
    email_templates: z.partialRecord(
      z.enum(languages),
      z.strictObject({ header: text(brandingRules.maxTemplate), footer: text(brandingRules.maxTemplate) }),
    ),
  })
  .partial();
export type SaveBranding = z.infer<typeof SaveBranding>;

// ---- operations -----------------------------------------------------------------------------------------------

export const readBranding = operation({
  name: 'identity.readBranding',
  summary: 'Colors, images, style sheet, domain and email templates of the organization.',
  owner,
  method: 'GET',
  path: '/branding',
  allow: 'organization.read',
  output: Branding,
});
export const saveBranding = operation({
  name: 'identity.saveBranding',
  summary: 'Change the branding; omitted members keep their values.',
  owner,
  method: 'PUT',
  path: '/branding',
  allow: 'organization.write',
  input: { body: SaveBranding },
  output: Branding,
  problems: ['custom_domain.taken', 'branding.asset_not_found'],
});
export const addBrandingAsset = operation({
  name: 'identity.addBrandingAsset',
  summary: 'Upload a logo or an icon: PNG, JPEG, GIF, WebP or ICO by its bytes, at most 512 KB.',
  owner,
  method: 'POST',
  path: '/branding/assets',
  allow: 'organization.write',
  status: 201,
  input: {
    body: z.strictObject({
      /** The image in base64. */
      content: z.base64('Send the picture in base64').max(Math.ceil(brandingRules.maxAssetBytes / 3) * 4 + 4, 'The picture is too large'),
    }),
  },
  output: z.object({ url: z.string() }),
  problems: ['branding.asset_refused'],
});
/** Binary: the gateway forwards it with its content type, cacheable for a year. Public, because emails show it too. */
export const readBrandingAsset = operation({
  name: 'identity.readBrandingAsset',
  summary: 'A logo or an icon.',
  owner,
  method: 'GET',
  path: '/public/branding-assets/:id',
  allow: 'public',
  handwritten: true,
  input: { params: z.object({ id: Id }) },
  output: z.unknown(),
  problems: ['branding.asset_not_found'],
});
export const verifyCustomDomain = operation({
  name: 'identity.verifyCustomDomain',
  summary: 'Verify the DNS record of the custom domain; from then on it serves the public pages.',
  owner,
  method: 'POST',
  path: '/branding/custom-domain/verify',
  allow: 'organization.write',
  output: Branding,
  problems: ['custom_domain.taken', 'custom_domain.not_verified'],
});

/** Contains the complete branding, because emails need it. Its subject is the organization. */
export const brandingUpdated = event('branding.updated', owner, z.object({ branding: Branding }), { live: true });
/** The DNS record of a verified domain has been missing for three days; its subject is the organization. */
export const customDomainLapsed = event(
  'custom_domain.lapsed',
  owner,
  z.object({
    domain: z.string(),
    missing_since: Timestamp,
    /** From then on another organization may verify the domain. */
    releases_at: Timestamp,
    record: z.object({ name: z.string(), value: z.string() }),
  }),
);

/** Checks the DNS record of one verified domain. The row stores when it was last checked. */
export const checkCustomDomain = job({
  type: 'check_custom_domain',
  owner,
  queue: 'identity',
  data: z.strictObject({ organization_id: Id }),
  attempts: 3,
  backoffMs: [60_000],
});
