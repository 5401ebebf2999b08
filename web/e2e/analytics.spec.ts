import { expect, test, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { expectNoSidewaysScroll, expectNoViolations } from './axe';
import { baseUrl, call, comment, createOrganization, createPortal, createTicket, listed, signInTeammate } from './fixtures';

/** Tickets that differ in everything that the page counts. */
const plans = [
  {
    priority: 'urgent',
    category: 'Orders',
    tags: ['vip', 'beans'],
    status: 'resolved',
    replies: 1,
    rating: 5,
    feedback: 'Quick and kind.',
  },
  { priority: 'urgent', category: 'Orders', tags: ['vip'], status: 'in_progress', replies: 2 },
  { priority: 'high', category: 'Billing & refunds', tags: [], status: 'resolved', replies: 2, rating: 2, feedback: 'It took two tries.' },
  { priority: 'high', category: 'Orders', tags: ['beans'], status: 'open', replies: 0 },
  { priority: 'medium', category: null, tags: [], status: 'waiting_for_customer', replies: 1 },
  // 'first, second' is one tag: the list has other tickets for the tag 'first' and for two tags.
  { priority: 'medium', category: null, tags: ['vip', 'first, second'], status: 'closed', replies: 0 },
  { priority: 'low', category: null, tags: ['first'], status: 'open', replies: 0 },
  { priority: 'low', category: null, tags: ['second\\'], status: 'open', replies: 0 },
  { priority: 'low', category: 'Billing & refunds', tags: [], status: 'reopened', replies: 1 },
];

async function seed(context: BrowserContext, portal: string, assignees: string[]): Promise<void> {
  const customer = await context.newPage();
  await customer.goto(portal);
  for (const [index, { status, replies, rating, feedback, ...fields }] of plans.entries()) {
    const { id } = await createTicket(context, { ...fields, subject: `Ticket ${index}` });
    await call(context, 'patch', `/tickets/${id}`, { assigned_to: assignees[index % assignees.length] ?? null });
    for (let reply = 0; reply < replies; reply += 1) await comment(context, id, `Reply ${reply}`);
    const steps = status === 'reopened' ? ['resolved', 'in_progress'] : [status];
    for (const step of steps) if (step !== 'open') await call(context, 'patch', `/tickets/${id}`, { status: step });
    if (!rating) continue;
    // Sent from a portal page, because only the browser resolves the portal's host name.
    const answered = await customer.evaluate(
      async ([path, body]) => (await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status,
      [`/api/v1/public/surveys/${id}`, JSON.stringify({ email: 'jonas@example.com', rating, feedback })] as const,
    );
    expect(answered).toBe(201);
  }
  await customer.close();
}

async function open(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 1000 });
  await page.goto(`${baseUrl()}/analytics`);
  return page;
}

interface Counted {
  name: string;
  href: string;
  count: number;
}
/** The names of links end with what they count: 'High: 3 tickets', 'Tue, Nov 3: 4 created', '2 answered', 'Ada, Open: 1'. */
const countAtEnd = /(\d[\d,]*)(?: (?:tickets?|created|resolved|open at the end of the day|of \d[\d,]* missed|answered|sent))?$/;
const countsNothing = /(First response|Resolution|Satisfaction): |^(SLA compliance|Escalation rate|Reopen rate|One-touch rate):/;

/** Every link of the page to the ticket list, with the count that it shows. */
async function countedLinks(page: Page): Promise<Counted[]> {
  const links = await page.locator('main a[href^="/tickets?"]').evaluateAll((all) =>
    all.map((each) => {
      const shown = each.cloneNode(true) as Element;
      for (const hidden of shown.querySelectorAll('[aria-hidden]')) hidden.remove();
      return { name: each.getAttribute('aria-label') ?? shown.textContent ?? '', href: each.getAttribute('href') ?? '' };
    }),
  );
  return links.flatMap(({ name, href }) => {
    const count = countsNothing.test(name) ? undefined : countAtEnd.exec(name)?.[1];
    return count === undefined ? [] : [{ name, href, count: Number(count.replaceAll(',', '')) }];
  });
}

async function expectListed(page: Page, { name, count }: Counted): Promise<void> {
  const total = page.getByRole('region', { name: 'Ticket list' }).getByText(count === 1 ? '1 ticket' : `${count} tickets`, { exact: true });
  await expect(total, name).toBeVisible();
}

const section = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

test.describe.configure({ mode: 'parallel' });
test.setTimeout(300_000);

test('every figure, bar and cell opens exactly the tickets that it counts', async ({ context, browser }) => {
  const portal = await createPortal(context);
  const teammate = await signInTeammate(browser, context, 'Grace');
  const idOf = async (each: BrowserContext) =>
    ((await call(each, 'get', '/auth/session')) as unknown as { profile: { user_id: string } }).profile.user_id;
  await seed(context, portal, [await idOf(context), await idOf(teammate)]);
  const page = await open(context);
  // The figures follow the events without a reload.
  await expect(page.getByRole('link', { name: `Total tickets: ${plans.length}` })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Satisfaction: 3.5', exact: true })).toBeVisible();
  // Charts are loaded after the figures, the last ones together.
  for (const name of ['Created and resolved per day', 'Arrivals']) await expect(section(page, name)).toBeVisible();

  // The events of the last changes may still be on their way.
  let filled: Counted[] = [];
  await expect(async () => {
    const all = await countedLinks(page);
    const byHref = new Map(all.map((each) => [each.href, each]));
    for (const each of all)
      expect(each.count, `${each.name} differs from ${byHref.get(each.href)?.name}`).toBe(byHref.get(each.href)?.count);
    filled = [...byHref.values()].filter(({ count }) => count > 0);
    // Cells without tickets are alike: a few of each kind are enough.
    const empty = [...byHref.values()].filter(({ count }) => count === 0);
    expect(filled.length).toBeGreaterThan(25);
    const checked = [...filled, ...empty.filter((_, index) => index % 40 === 0)];
    for (let next = 0; next < checked.length; next += 10)
      await Promise.all(
        checked.slice(next, next + 10).map(async ({ name, href, count }) => expect(await listed(context, href), name).toBe(count)),
      );
  }).toPass({ timeout: 30_000 });
  // Every kind of link is opened by analytics-links.spec.ts, but not these tags.
  const ofTags = filled.filter(({ href }) => href.includes('tag='));
  expect(ofTags.length).toBeGreaterThan(3);
  for (const each of ofTags) {
    await page
      .locator(`main a[href="${each.href}"]`)
      .first()
      .evaluate((link: HTMLElement) => link.click());
    await expectListed(page, each);
    await page.goBack();
    await expect(page.getByRole('heading', { name: 'Analytics' })).toBeVisible();
  }

  // Rates and medians open the tickets that they are computed from.
  const { figures } = (await call(context, 'get', '/analytics')) as unknown as { figures: Record<string, number> };
  for (const [label, member] of [
    ['First response', 'responded_tickets'],
    ['Resolution', 'resolved_tickets'],
    ['Satisfaction', 'ratings'],
    ['Reopen rate', 'reopened_tickets'],
    ['One-touch rate', 'one_touch_tickets'],
    ['Escalation rate', 'escalated_tickets'],
  ] as const) {
    await page.getByRole('link', { name: new RegExp(`^${label}: `) }).click();
    await expectListed(page, { name: label, href: '', count: figures[member] ?? -1 });
    await page.goBack();
  }
});

test('the address stores range and filters, and the arrow keys move between the bars', async ({ context }) => {
  const portal = await createPortal(context);
  await seed(context, portal, []);
  const page = await open(context);
  await expect(page.getByRole('link', { name: `Total tickets: ${plans.length}` })).toBeVisible();
  await page.getByRole('button', { name: '7 days' }).click();
  await expect(page).toHaveURL(/\?range=7$/);
  await page.getByRole('combobox', { name: 'Priority' }).click();
  await page.getByRole('option', { name: 'High' }).click();
  await expect(page).toHaveURL(/\?range=7&priority=high$/);
  await expect(page.getByRole('link', { name: 'Total tickets: 2' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('link', { name: 'Total tickets: 2' })).toBeVisible();

  const chart = section(page, 'Created and resolved per day');
  const createdToday = chart.getByRole('link', { name: /: 2 created$/ });
  // The bars are drawn after the figures.
  await expect(createdToday).toBeVisible();
  await chart.getByRole('button', { name: /^Download CSV/ }).focus();
  await page.keyboard.press('Tab');
  await expect(createdToday).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(chart.getByRole('link', { name: /: 1 resolved$/ })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(chart.getByRole('link', { name: /: 0 resolved$/ }).last()).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expectListed(page, { name: 'resolved today', href: '', count: 1 });
  await expect(page.getByRole('list', { name: 'Active filters' })).toContainText('Resolved:');

  // A year is wider than the page: the newest days are in view.
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  await page.goto(`${baseUrl()}/analytics?from=${day(364)}&to=${day(0)}`);
  await expect(chart.getByRole('link', { name: /created$/ }).last()).toBeInViewport();
});

test('the first ticket replaces the explanation; a chart at the end is in view again after Back, and new figures do not move it', async ({
  context,
}) => {
  await createOrganization(context);
  const page = await open(context);
  await expect(page.getByText('No tickets yet')).toBeVisible();
  await expectNoViolations(page, 'analytics without tickets');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page, 'analytics without tickets');
  await createTicket(context);
  await expect(page.getByRole('link', { name: 'Total tickets: 1' })).toBeVisible();
  // In a low window, the charts that grow are far above the view.
  await page.setViewportSize({ width: 1440, height: 500 });
  const arrivals = section(page, 'Arrivals');
  const cell = arrivals.getByRole('link', { name: /: 1 ticket$/ });
  await cell.click();
  await expectListed(page, { name: 'Arrivals', href: '', count: 1 });
  await page.goBack();
  await expect(cell).toBeInViewport();

  await cell.focus();
  const before = await cell.boundingBox();
  await createTicket(context, { priority: 'urgent', category: 'Orders' });
  await expect(page.getByRole('link', { name: 'Total tickets: 2' })).toBeAttached();
  expect(await arrivals.locator('a:focus').boundingBox()).toEqual(before);
});

test('the printed page has every section, in full and without navigation', async ({ context }) => {
  await createOrganization(context);
  await createTicket(context, { category: 'Orders', tags: ['vip'] });
  const page = await open(context);
  await expect(page.getByRole('link', { name: 'Total tickets: 1' })).toBeVisible();
  await page.getByRole('button', { name: 'Show as table: Arrivals' }).click();
  await page.setViewportSize({ width: 703, height: 1000 }); // A4 with margins
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  for (const name of ['Created and resolved per day', 'First response', 'Tags', 'Satisfaction', 'SLA by priority', 'Team', 'Arrivals'])
    await expect(section(page, name)).toBeVisible();
  await expect(page.getByText(/^Analytics · Northwind/)).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
  await expect(page.getByRole('group', { name: 'Range and filters' })).toBeHidden();
  const cut = await page.locator('main, main *').evaluateAll((all) =>
    all
      .filter((each) => {
        const { overflowX, overflowY } = getComputedStyle(each);
        const isCut = (overflow: string, inner: number, outer: number) => overflow !== 'visible' && inner > outer + 1;
        if (each.closest('.sr-only, .truncate, .line-clamp-3')) return false;
        return isCut(overflowX, each.scrollWidth, each.clientWidth) || isCut(overflowY, each.scrollHeight, each.clientHeight);
      })
      .map((each) => each.outerHTML.slice(0, 200)),
  );
  expect(cut).toEqual([]);
  await expectNoSidewaysScroll(page, 'the printed page');
});
