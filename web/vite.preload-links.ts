import type { Plugin, Rolldown } from 'vite';

const customer = 'features/portal/language/CustomerPages';
const staff = ['app/StaffApp', 'app/guards', 'app/Frame'];

/** Pages that are often opened from a link, possibly on a phone, with the modules that router.tsx loads. The first match applies. */
const pages: Record<string, string[]> = {
  '/': ['features/landing/LandingPage'],
  // The home page of an organization's host, which has the same path.
  'portal:/': [customer, 'features/portal/home/PortalHomePage'],
  '/compare': ['features/landing/ComparePage'],
  '/privacy': ['features/landing/PrivacyPage'],
  '/status': ['features/landing/StatusPage'],
  '/changelog': ['features/landing/ChangelogPage'],
  '/submit-ticket': [customer, 'features/portal/SubmitTicketPage'],
  '/ticket-status/check': [customer, 'features/portal/CheckTicketStatusPage'],
  '/ticket-status/lookup': [customer, 'features/portal/TicketLookupPage'],
  '/ticket-status/:id': [customer, 'features/portal/status/TicketStatusPage'],
  '/survey/:ticketId': [customer, 'features/portal/survey/SurveyPage'],
  '/docs': ['features/docs/DocsLayout', 'features/docs/QuickStartPage'],
  '/docs/quick-start': ['features/docs/DocsLayout', 'features/docs/QuickStartPage'],
  '/docs/domain-setup': ['features/docs/DocsLayout', 'features/docs/DomainSetupPage'],
  '/docs/customer-guide': ['features/docs/DocsLayout', 'features/docs/CustomerGuidePage'],
  '/docs/widget-setup': ['features/docs/DocsLayout', 'features/docs/WidgetSetupPage'],
  '/docs/clickup-setup': ['features/docs/DocsLayout', 'features/docs/ClickUpSetupPage'],
  '/docs/admin-guide': ['features/docs/DocsLayout', 'features/docs/AdminGuidePage'],
  '/docs/build': ['features/docs/DocsLayout', 'features/docs/build/BuildPage'],
  '/docs/api-reference': ['features/docs/DocsLayout', 'features/docs/api-reference/ApiReferencePage'],
  '/dashboard': [...staff, 'features/dashboard/DashboardPage'],
  '/tickets': [...staff, 'features/tickets/list/TicketsPage'],
  '/tickets/new': [...staff, 'features/tickets/form/NewTicketPage'],
  '/tickets/:id': [...staff, 'features/tickets/list/TicketsPage', 'features/tickets/detail/TicketDetailPage'],
  '/analytics': [...staff, 'features/analytics/AnalyticsPage'],
  '/settings': [...staff, 'features/settings/SettingsPage'],
};

/**
 * Writes `preload-links.json`: for each page, and each catalog of texts (`texts:portal:de`), the addresses of the chunks that it loads in addition to the app's own. The gateway lists them in
 * the head of the HTML, so that the browser requests them in parallel with the app. The build fails if a page no longer exists, or if a public
 * page shares a chunk with the staff pages' store (`sharedFiles` in vite.config.ts).
 */
export const preloadLinks = (): Plugin => ({
  name: 'tandem-preload-links',
  apply: 'build',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
    const app = chunks.find(({ isEntry }) => isEntry);
    if (!app) return this.error('There is no entry');
    const known = new Set(withImports(bundle, app.fileName));
    const hasStore = (file: string) => {
      const chunk = bundle[file];
      return chunk?.type === 'chunk' && chunk.moduleIds.some((id) => id.endsWith('/src/app/store.ts'));
    };
    const code = Object.entries(pages).map(([path, modules]): [string, string[]] => {
      const files = modules.flatMap((module) => {
        const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/src/${module}.tsx`)));
        return chunk ? withImports(bundle, chunk.fileName) : this.error(`${path}: ${module} is not a page with a separate chunk`);
      });
      if (!modules.includes('app/StaffApp') && files.some(hasStore)) this.error(`${path} would load the code of the staff pages`);
      return [path, [...new Set(files)].filter((file) => !known.has(file)).map((file) => `/${file}`)];
    });
    for (const chunk of chunks) {
      const [, part, language] = /[\\/]languages[\\/]catalogs[\\/](\w+)[\\/]([\w-]+)\.json$/.exec(chunk.facadeModuleId ?? '') ?? [];
      if (part) code.push([`texts:${part}:${language}`, [`/${chunk.fileName}`]]);
    }
    this.emitFile({ type: 'asset', fileName: 'preload-links.json', source: JSON.stringify(Object.fromEntries(code)) });
  },
});

/** A chunk and all its static imports. */
function withImports(bundle: Rolldown.OutputBundle, fileName: string, seen = new Set<string>()): string[] {
  const file = bundle[fileName];
  if (file?.type !== 'chunk' || seen.has(fileName)) return [];
  seen.add(fileName);
  file.imports.forEach((each) => withImports(bundle, each, seen));
  return [...seen];
}
