import { expect, test, type Page } from '@playwright/test';
import { expectNoSidewaysScroll, expectNoViolations } from './axe';
import { baseUrl, createPortal } from './fixtures';

/** Opens an address of the documentation; `/docs/admin-guide?tab=users`. */
async function open(page: Page, address: string): Promise<void> {
  await page.goto(baseUrl() + address);
  // The first HTML has no behavior yet.
  await page.locator('#root').getByRole('article').waitFor();
}

/** The pages in the sidebar. */
async function pagesOf(page: Page): Promise<{ path: string; title: string }[]> {
  await open(page, '/docs');
  const links = await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link').all();
  const pages = await Promise.all(
    links.map(async (link) => ({ path: (await link.getAttribute('href')) ?? '', title: (await link.textContent()) ?? '' })),
  );
  expect(pages).toHaveLength(10);
  return pages;
}

/**
 * Opens a page and each of its tabs in turn, and calls `work` with their addresses. The last tab is then opened by its address, too:
 * loading each of them would take as much CPU time as axe.
 */
async function onEachTab(page: Page, address: string, work: (tab: string) => Promise<void>): Promise<void> {
  await open(page, address);
  const tabs = page.getByRole('tablist').first().getByRole('tab');
  // Some tabs are loaded when they are first opened.
  const content = page.getByRole('tabpanel').first().getByRole('paragraph').first();
  const count = await tabs.count();
  for (let at = 0; at < Math.max(count, 1); at += 1) {
    if (count > 0) {
      await tabs.nth(at).click();
      await expect(tabs.nth(at)).toHaveAttribute('aria-selected', 'true');
      await content.waitFor();
    }
    const { pathname, search } = new URL(page.url());
    await work(pathname + search);
  }
  if (count === 0) return;
  const text = (await content.textContent()) ?? '';
  await page.reload();
  await expect(tabs.last()).toHaveAttribute('aria-selected', 'true');
  await expect(content).toHaveText(text);
}

/** Addresses of other hosts that the documentation may link to. They are not requested here. */
const elsewhere = ['https://www.standardwebhooks.com/'];

const linksOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...document.querySelectorAll<HTMLAnchorElement>('a[href]')].map(({ href }) => href));
const idsOf = (page: Page): Promise<string[]> => page.evaluate(() => [...document.querySelectorAll('[id]')].map(({ id }) => id));

test('every tab of the documentation is accessible and fits, wide in light and narrow in dark; its links and anchors lead somewhere, and no page sends requests to other hosts', async ({
  page,
  request,
}) => {
  test.setTimeout(600_000);
  const others: string[] = [];
  page.on('request', (sent) => {
    if (new URL(sent.url()).origin !== baseUrl()) others.push(sent.url());
  });
  const schemes: [width: number, colorScheme: 'light' | 'dark'][] = [
    [1440, 'light'],
    [390, 'dark'],
  ];
  const links = new Set<string>();
  const ids = new Map<string, string[]>();
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const { path, title } of await pagesOf(page)) {
    expect(await (await request.get(baseUrl() + path)).text()).toMatch(/id="first-html".*<h1/);
    await onEachTab(page, path, async (tab) => {
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
      ids.set(tab, await idsOf(page));
      for (const link of await linksOf(page)) links.add(link);
      for (const [width, colorScheme] of schemes) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        await expectNoSidewaysScroll(page, `${tab} at ${width}`);
        await expectNoViolations(page, `${tab} at ${width}, ${colorScheme}`);
      }
      // The next tab starts with the layout that is shown now, which saves the CPU time of changing it.
      schemes.reverse();
    });
  }
  const isBroken = async (link: string): Promise<boolean> => {
    const { origin, pathname, search, hash } = new URL(link);
    if (origin !== baseUrl()) return !elsewhere.includes(link);
    if (hash === '' || !pathname.startsWith('/docs/')) return !(await request.get(link)).ok();
    const known = ids.get(pathname + search);
    // Without a tab in its address, the section itself has to open the right one.
    if (!known) await open(page, pathname + search + hash);
    return !(known ?? (await idsOf(page))).includes(decodeURIComponent(hash.slice(1)));
  };
  const broken: string[] = [];
  for (const link of links) if (await isBroken(link)) broken.push(link);
  expect(links.size).toBeGreaterThan(100);
  expect(broken).toEqual([]);
  expect(others).toEqual([]);
});

test('the list of pages and the list of sections open on a phone and work with the keyboard', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open(page, '/docs/customer-guide');
  await expect(page.getByRole('link', { name: 'Domain setup' })).toBeHidden();
  await page.getByRole('button', { name: 'On this page' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Files' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#files$/);
  await expect(page.getByRole('heading', { name: 'Files' })).toBeInViewport();
  await page.getByRole('button', { name: 'All pages' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Domain setup' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Domain setup' })).toBeInViewport();
  await expect(page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Quick start' })).toBeHidden();
});

for (const { path, width, button, after } of [
  {
    path: '/docs/api-reference',
    width: 1440,
    button: { role: 'tab', name: 'REST API' },
    after: (page: Page) => expect(page.getByRole('tab', { name: 'REST API', selected: true })).toBeFocused(),
  },
  {
    path: '/docs/api-reference',
    width: 1440,
    button: { role: 'button', name: 'Switch between light and dark mode' },
    after: (page: Page) => expect(page.locator('html')).toHaveAttribute('data-theme', 'light'),
  },
  {
    path: '/',
    width: 390,
    button: { role: 'button', name: 'Open menu' },
    after: (page: Page) => expect(page.getByRole('button', { name: 'Close menu', expanded: true })).toBeFocused(),
  },
] as const)
  test(`“${button.name}” can be pressed before the app is loaded`, async ({ page }) => {
    const scripts = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await scripts.promise;
      await route.continue();
    });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width, height: 900 });
    await page.goto(baseUrl() + path, { waitUntil: 'commit' });
    await page.locator('#first-html').getByRole(button.role, { name: button.name }).click();
    scripts.resolve();
    await expect(page.locator('#first-html')).toHaveCount(0);
    await after(page);
  });

test('paper shows all tabs and no controls', async ({ page }) => {
  await open(page, '/docs/customer-guide');
  await page.emulateMedia({ media: 'print' });
  for (const name of ['Submitting', 'Tracking', 'Communication', 'FAQ'])
    await expect(page.getByRole('article').getByText(name, { exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Rate our support' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Documentation' })).toBeHidden();
  await expect(page.getByRole('tablist')).toHaveCount(0);
});

test('each page is also Markdown with the addresses of this installation, listed in llms.txt', async ({ page, request }) => {
  const index = await (await request.get(`${baseUrl()}/llms.txt`)).text();
  for (const { path, title } of await pagesOf(page)) {
    const url = `${baseUrl()}${path}.md`;
    expect(index).toContain(url);
    const answer = await request.get(url);
    expect(answer.headers()['content-type']).toBe('text/markdown; charset=utf-8');
    const markdown = await answer.text();
    expect(markdown).toMatch(new RegExp(`^# ${title}\n`));
    expect(markdown).not.toContain('tandem.invalid');
    for (const [, link = ''] of markdown.matchAll(/\]\(([^)]+)\)/g))
      if (!elsewhere.includes(new URL(link).href)) expect([link, (await request.get(link)).status()]).toEqual([link, 200]);
  }
});

test('an organization’s host has the customer guide only, without the product’s pages', async ({ context, page }) => {
  const portal = await createPortal(context);
  await page.goto(`${portal}/docs/customer-guide`);
  await expect(page.getByRole('heading', { level: 1, name: 'Customer guide' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Documentation' })).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'Quick start' })).toHaveCount(0);
  expect((await linksOf(page)).filter((link) => !link.startsWith(portal))).toEqual([]);
  // In the page: only the browser resolves the name of this host.
  const read = (path: string) => page.evaluate(async (each) => (await fetch(each)).text(), path);
  expect(await read('/docs/customer-guide.md')).toContain(`](${portal}/submit-ticket)`);
  expect(await page.evaluate(async () => (await fetch('/llms.txt')).status)).toBe(404);
  await page.goto(`${portal}/docs/quick-start.md`);
  expect(page.url()).toBe(`${baseUrl()}/docs/quick-start.md`);
});
