import type { Plugin, Rolldown } from 'vite';

/** Pages that are often opened from a link, possibly on a phone, with the modules that router.tsx loads. The first match applies. */
const pages: Record<string, string[]> = {
  '/': ['features/landing/LandingPage'],
  // The home page of an organization's host, which has the same path.
  'portal:/': ['features/portal/home/PortalHomePage'],
  '/submit-ticket': ['features/portal/SubmitTicketPage'],
  '/ticket-status/check': ['features/portal/CheckTicketStatusPage'],
  '/ticket-status/lookup': ['features/portal/TicketLookupPage'],
  '/ticket-status/:id': ['features/portal/status/TicketStatusPage'],
  '/survey/:ticketId': ['features/portal/survey/SurveyPage'],
  '/docs': ['features/docs/DocsLayout', 'features/docs/QuickStartPage'],
  '/docs/quick-start': ['features/docs/DocsLayout', 'features/docs/QuickStartPage'],
  '/docs/domain-setup': ['features/docs/DocsLayout', 'features/docs/DomainSetupPage'],
  '/docs/customer-guide': ['features/docs/DocsLayout', 'features/docs/CustomerGuidePage'],
  '/docs/widget-setup': ['features/docs/DocsLayout', 'features/docs/WidgetSetupPage'],
  '/docs/clickup-setup': ['features/docs/DocsLayout', 'features/docs/ClickUpSetupPage'],
  '/docs/admin-guide': ['features/docs/DocsLayout', 'features/docs/AdminGuidePage'],
  '/docs/api-reference': ['features/docs/DocsLayout', 'features/docs/api-reference/ApiReferencePage'],
};

/**
 * Writes `preload-links.json`: for each page the addresses of the chunks that it loads in addition to the app's own. The gateway lists them in
 * the head of the HTML, so that the browser requests them in parallel with the app. The build fails if a page no longer exists.
 */
export const preloadLinks = (): Plugin => ({
  name: 'tandem-preload-links',
  apply: 'build',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
    const app = chunks.find(({ isEntry }) => isEntry);
    if (!app) return this.error('There is no entry');
    const known = new Set(withImports(bundle, app.fileName));
    const code = Object.entries(pages).map(([path, modules]) => {
      const files = modules.flatMap((module) => {
        const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/${module}.tsx`));
        return chunk ? withImports(bundle, chunk.fileName) : this.error(`${path}: ${module} is not a page with a separate chunk`);
      });
      return [path, [...new Set(files)].filter((file) => !known.has(file)).map((file) => `/${file}`)];
    });
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
