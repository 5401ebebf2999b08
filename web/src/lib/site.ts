import type { PublicOrganization } from '@tandem/contracts';
import type { Language } from '@tandem/contracts/values';

/** Data that the gateway writes into the first HTML (gateway/src/site/): which site this host serves. */
export interface Site {
  kind: 'product' | 'portal';
  /** Null: the host has no organization. Undefined: unknown, so the page requests it. */
  organization?: PublicOrganization | null;
  /** The language of the first HTML, for customer pages. Undefined in development, where the page decides. */
  language?: Language;
  /** The portal to which the product's own host directs customers. */
  portal: string | null;
  /** The portal of the single organization (SINGLE_ORGANIZATION). Undefined if portals have subdomains. */
  singlePortal?: string;
}

/** Without that data (development server, rendering at build time) the host is the product's. */
export function readSite(): Site {
  const text = typeof document === 'undefined' ? undefined : document.getElementById('site')?.textContent;
  return text ? (JSON.parse(text) as Site) : { kind: 'product', portal: null };
}

/** Whether `/` is the home of a portal. The host of a single organization has the landing page until that exists. */
export const hasPortalHome = ({ kind, organization, singlePortal }: Site): boolean =>
  kind === 'portal' || (singlePortal !== undefined && organization !== null);
