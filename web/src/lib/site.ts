import type { PublicOrganization } from '@tandem/contracts';

/** What the gateway wrote into the first HTML (gateway/src/site/): which site this host serves. */
export interface Site {
  kind: 'product' | 'portal';
  /** Null: the host has no organization. Undefined: not known, so the page asks. */
  organization?: PublicOrganization | null;
  /** The portal to which the product's own host sends customers. */
  portal: string | null;
}

/** Without that data (the development server) this is the product's host. */
export function readSite(): Site {
  const text = document.getElementById('site')?.textContent;
  return text ? (JSON.parse(text) as Site) : { kind: 'product', portal: null };
}
