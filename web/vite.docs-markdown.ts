import { createServer, type Plugin } from 'vite';

/** The host in the Markdown. The gateway replaces it with its own (gateway/src/site/docs-markdown.ts). */
const host = 'https://tandem.invalid';

/** Writes each page of the documentation as Markdown next to the app, `/docs/quick-start.md`, rendered from the page's own components. */
export const docsMarkdown = (): Plugin => ({
  name: 'tandem-docs-markdown',
  apply: 'build',
  async generateBundle() {
    const server = await createServer({
      root: import.meta.dirname,
      configFile: false,
      logLevel: 'warn',
      appType: 'custom',
      server: { middlewareMode: true, hmr: false, ws: false, watch: null },
      optimizeDeps: { noDiscovery: true },
    });
    // The samples contain the address of the page.
    Object.assign(globalThis, { location: new URL(host) });
    try {
      const { docsMarkdown: render } = (await server.ssrLoadModule('/src/features/docs/markdown/docs-markdown.tsx')) as {
        docsMarkdown: () => [name: string, markdown: string][];
      };
      for (const [name, source] of render()) this.emitFile({ type: 'asset', fileName: `docs/${name}.md`, source });
    } finally {
      Reflect.deleteProperty(globalThis, 'location');
      await server.close();
    }
  },
});
