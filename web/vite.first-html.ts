import { createServer, type Plugin } from 'vite';
// By its path, as in vite.catalogs.ts.
// oxlint-disable-next-line @nx/enforce-module-boundaries
import { languages, type Language } from '../libs/contracts/src/values/languages';
import type * as FirstHtml from './src/first-html/first-html';
import { compiledCatalogs } from './vite.catalogs';
import { criticalCss } from './vite.critical-css';
import { staffTexts } from './vite.staff-texts';

/** Replaced by the gateway with the organization's (gateway/src/site/first-html.ts). */
const organization = {
  id: '',
  name: 'tandem:name',
  subdomain: null,
  default_priority: 'medium',
  time_zone: 'UTC',
  business_hours: null,
  holidays: [],
  // The switch of languages comes with the app: only the gateway knows which ones the organization offers.
  languages: { default: 'en', offered: ['en'] },
  categories: [],
};
const branding = { primary_color: '#000000', secondary_color: '#000000', favicon_url: null, hide_powered_by: false, css: '' };
const portalSite = (logo_url: string | null) => ({
  kind: 'portal',
  organization: { ...organization, branding: { ...branding, logo_url } },
  portal: null,
});

/** The parts of a browser that these pages read while they render. A session cookie, so that the buttons of visitors stay hidden. */
const browser = (site: object) => ({
  document: {
    cookie: 'tandem_csrf=unknown',
    documentElement: { dataset: {} },
    getElementById: (id: string) => (id === 'site' ? { textContent: JSON.stringify(site) } : null),
  },
  // Replaced by the gateway with its own, as in the Markdown of the documentation.
  location: new URL('https://tandem.invalid'),
  localStorage: { getItem: (key: string) => (key === 'cookieConsent' ? 'unknown' : null) },
  addEventListener: () => undefined,
});

/**
 * Writes `first-html.json`: public pages as HTML, rendered from their own components, so that a browser shows them before it has loaded the
 * app. By kind of host, language of a customer page, and path; `portal-logo` is for organizations with a logo. `styles` are the styles of
 * each path, which the gateway puts into the page so that the first paint waits for no other file.
 */
export const firstHtml = (): Plugin => ({
  name: 'tandem-first-html',
  apply: 'build',
  async generateBundle(_options, bundle) {
    const sheet = Object.values(bundle).find((each) => each.type === 'asset' && each.fileName.endsWith('.css'));
    if (sheet?.type !== 'asset') return this.error('The build has no style sheet');
    const product = await render({ kind: 'product', portal: null }, ({ productHtml }) => productHtml());
    const portal = await render(portalSite(null), ({ portalHtml }) => byLanguage(portalHtml));
    const withLogo = await render(portalSite('tandem:logo'), ({ portalHtml }) => byLanguage(portalHtml));
    const pages = {
      product,
      portal,
      'portal-logo': withLogo,
      heads: await render(portalSite(null), ({ portalHeads }) => byLanguage(portalHeads)),
      styles: {
        product: stylesOf(String(sheet.source), [product]),
        portal: stylesOf(String(sheet.source), [...Object.values(portal), ...Object.values(withLogo)]),
      },
    };
    this.emitFile({ type: 'asset', fileName: 'first-html.json', source: JSON.stringify(pages) });
  },
});

/** Elements of an article, which the gateway inserts. */
const articleElements = '<h2><h3><h4><p><ul><ol><li><blockquote><pre><code><strong><em><s><a href=""><img alt="">';

/** The styles that each path needs in all of these versions of its page. */
function stylesOf(css: string, versions: Record<string, string>[]): Record<string, string> {
  const paths = Object.keys(versions[0] ?? {});
  const htmlOf = (path: string) =>
    [...versions.map((pages) => pages[path] ?? ''), path === '/help/:address' ? articleElements : ''].join('');
  return Object.fromEntries(paths.map((path) => [path, criticalCss(css, htmlOf(path))]));
}

type Module = typeof FirstHtml;

/** One language after another: while a page is rendered, shared components have its language. */
async function byLanguage<Result>(make: (language: Language) => Promise<Result>): Promise<Record<string, Result>> {
  const result: Record<string, Result> = {};
  for (const language of languages) result[language] = await make(language);
  return result;
}

async function render<Result>(site: object, make: (module: Module) => Result | Promise<Result>): Promise<Result> {
  const server = await createServer({
    root: import.meta.dirname,
    configFile: false,
    plugins: [compiledCatalogs(), staffTexts()],
    logLevel: 'warn',
    appType: 'custom',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  const known = Object.entries(browser(site)).map(([name, value]) => ({
    name,
    value,
    before: Object.getOwnPropertyDescriptor(globalThis, name),
  }));
  for (const { name, value } of known) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  try {
    return await make((await server.ssrLoadModule('/src/first-html/first-html.tsx')) as Module);
  } finally {
    for (const { name, before } of known) {
      if (before) Object.defineProperty(globalThis, name, before);
      else Reflect.deleteProperty(globalThis, name);
    }
    await server.close();
  }
}
