import type { PublicOrganization } from '@tandem/contracts';
import type { Site } from '../lib/site';
import { organization } from './backend';

/** Adds the site data that the gateway writes into the first HTML. `setup.ts` removes it after the test. */
export function serveSite(site: Partial<Site>): void {
  const element = document.createElement('script');
  Object.assign(element, { id: 'site', type: 'application/json', textContent: JSON.stringify({ portal: null, ...site }) });
  document.head.append(element);
}

/** Northwind as the public API returns it. */
export const publicOrganization = (changes: Partial<PublicOrganization> = {}): PublicOrganization => ({
  id: organization.id,
  name: organization.name,
  subdomain: organization.subdomain,
  default_priority: 'medium',
  business_hours: null,
  time_zone: 'Europe/Berlin',
  holidays: [],
  languages: organization.languages,
  categories: [],
  has_wording: false,
  branding: {
    primary_color: '#3B82F6',
    secondary_color: '#8B5CF6',
    logo_url: null,
    favicon_url: null,
    hide_powered_by: false,
    css: '',
  },
  ...changes,
});
