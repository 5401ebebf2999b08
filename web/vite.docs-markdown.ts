import { createServer, type Plugin } from 'vite';
import { staffTexts } from './vite.staff-texts';

/** The host in the Markdown. The gateway replaces it with its own (gateway/src/site/docs-markdown.ts). */
const host = 'https://tandem.invalid';

/**
 * Writes each page of the documentation as Markdown next to the app, `/docs/quick-start.md`, rendered from the page's own components, and
 * the texts of all pages for the search of the command palette, `/docs/search.json`.
 */
export const docsMarkdown = (): Plugin => ({
  name: 'tandem-docs-markdown',
  apply: 'build',
  async generateBundle() {
    const server = await createServer({
      root: import.meta.dirname,
      configFile: false,
      logLevel: 'warn',
      plugins: [staffTexts()],
      appType: 'custom',
      server: { middlewareMode: true, hmr: false, ws: false, watch: null },
      optimizeDeps: { noDiscovery: true },
    });
    // The samples contain the address of the page.
    Object.assign(globalThis, { location: new URL(host) });
    try {
      const { docsMarkdown: render, docsSearchIndex: index } = (await server.ssrLoadModule(
        '/src/features/docs/markdown/docs-markdown.tsx',
      )) as {
        docsMarkdown: () => [name: string, markdown: string][];
        docsSearchIndex: () => unknown;
      };
      for (const [name, source] of render()) this.emitFile({ type: 'asset', fileName: `docs/${name}.md`, source });
      this.emitFile({ type: 'asset', fileName: 'docs/search.json', source: JSON.stringify(index()) });
    } finally {
      Reflect.deleteProperty(globalThis, 'location');
      await server.close();
    }
  },
});
