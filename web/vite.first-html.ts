import { createServer, type Plugin } from 'vite';

/** Replaced by the gateway with the organization's (gateway/src/site/first-html.ts). */
const organization = {
  id: '',
  name: 'tandem:name',
  subdomain: null,
  default_priority: 'medium',
  time_zone: 'UTC',
  business_hours: null,
  holidays: [],
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
  localStorage: { getItem: (key: string) => (key === 'cookieConsent' ? 'unknown' : null) },
  addEventListener: () => undefined,
});

/**
 * Writes `first-html.json`: public pages as HTML, rendered from their own components, so that a browser shows them before it has loaded the
 * app. By kind of host and path; `portal-logo` is for organizations with a logo.
 */
export const firstHtml = (): Plugin => ({
  name: 'tandem-first-html',
  apply: 'build',
  async generateBundle() {
    const pages = {
      product: await render('product', { kind: 'product', portal: null }),
      portal: await render('portal', portalSite(null)),
      'portal-logo': await render('portal', portalSite('tandem:logo')),
    };
    this.emitFile({ type: 'asset', fileName: 'first-html.json', source: JSON.stringify(pages) });
  },
});

async function render(which: 'product' | 'portal', site: object): Promise<Record<string, string>> {
  const server = await createServer({
    root: import.meta.dirname,
    configFile: false,
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
    const module = (await server.ssrLoadModule('/src/first-html/first-html.tsx')) as {
      firstHtml: (which: string) => [path: string, html: string][];
    };
    return Object.fromEntries(module.firstHtml(which));
  } finally {
    for (const { name, before } of known) {
      if (before) Object.defineProperty(globalThis, name, before);
      else Reflect.deleteProperty(globalThis, name);
    }
    await server.close();
  }
}
