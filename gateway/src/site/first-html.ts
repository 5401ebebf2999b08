import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PublicOrganization } from '@tandem/contracts';
import * as z from 'zod';
import { escapeHtml } from './page-head';
import type { SiteHost } from './site-host';

/** Written by the web app's build (web/vite.first-html.ts): public pages by kind of host and path. */
const Pages = z.record(z.enum(['product', 'portal', 'portal-logo']), z.record(z.string(), z.string()));

/**
 * Returns the HTML of a public page, which the browser shows until the app has replaced it (web/src/lib/first-html.ts). Undefined if the
 * build has none for this path, or if the host has no organization.
 */
export function firstHtmlOf(webRoot: string): (path: string, host: Pick<SiteHost, 'kind' | 'organization'>) => string | undefined {
  const pages = read(webRoot);
  return (path, { kind, organization }) => {
    if (kind !== 'portal') return kind === 'product' ? pages?.product[path] : undefined;
    if (!organization) return undefined;
    const html = pages?.[organization.branding.logo_url ? 'portal-logo' : 'portal'][path];
    return html && withOrganization(html, organization);
  };
}

/** One pass, so that a name which looks like another placeholder stays a name. */
function withOrganization(html: string, { name, branding }: PublicOrganization): string {
  const values: Record<string, string> = {
    'tandem:name': escapeHtml(name),
    'tandem:logo': escapeHtml(branding.logo_url ?? ''),
    'Powered by Tandem': branding.hide_powered_by ? '' : 'Powered by Tandem',
  };
  return html.replace(/tandem:name|tandem:logo|Powered by Tandem/g, (placeholder) => values[placeholder]!);
}

function read(webRoot: string): z.infer<typeof Pages> | undefined {
  try {
    return Pages.parse(JSON.parse(readFileSync(join(webRoot, 'first-html.json'), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
