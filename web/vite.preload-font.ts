import type { Plugin } from 'vite';

const latin = /inter-latin-wght-normal-.*\.woff2$/;

/** Preloads the font that every page uses. The browser would otherwise request it only after the style sheet and the page have loaded. */
export const preloadFont = (): Plugin => ({
  name: 'tandem-preload-font',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      const href = Object.keys(bundle ?? {}).find((file) => latin.test(file));
      if (href === undefined) throw new Error('The font is not part of the build');
      // Fonts are always requested in CORS mode: without `crossorigin` the browser would load it twice.
      return [
        { tag: 'link', attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${href}`, crossorigin: true }, injectTo: 'head' },
      ];
    },
  },
});
