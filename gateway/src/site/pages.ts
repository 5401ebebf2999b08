import { docsPageNames, docsPages } from '@tandem/contracts';

/** Hosts that serve a page: `product` only, or `all` (organizations' hosts as well). */
type Hosts = 'product' | 'all';

export interface SitePage {
  path: string;
  hosts: Hosts;
  /** For the first HTML of a public page. `{name}` is the organization, or the product on its own host. */
  title?: string;
  description?: string;
  /** Whether search engines may list it. */
  isIndexed?: boolean;
  /** A page of the portal: on the product's host it redirects to SITE_ORGANIZATION if that is set. */
  isPortal?: boolean;
}

const product = (path: string, more: Partial<SitePage> = {}): SitePage => ({ path, hosts: 'product', ...more });
const portal = (path: string, title: string, description: string, isIndexed = false): SitePage => ({
  path,
  hosts: 'all',
  title,
  description,
  isIndexed,
  isPortal: true,
});

export const landing = {
  title: 'The help desk with two-way task sync',
  description: 'Tandem is the help desk that keeps every ticket in sync with a task.',
};
export const portalHome = {
  title: 'Help center',
  description: 'Contact {name}: submit a ticket or check the status of one you’ve sent.',
};

/** Every path of the web app (web/src/app/router.tsx, DocsRoutes.tsx); a test compares them. All others get the not-found page with status 404. */
export const sitePages: readonly SitePage[] = [
  { path: '/', hosts: 'all', ...landing, isIndexed: true },
  portal('/submit-ticket', 'Submit a ticket', 'Send a request to {name} and follow it online. No account needed.', true),
  portal('/ticket-status/check', 'Check ticket status', 'See the status of a ticket you’ve sent to {name}.', true),
  portal('/ticket-status/lookup', 'Check ticket status', 'See the status of a ticket you’ve sent to {name}.'),
  portal('/ticket-status/:id', 'Ticket status', 'The status and replies of your ticket at {name}.'),
  portal('/survey/:ticketId', 'How did we do?', 'Rate the support you received from {name}.'),
  portal('/help', 'Help articles', 'Answers to common questions about {name}.', true),
  portal('/help/categories/:address', 'Help articles', 'Answers to common questions about {name}.', true),
  portal('/help/:address', 'Help article', 'An answer to a common question about {name}.', true),
  product('/compare', {
    title: 'Compare',
    description: 'How Tandem differs from other help desks, with sources.',
    isIndexed: true,
  }),
  product('/privacy', { title: 'Privacy', description: 'What Tandem stores, how long it keeps it, and who can see it.', isIndexed: true }),
  product('/status', { title: 'Status', description: 'Which parts of Tandem work at the moment.', isIndexed: true }),
  product('/changelog', { title: 'Changelog', description: 'What is new in Tandem, version by version.', isIndexed: true }),
  product('/docs', { title: 'Documentation', description: 'Set up and use Tandem.', isIndexed: true }),
  ...docsPageNames.map((name): SitePage => {
    const { title, description } = docsPages[name];
    return { path: `/docs/${name}`, hosts: name === 'customer-guide' ? 'all' : 'product', title, description, isIndexed: true };
  }),
  product('/auth', { title: 'Sign in', description: 'Sign in to Tandem, or start a free trial.', isIndexed: true }),
  ...[
    '/auth/sso',
    '/auth/confirm',
    '/auth/forgot-password',
    '/auth/reset-password',
    '/auth/confirm-email-change',
    '/auth/callback/:provider',
    '/accept-invitation',
    '/onboarding',
    '/account',
    '/dashboard',
    '/tickets',
    '/tickets/new',
    '/tickets/:id',
    '/tickets/:id/edit',
    '/sample-ticket',
    '/articles',
    '/articles/new',
    '/articles/:id',
    '/canned-replies',
    '/analytics',
    '/integration',
    '/settings',
    '/organization-settings',
    '/operator',
  ].map((path) => product(path)),
];

const patternOf = (path: string) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`);
const patterns = sitePages.map((page) => ({ page, pattern: patternOf(page.path) }));

/** Undefined if no page has this path. */
export const findPage = (path: string): SitePage | undefined => patterns.find(({ pattern }) => pattern.test(path))?.page;

/** Whether a page shows the organization of the host, if that has a portal. */
export const isServedToCustomers = ({ path, isPortal }: SitePage): boolean => isPortal === true || path === '/';

/** Whether a page is served on the product's host only: other hosts redirect there. */
export const isProductOnly = ({ hosts }: SitePage): boolean => hosts === 'product';

/** For search engines. Pages of tickets and surveys, and the staff app, are not indexed. `sitemap` is the address of the sitemap. */
export function robotsText(isPortal: boolean, sitemap?: string): string {
  const served = sitePages.filter((page) => !isPortal || !isProductOnly(page));
  const hidden = served.filter(({ isIndexed }) => !isIndexed).map(({ path }) => path.replace(/:.*$/, ''));
  const shown = served.filter(({ isIndexed, path }) => isIndexed && hidden.some((prefix) => path.startsWith(prefix)));
  const lines = [...shown.map(({ path }) => `Allow: ${path}$`), ...[...new Set(['/api/', ...hidden])].map((path) => `Disallow: ${path}`)];
  return ['User-agent: *', ...lines, ...(sitemap === undefined ? [] : ['', `Sitemap: ${sitemap}`]), ''].join('\n');
}
