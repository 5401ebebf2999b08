import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { widgetBuilds } from './vite.widget';

export default defineConfig({
  plugins: [react(), tailwindcss(), widgetBuilds()],
  // One port serves everything in production; here Vite serves the pages and passes the rest on to the gateway.
  server: { port: 5173, proxy: { '/api': { target: 'http://localhost:3000', changeOrigin: false } } },
  build: {
    target: 'es2022',
    // The server's Content-Security-Policy allows no data: scripts or fonts, and small files compress well on their own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
