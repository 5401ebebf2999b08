import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { findChromium } from '../local/chromium.ts';

/**
 * Takes the pictures of the README (`docs/images`) and of the landing page (`web/public/pictures`) from a running installation with the
 * demo data: `npm start`, then `npm run pictures -- PASSWORD [URL]` with the password that it prints.
 */

const root = join(import.meta.dirname, '../..');
const [password, address = 'http://localhost:3000'] = process.argv.slice(2);
if (password === undefined) throw new Error('Usage: npm run pictures -- PASSWORD [URL]');
const size = { width: 1360, height: 850 };

interface Picture {
  name: string;
  /** The page is signed in as an admin. */
  open: (page: Page) => Promise<unknown>;
}

const portal = new URL(address);
portal.hostname = `northwind.${portal.hostname}`;

const list = `${address}/tickets?status=open,in_progress,waiting_for_customer&sort=due`;
const openTicket = async (page: Page) => {
  await page.goto(list);
  // A ticket of the demo data, with a conversation and a task.
  await page.locator('a[href^="/tickets/"]', { hasText: 'API returns 429' }).first().click();
  await page.getByRole('list', { name: 'Conversation' }).waitFor();
};

const pictures: Picture[] = [
  { name: 'tickets', open: (page) => page.goto(list) },
  { name: 'ticket', open: openTicket },
  { name: 'analytics', open: (page) => page.goto(`${address}/analytics`) },
  { name: 'integration', open: (page) => page.goto(`${address}/integration`) },
  { name: 'portal', open: (page) => page.goto(portal.href) },
];
const onLanding = ['tickets', 'ticket'];

/** In pixels, for phones: less than half of the bytes. `web/src/features/landing/Product.tsx` names it. */
const smallWidth = 720;

/** Playwright writes PNG or JPEG. Chromium also encodes WebP, which is a fifth of the PNG. */
async function asWebP(page: Page, png: Buffer, width = size.width): Promise<Buffer> {
  const parameters = { data: png.toString('base64'), width };
  const encoded = await page.evaluate(async ({ data, width }) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const height = Math.round((image.height * width) / image.width);
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const context = canvas.getContext('2d')!;
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, width, height);
    return canvas.toDataURL('image/webp', 0.82).split(',')[1]!;
  }, parameters);
  return Buffer.from(encoded, 'base64');
}

async function signIn(page: Page) {
  await page.goto(`${address}/auth`);
  await page.getByLabel('Email').fill('admin@demo.test');
  await page.getByLabel('Password', { exact: true }).fill(password!);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard');
}

function write(folder: string, name: string, content: Buffer) {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, name), content);
  process.stdout.write(`${folder}/${name}: ${Math.round(content.length / 1024)} KB\n`);
}

const browser = await chromium.launch({ executablePath: await findChromium(() => undefined) });
try {
  const encoder = await browser.newPage();
  for (const colorScheme of ['light', 'dark'] as const) {
    // One page for all pictures: a session belongs to one browser.
    const page = await browser.newPage({ viewport: size, colorScheme, reducedMotion: 'reduce' });
    await signIn(page);
    for (const { name, open } of pictures.filter((each) => colorScheme === 'light' || onLanding.includes(each.name))) {
      await open(page);
      // Live connections keep the network busy, so the script cannot wait for a moment without requests.
      await page.waitForTimeout(2_500);
      // On a busy machine, parts of the page may still be loading then.
      await page.waitForFunction(() => document.querySelector('.animate-shimmer, [aria-busy=true]') === null);
      await page.waitForTimeout(1_000);
      const screenshot = await page.screenshot();
      const picture = await asWebP(encoder, screenshot);
      if (colorScheme === 'light') write('docs/images', `${name}.webp`, picture);
      if (!onLanding.includes(name)) continue;
      write('web/public/pictures', `${name}-${colorScheme}.webp`, picture);
      write('web/public/pictures', `${name}-${colorScheme}-small.webp`, await asWebP(encoder, screenshot, smallWidth));
    }
    await page.close();
  }
} finally {
  await browser.close();
}
