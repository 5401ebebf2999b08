import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

const customer = 'features/portal/language/CustomerPages';
const docs = 'app/DocsRoutes';
const signIn = ['app/StaffApp'];
const account = [...signIn, 'app/guards'];
const staff = [...account, 'app/Frame'];
const settings = [...staff, 'features/settings/SettingsFrame'];

/** Maximum scripts of a page's first load, in KB after gzip: of the pages of staff, and of the public ones. */
const maxStaffKb = 150;
const maxPublicKb = 125;

/** The pages, with the modules that router.tsx loads. The first match applies. */
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
  '/help': [customer, 'features/portal/help/HelpPages'],
  '/help/categories/:address': [customer, 'features/portal/help/HelpPages'],
  '/help/:address': [customer, 'features/portal/help/ArticlePage'],
  '/docs': [docs, 'features/docs/QuickStartPage'],
  '/docs/quick-start': [docs, 'features/docs/QuickStartPage'],
  '/docs/domain-setup': [docs, 'features/docs/DomainSetupPage'],
  '/docs/customer-guide': [docs, 'features/docs/CustomerGuidePage'],
  '/docs/widget-setup': [docs, 'features/docs/WidgetSetupPage'],
  '/docs/clickup-setup': [docs, 'features/docs/ClickUpSetupPage'],
  '/docs/admin-guide': [docs, 'features/docs/AdminGuidePage'],
  '/docs/help-articles': [docs, 'features/docs/HelpArticlesPage'],
  '/docs/rules': [docs, 'features/docs/RulesPage'],
  '/docs/build': [docs, 'features/docs/build/BuildPage'],
  '/docs/api-reference': [docs, 'features/docs/api-reference/ApiReferencePage'],
  '/auth': [...signIn, 'features/auth/AuthPage'],
  '/auth/sso': [...signIn, 'features/auth/sso/SsoPage'],
  '/auth/confirm': [...signIn, 'features/auth/ConfirmEmailPage'],
  '/auth/forgot-password': [...signIn, 'features/auth/ForgotPasswordPage'],
  '/auth/reset-password': [...signIn, 'features/auth/ResetPasswordPage'],
  '/auth/confirm-email-change': [...signIn, 'features/auth/ConfirmEmailChangePage'],
  '/auth/callback/:provider': [...account, 'features/integration/AuthorizedPage'],
  '/accept-invitation': [...signIn, 'features/team/AcceptInvitationPage'],
  '/onboarding': [...account, 'features/onboarding/OnboardingPage'],
  '/dashboard': [...staff, 'features/dashboard/DashboardPage'],
  '/tickets': [...staff, 'features/tickets/list/TicketsPage'],
  '/tickets/new': [...staff, 'features/tickets/form/NewTicketPage'],
  '/sample-ticket': [...staff, 'features/tickets/sample/SampleTicketPage'],
  '/tickets/:id/edit': [...staff, 'features/tickets/form/EditTicketPage'],
  '/tickets/:id': [...staff, 'features/tickets/list/TicketsPage', 'features/tickets/detail/TicketDetailPage'],
  '/articles': [...staff, 'features/articles/ArticlesPage'],
  '/articles/new': [...staff, 'features/articles/NewArticlePage'],
  '/articles/:id': [...staff, 'features/articles/ArticleEditorPage'],
  '/analytics': [...staff, 'features/analytics/AnalyticsPage'],
  '/integration': [...staff, 'features/integration/IntegrationPage'],
  '/account': [...settings, 'features/account/AccountPage'],
  '/canned-replies': [...settings, 'features/tickets/macros/CannedRepliesPage'],
  '/settings': [...settings, 'features/settings/SettingsPage'],
  '/organization-settings': [...settings, 'features/settings/SettingsPage'],
};

/**
 * Writes `preload-links.json`: for each page, and each catalog of texts (`texts:portal:de`), the addresses of the chunks that it loads in
 * addition to the app's own. The gateway lists them in the head of the HTML, so that the browser requests them in parallel with the app. The
 * build fails if a page no longer exists, if a public page shares a chunk with the staff pages' store (`sharedFiles` in vite.config.ts), or if
 * the first load of a page is too large.
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
  // Vite adds the lists of each page's chunks to the entry after `generateBundle`.
  writeBundle(_options, bundle) {
    const sizes = new Map(
      Object.values(bundle).flatMap((each) => (each.type === 'chunk' ? [[each.fileName, gzipSync(each.code).length / 1_000]] : [])),
    );
    const entry = Object.values(bundle).find((each) => each.type === 'chunk' && each.isEntry)!;
    const list = bundle['preload-links.json'];
    if (list?.type !== 'asset') return this.error('There is no preload-links.json');
    const known = withImports(bundle, entry.fileName);
    const lists = Object.entries(JSON.parse(String(list.source)) as Record<string, string[]>);
    const kbOf = (files: string[]) => files.reduce((sum, file) => sum + (sizes.get(file.replace(/^\//, '')) ?? 0), 0);
    // A customer page also loads the texts of one language.
    const textsKb = Math.max(...lists.flatMap(([path, files]) => (path.startsWith('texts:portal:') ? [kbOf(files)] : [])));
    const tooLarge = lists.flatMap(([path, files]) => {
      const kb = kbOf([...known, ...files]) + (pages[path]?.includes(customer) ? textsKb : 0);
      const max = pages[path]?.includes('app/StaffApp') ? maxStaffKb : maxPublicKb;
      return kb > max ? [`${path}: ${kb.toFixed(1)} KB instead of at most ${max}`] : [];
    });
    if (tooLarge.length > 0)
      this.error(`The first load of these pages is too large. Load parts of them on demand.\n${tooLarge.join('\n')}`);
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
