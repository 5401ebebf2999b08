import { expect, test, type BrowserContext, type Frame, type Page } from '@playwright/test';
import { compileCatalog } from '@tandem/languages/compile';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pseudoMessage } from '../pseudo-language';
import { expectNoSidewaysScroll } from './axe';
import { baseUrl, call, comment, createPortal, createTicket, publishArticle, uniqueEmail } from './fixtures';
import { openSite } from './widget-sites';

const pseudoCatalog = (part: string): string => {
  const file = join(import.meta.dirname, `../../libs/languages/catalogs/${part}/en.json`);
  const compiled = compileCatalog(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>);
  return `export default ${JSON.stringify(Object.fromEntries(Object.entries(compiled).map(([key, text]) => [key, pseudoMessage(text)])))}`;
};
/** A key of each part, by which its file is recognized: the names of the built files have no part. */
const keyOf = { portal: 'frame.nav', survey: 'survey.title', widget: 'form.signed_in' };

/** Two articles of one category, so that each is related to the other. */
async function createHelp(context: BrowserContext) {
  const { id: category_id } = await call(context, 'post', '/article-categories', { name: 'Zahlungen' });
  const body = '# Vorher\nNummer suchen.\n\n# Danach\nFertig.';
  await publishArticle(context, { title: 'Zahlung erstatten', body, category_id });
  await publishArticle(context, { title: 'Rechnung laden', body, category_id });
  const publishedOn = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' }).format();
  return {
    paths: ['/help', '/help/categories/1', '/help/2'],
    data: ['Zahlungen', 'Zahlung erstatten', 'Rechnung laden', 'Vorher', 'Nummer suchen.', 'Danach', 'Fertig.', publishedOn],
  };
}

/** Replaces the English texts of the customer pages, and the HTML that is shown before them. */
async function speakPseudo(context: BrowserContext): Promise<void> {
  await context.route('**/assets/en-*.js', async (route) => {
    // Only the browser knows the hosts below localhost; the files are the same on each.
    const answer = await route.fetch({ url: baseUrl() + new URL(route.request().url()).pathname });
    const code = await answer.text();
    const part = Object.entries(keyOf).find(([, key]) => code.includes(`"${key}"`) || code.includes(`\`${key}\``))?.[0];
    if (part === undefined) throw new Error(`${route.request().url()} is not a catalog`);
    await route.fulfill({ response: answer, body: pseudoCatalog(part) });
  });
}

/** Texts of the page with unaccented words, which therefore come from no catalog. `data` comes from people, not from the product. */
const untranslated = (page: Page | Frame, data: string[]) =>
  page.evaluate((known) => {
    const isShown = (element: Element | null): element is HTMLElement =>
      element instanceof HTMLElement && element.checkVisibility() && !element.closest('time, option, script, style, [aria-hidden="true"]');
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (isShown(walker.currentNode.parentElement)) texts.push(walker.currentNode.textContent ?? '');
    for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], [alt]'))
      if (isShown(element)) texts.push(...['aria-label', 'placeholder', 'title', 'alt'].map((name) => element.getAttribute(name) ?? ''));
    const rest = (text: string) => known.reduce((left, each) => left.replaceAll(each, ''), text);
    return texts.filter((text) => /[A-Za-z]{2,}/.test(rest(text)));
  }, data);

/** Buttons, links, labels and headings whose text does not fit into them or into the window. */
const overflowing = (page: Page | Frame) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a, label, legend, h1, h2, p, li, summary, dt, dd')]
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        if (width <= 1 || !element.checkVisibility() || element.closest('.truncate, [aria-hidden="true"], .sr-only, .away')) return false;
        return (
          left < -1 || right > window.innerWidth + 1 || (element.matches('button, a') && element.scrollWidth > element.clientWidth + 1)
        );
      })
      .map((element) => `${element.tagName} ${element.textContent}`),
  );

test('all texts of the customer’s side come from the catalogs, and longer ones fit', async ({ context, browser }) => {
  const portal = await createPortal(context, { languages: { default: 'en', offered: ['en', 'ar'] } });
  const { organization } = (await call(context, 'get', '/auth/session')) as unknown as {
    organization: { name: string; subdomain: string };
  };
  const email = uniqueEmail('jonas');
  const open = await createTicket(context, { customer_email: email });
  const resolved = await createTicket(context, { customer_email: email });
  await comment(context, open.id, 'Die Säcke sind unterwegs.');
  await call(context, 'patch', `/tickets/${resolved.id}`, { status: 'resolved' });
  const help = await createHelp(context);
  const data = [
    ...[
      'Order arrived with the wrong grind',
      'Jonas Weber',
      'Ada Okafor',
      'Ada',
      email,
      organization.name,
      open.ticket_number,
      resolved.ticket_number,
    ],
    ...[
      'All twelve bags came ground for filter.',
      'Could you send replacements before Friday? See ',
      'https://shop.example.com/orders/48213',
    ],
    ...['Die Säcke sind unterwegs.', 'alt+T'],
    ...help.data,
  ];
  const visitor = await browser.newContext({ locale: 'en-US' });
  await speakPseudo(visitor);
  const page = await visitor.newPage();

  const customerPages: [path: string, prepare?: () => Promise<void>][] = [
    ['/'],
    [
      '/submit-ticket',
      async () => {
        await page.locator('summary').click();
        await page.locator('button[type=submit]').click();
        await expect(page.locator('[data-sonner-toast]')).toBeVisible();
      },
    ],
    ['/ticket-status/check', () => page.locator('button[type=submit]').click()],
    [`/ticket-status/lookup?email=${email}`],
    [`/ticket-status/${open.id}?email=${email}`],
    [`/ticket-status/${resolved.id}?email=${email}`],
    [`/ticket-status/${open.id}?email=other@example.com`],
    [`/survey/${resolved.id}?email=${email}`, () => page.locator('button[type=submit]').click()],
    [`/survey/${resolved.id}`],
    ...help.paths.map((path): [string] => [path]),
    ['/no/such/page'],
  ];
  for (const [path, prepare] of customerPages) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(portal + path);
    await expect(page.locator('#root h1')).toBeVisible();
    await prepare?.();
    expect.soft(await untranslated(page, data), path).toEqual([]);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page, `${path} at ${width}`);
      expect.soft(await overflowing(page), `${path} at ${width}`).toEqual([]);
    }
  }

  const site = await openSite(`${baseUrl()}/widget/v1/widget.js`, new URL(baseUrl()).hostname);
  await page.goto(site.address({ attributes: { organization: organization.subdomain } }));
  await page.getByRole('button', { name: 'Support' }).click();
  const form = page.frameLocator('#tandem-widget iframe').locator('form');
  await expect(form).toBeVisible();
  await form.locator('button[type=submit]').click();
  const frame = page.frames().find((each) => each.url().includes('/widget/frame'))!;
  expect.soft(await untranslated(frame, data), 'widget').toEqual([]);
  expect.soft(await overflowing(frame), 'widget').toEqual([]);
  await site.close();
  await visitor.close();
});

test('Arabic pages are from right to left before their scripts arrive, and fit', async ({ context, browser }) => {
  const portal = await createPortal(context, { languages: { default: 'en', offered: ['en', 'ar'] } });
  const email = uniqueEmail('jonas');
  const ticket = await createTicket(context, { customer_email: email });
  await comment(context, ticket.id, 'New bags are on the way.');
  const help = await createHelp(context);
  const visitor = await browser.newContext({ locale: 'ar', viewport: { width: 390, height: 844 } });
  const page = await visitor.newPage();
  const first = await (await page.goto(`${portal}/submit-ticket`))!.text();
  expect(first).toContain('<html lang="ar" dir="rtl">');
  expect(first).toContain('كيف يمكننا مساعدتك؟');
  const ofTicket = [`/ticket-status/${ticket.id}?email=${email}`, `/survey/${ticket.id}?email=${email}`];
  for (const path of ['/', '/submit-ticket', ...ofTicket, ...help.paths]) {
    await page.goto(portal + path);
    await expect(page.locator('#root h1')).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
    await expectNoSidewaysScroll(page, path);
    expect.soft(await overflowing(page), path).toEqual([]);
  }
  await visitor.close();
});
