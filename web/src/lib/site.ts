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
}

/** Without that data (development server) the host is the product's. */
export function readSite(): Site {
  const text = document.getElementById('site')?.textContent;
  return text ? (JSON.parse(text) as Site) : { kind: 'product', portal: null };
}
