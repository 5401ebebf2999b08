import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compiledCatalogs } from './vite.catalogs';
import { compressedFiles } from './vite.compressed-files';
import { docsMarkdown } from './vite.docs-markdown';
import { firstHtml } from './vite.first-html';
import { inlineScript } from './vite.inline-script';
import { plainImports } from './vite.plain-imports';
import { preloadFont } from './vite.preload-font';
import { preloadLinks } from './vite.preload-links';
import { smallReactRouter } from './vite.react-router';
import { staffTexts } from './vite.staff-texts';
import { widgetBuilds } from './vite.widget';

/**
 * Shared code is grouped into few chunks, each with everything that its modules import and no chunk of a higher priority has. By default
 * there would be one chunk per combination of pages, 30 for the form of a new ticket, and a phone requests six at a time.
 */
const sharedFiles = [
  { name: 'app', tags: ['$initial' as const], priority: 8 },
  // Only for an organization's own texts. Without this group it would be next to the runtime, which imports it for development.
  { name: 'message-parser', priority: 9, test: /[\\/](@messageformat|@lingui[\\/]message-utils)[\\/]/ },
  {
    // The index of the contracts' values imports them all: without this group, `ui` would contain those of a single page, and a page that
    // needs one of `portal` would load all of that.
    name: (id: string) =>
      /[\\/]contracts[\\/]src[\\/]values[\\/](analytics|articles|api-tokens|attachments|audit|brand-colors|ticket-custom-fields|custom-fields|errors|languages|task-sync|webhooks)\.ts$/.exec(
        id,
      )?.[1] ?? null,
    priority: 7,
  },
  {
    // Nearly every page.
    name: 'ui',
    priority: 6,
    test: new RegExp(
      [
        String.raw`[\\/]src[\\/]ui[\\/](Alert|Avatar|Badge|Card|ConnectionNote|EmptyState|ErrorNote|Field|Input|Logo|PageHeader|Skeleton|Time)\.`,
        String.raw`[\\/]src[\\/]lib[\\/](announce|clipboard|dates|format-message|lazy-format|linked-text|document-title|http|media|portal-address|resend|tab-storage|ticket-badges|unique)\.`,
        String.raw`[\\/]icons[\\/](arrow-(down|left|up)|building-.*|chart-no-axes-column|check|chevron-down|circle-check|copy|download|moon|plus|search-x|sun|x)\.`,
        String.raw`[\\/]contracts[\\/]src[\\/]values[\\/](permissions|tickets)\.`,
      ].join('|'),
    ),
  },
  {
    // The pages with forms that upload files. Above `portal`, which staff pages would otherwise load for the shared parts.
    name: 'uploads',
    priority: 5,
    test: /[\\/]src[\\/](lib[\\/](uploads|use-uploads|use-send-upload)|ui[\\/](DropArea|FileButton|UploadTray))\./,
  },
  {
    // The customer pages.
    name: 'portal',
    priority: 4,
    test: /[\\/]src[\\/]features[\\/]portal[\\/](PortalFrame|PortalOutcome|NoMatch|EmailForm|refusal|draft|show-errors|files[\\/]|language[\\/])|[\\/](@lingui[\\/]core|languages[\\/]src[\\/]runtime|src[\\/]lib[\\/]localized-field)/,
  },
  // Sign-in and the staff pages.
  { name: 'staff', priority: 3, test: /[\\/]src[\\/]app[\\/](StaffApp|guards|session-(channel|end|store))\./ },
  {
    // The staff pages. With the icons and small modules that several of them use: as separate chunks they would be twice the size.
    name: 'frame',
    priority: 2,
    test: new RegExp(
      [
        String.raw`[\\/]src[\\/](app[\\/]Frame|ui[\\/]Select|lib[\\/](member-options|recent-tickets|return-focus|ticket-changes))\.`,
        String.raw`[\\/]icons[\\/](alarm-clock|calendar-clock|ellipsis|flame|git-merge|lock|pencil|rotate-ccw|user-round-x)\.`,
        String.raw`[\\/]src[\\/]features[\\/]tickets[\\/]list[\\/]ticket-query\.`,
        String.raw`[\\/]contracts[\\/]src[\\/]values[\\/]query-list\.`,
      ].join('|'),
    ),
  },
  {
    // The list and the pages of one ticket.
    name: 'tickets',
    priority: 1,
    test: /[\\/]src[\\/]features[\\/]tickets[\\/](tickets\.api|list[\\/]loaded-lists|conversation[\\/]conversation|open-ticket)\./,
  },
  {
    // The small parts of a ticket's page that its popups, the sample ticket or the list's row actions also use.
    name: 'ticket',
    priority: 0,
    test: new RegExp(
      [
        String.raw`[\\/]src[\\/]lib[\\/]sender-checks\.`,
        String.raw`[\\/]src[\\/]features[\\/]tickets[\\/](use-ticket-change|conversation[\\/]Message|detail[\\/]ticket-page\.api|read[\\/](read\.api|use-ticket-read))\.`,
      ].join('|'),
    ),
  },
];

export default defineConfig({
  plugins: [
    smallReactRouter(),
    plainImports(),
    staffTexts({ isWholeApp: true }),
    react(),
    tailwindcss(),
    compiledCatalogs(),
    preloadLinks(),
    preloadFont(),
    inlineScript(),
    docsMarkdown(),
    firstHtml(),
    compressedFiles(),
    widgetBuilds(),
  ],
  // In production one port serves everything; here Vite serves the pages and proxies the API to the gateway.
  server: { port: 5173, proxy: { '/api': { target: 'http://localhost:3000', changeOrigin: false } } },
  build: {
    target: 'es2022',
    // The server's Content-Security-Policy allows no data: scripts or fonts, and small files compress well separately.
    assetsInlineLimit: 0,
    // The gateway lists the files of the first page (vite.preload-links.ts). Vite's lists of every other page would be 3 KB of the first load.
    modulePreload: false,
    rolldownOptions: {
      output: { codeSplitting: { groups: sharedFiles } },
      treeshake: { moduleSideEffects: [{ test: /[\\/]contracts[\\/]src[\\/]values[\\/]/, sideEffects: false }] },
      // Puts the paths of API calls where they are used. Otherwise the `ui` chunk contains paths of other pages: 13.9 instead of 12.0 KB gzip.
      optimization: { inlineConst: true },
    },
  },
});
