import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { firstCode } from './vite.first-code';
import { widgetBuilds } from './vite.widget';

/**
 * What pages share would else be a file for each combination of pages that share it, 30 for the form of a new ticket, and a phone asks for six at a
 * time. Here it is three: what every page loads at once, what nearly every page shows, and what the pages of customers have in common.
 */
const sharedFiles = [
  { name: 'app', tags: ['$initial' as const], priority: 3 },
  {
    name: 'ui',
    priority: 2,
    test: /[\\/]src[\\/](ui[\\/](Field|ErrorNote|EmptyState|Skeleton)|lib[\\/](http|unique|announce|tab-title|uploads|use-uploads|portal-address))\.|icons[\\/]building-/,
  },
  {
    name: 'portal',
    priority: 1,
    test: /[\\/]src[\\/]features[\\/]portal[\\/](PortalFrame|EmailForm|refusal|draft|show-errors|files[\\/])/,
  },
];

export default defineConfig({
  plugins: [react(), tailwindcss(), firstCode(), widgetBuilds()],
  // One port serves everything in production; here Vite serves the pages and passes the rest on to the gateway.
  server: { port: 5173, proxy: { '/api': { target: 'http://localhost:3000', changeOrigin: false } } },
  build: {
    target: 'es2022',
    // The server's Content-Security-Policy allows no data: scripts or fonts, and small files compress well on their own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: sharedFiles } } },
  },
});
