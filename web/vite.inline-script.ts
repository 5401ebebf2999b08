import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const place = '<!-- before-app.js -->';

/**
 * Puts `before-app.js` into the page: it sets the theme before the first paint, which a separate file would delay by a request. The gateway
 * allows the inline scripts of the built page by their hash (gateway/src/site/inline-scripts.ts).
 */
export const inlineScript = (): Plugin => ({
  name: 'tandem-inline-script',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      if (!html.includes(place)) throw new Error(`index.html has no ${place}`);
      const code = readFileSync(join(import.meta.dirname, 'before-app.js'), 'utf8').replace(/^\s*\/\/.*\n/gm, '');
      return html.replace(place, () => `<script>${code.trim()}</script>`);
    },
  },
});
