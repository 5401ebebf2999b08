import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findChromium } from '../local/chromium.ts';

/**
 * Takes pictures of all emails for review: in the width of a desktop client's reading pane and in that of a phone, each in light and dark.
 * `EMAIL_PAGES=FOLDER npm test -- unit email-pages` writes the emails to the folder.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node deploy/pictures/take-email-pictures.ts FOLDER');

const logo = readFileSync(join(import.meta.dirname, '../../web/public/email-logo.png'));
const browser = await chromium.launch({ executablePath: await findChromium(() => undefined), args: ['--no-sandbox'] });
try {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [600, 360]) {
      const page = await browser.newPage({ viewport: { width, height: 400 }, colorScheme });
      // Emails load no other resource.
      await page.route(/^https:/, (route) => route.fulfill({ body: logo, contentType: 'image/png' }));
      for (const name of readdirSync(folder).filter((each) => each.endsWith('.html'))) {
        await page.setContent(readFileSync(join(folder, name), 'utf8'), { waitUntil: 'load' });
        await page.screenshot({ path: join(folder, `${name.replace(/\.html$/, '')}-${width}-${colorScheme}.png`), fullPage: true });
      }
      await page.close();
    }
} finally {
  await browser.close();
}
