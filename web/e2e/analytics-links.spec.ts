import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, type BrowserContext, type Page } from '@playwright/test';
import type { AnalyticsFigures } from '@tandem/contracts';
import { expectNoSidewaysScroll, expectNoViolations } from './axe';
import { baseUrl, call, listed, openInApp } from './fixtures';

const repository = join(import.meta.dirname, '..', '..');

/** Adds the demo organization with its history, as `npm start` does, and returns the admin's credentials. */
async function seedDemo(): Promise<{ email: string; password: string }> {
  const env = JSON.parse(process.env.PRODUCT_ENV ?? '{}') as Record<string, string>;
  const run = (...args: string[]) => promisify(execFile)(process.execPath, [join(repository, 'deploy/dist/demo.js'), ...args], { env });
  const { stdout } = await run();
  await run('history');
  const { sign_ins } = JSON.parse(stdout) as { sign_ins: { role: string; email: string; password: string }[] };
  const { email, password } = sign_ins.find(({ role }) => role === 'admin')!;
  return { email, password };
}

interface Answer {
  figures: AnalyticsFigures;
  is_rebuilding: boolean;
  by_tag: { items: { key: string; count: number }[] };
}
/** `field` is a parameter of the page alone. */
const figuresOf = async (context: BrowserContext, query: string) =>
  (await call(context, 'get', `/analytics?${query.replace(/&field=\w+/, '')}`)) as unknown as Answer;

interface Link {
  name: string;
  href: string;
}
const linksOf = (page: Page): Promise<Link[]> =>
  page.locator('main a[href^="/tickets?"]').evaluateAll((all) =>
    all.map((each) => {
      const shown = each.cloneNode(true) as Element;
      for (const hidden of shown.querySelectorAll('[aria-hidden]')) hidden.remove();
      return { name: each.getAttribute('aria-label') ?? shown.textContent ?? '', href: each.getAttribute('href') ?? '' };
    }),
  );

/** Adds fields of each type that the page counts, with values of some tickets, of which one option is removed afterwards. */
async function addCustomFields(context: BrowserContext): Promise<void> {
  const options = ['basic', 'pro', 'gone'].map((value) => ({ value, label: value.toUpperCase() }));
  const add = (key: string, type: string, rest = {}) => call(context, 'post', '/custom-fields', { key, type, label: key, ...rest });
  const { id } = await add('plan', 'choice', { options });
  await add('plans', 'choices', { options });
  await add('urgent', 'yes_no');
  const tickets = (await call(context, 'get', '/tickets?limit=30')) as unknown as { id: string }[];
  for (const [n, ticket] of tickets.entries()) {
    const value = options[n % 3]!.value;
    const custom_fields = { plan: value, urgent: n % 4 === 0, ...(n % 2 ? { plans: [...new Set(['pro', value])] } : {}) };
    await call(context, 'patch', `/tickets/${ticket.id}`, { custom_fields });
  }
  await call(context, 'patch', `/custom-fields/${id}`, { options: options.slice(0, 2) });
}

/** Every link of the page: of the charts with all of their bars, then of their tables. */
async function allLinks(page: Page, query: string): Promise<Link[]> {
  await page.goto(`${baseUrl()}/analytics?${query}`);
  await expect(page.getByRole('img', { name: /^Arrivals/ })).toBeVisible();
  const field = /field=(\w+)/.exec(query)?.[1];
  if (field) await expect(page.getByRole('list', { name: field, exact: true })).toBeVisible();
  // Each click removes its button.
  for (const more = page.getByRole('button', { name: /^Show all/ }); (await more.count()) > 0;) await more.first().click();
  const charts = await linksOf(page);
  for (const table = page.getByRole('button', { name: /^Show as table/ }); (await table.count()) > 0;) await table.first().click();
  return [...charts, ...(await linksOf(page))];
}

/** The names of links end with what they count: 'High: 3 tickets', '2 of 9 missed', 'Ada, Open: 1'. Not 'Resolution: 4' hours or '4.2'. */
const countAtEnd = /(?:^|[ (])(\d[\d,]*)(?: (?:tickets?|created|resolved|open at the end of the day|of \d[\d,]* missed|answered|sent))?$/;
const isMeasure = /(First response|Resolution|Satisfaction): |^(SLA compliance|Escalation rate|Reopen rate|One-touch rate): /;

/** Medians, rates and ratings show no count: their tickets are those that the figure is computed from. */
function countBehind(params: URLSearchParams, figures: AnalyticsFigures): number {
  const has = (name: string, value = 'true') => params.get(name) === value;
  if (has('has_first_response_time')) return figures.responded_tickets;
  if (has('has_resolution_time')) return figures.resolved_tickets;
  if (has('survey', 'answered')) return figures.ratings;
  if (has('breached', 'false')) return figures.total_tickets - figures.sla_breaches;
  if (has('escalated')) return figures.escalated_tickets;
  if (has('reopened')) return figures.reopened_tickets;
  if (has('one_touch')) return figures.one_touch_tickets;
  throw new Error(`No figure counts the tickets of ${params.toString()}`);
}

/**
 * Compares every link of the page with the ticket list, or only those with the parameter `only`. Returns the number of tickets behind each
 * address.
 */
async function expectExactLists(context: BrowserContext, page: Page, query: string, only?: string): Promise<Map<string, number>> {
  const whole = await figuresOf(context, query);
  const links = (await allLinks(page, query)).filter(({ href }) => !only || new URL(href, baseUrl()).searchParams.has(only));
  const wrong: string[] = [];
  const counts = new Map<string, Promise<number>>();
  const countOf = (href: string) => counts.get(href) ?? counts.set(href, listed(context, href)).get(href)!;
  const ofMembers = new Map<string, Promise<Answer>>();
  const figuresBehind = async (params: URLSearchParams): Promise<AnalyticsFigures> => {
    const id = params.get('assignee');
    if (id === null || query.includes('assignee=')) return whole.figures;
    const found = ofMembers.get(id) ?? figuresOf(context, `${query}&assignee=${id}`);
    ofMembers.set(id, found);
    return (await found).figures;
  };
  const check = async ({ name, href }: Link) => {
    const shown = isMeasure.test(name) ? undefined : countAtEnd.exec(name)?.[1]?.replaceAll(',', '');
    const params = new URL(href, baseUrl()).searchParams;
    const expected = shown === undefined ? countBehind(params, await figuresBehind(params)) : Number(shown);
    const found = await countOf(href);
    if (found !== expected) wrong.push(`${name}: ${expected} on the page, ${found} in the list ${href}`);
  };
  for (let next = 0; next < links.length; next += 20) await Promise.all(links.slice(next, next + 20).map(check));
  expect(wrong).toEqual([]);
  return new Map(await Promise.all([...counts].map(async ([href, count]) => [href, await count] as const)));
}

/** Opens one link with each set of parameters, so that the page of the list, too, reads all of them. Within the app, which is loaded once. */
async function expectShownLists(page: Page, counts: Map<string, number>): Promise<void> {
  const byKind = new Map([...counts].map((each) => [[...new URL(each[0], baseUrl()).searchParams.keys()].sort().join(), each]));
  expect(byKind.size).toBeGreaterThan(20);
  const list = page.getByRole('region', { name: 'Ticket list' });
  await page.goto(`${baseUrl()}/tickets`);
  for (const [href, count] of byKind.values()) {
    const names = [...new URL(href, baseUrl()).searchParams.keys()];
    // Otherwise the number of the previous list, which is shown until then, could be the expected one.
    const answered = page.waitForResponse((answer) => {
      const { pathname, searchParams } = new URL(answer.url());
      return pathname === '/api/v1/tickets' && names.every((name) => searchParams.has(name));
    });
    await openInApp(page, href);
    await answered;
    const total = list.getByText(count === 1 ? '1 ticket' : `${count} tickets`, { exact: true });
    if (count > 0) await expect(total, href).toBeVisible();
    else await expect(page.getByText('No tickets found'), href).toBeVisible();
  }
}

test.setTimeout(300_000);
// Not the organization's time zone: days are those of the organization, wherever the reader is.
test.use({ timezoneId: 'Pacific/Kiritimati' });

test('every link of the page with the demo data opens as many tickets as it shows', async ({ context, page }) => {
  const data = await seedDemo();
  expect((await context.request.post(`${baseUrl()}/api/v1/auth/sign-in`, { data })).ok()).toBe(true);
  // The events of changes follow those of new tickets: wait until the figures no longer change.
  let before: AnalyticsFigures | undefined;
  await expect(async () => {
    const last = before;
    before = (await figuresOf(context, 'range=90')).figures;
    expect(before.total_tickets).toBeGreaterThan(600);
    expect(before).toEqual(last);
    expect((await figuresOf(context, 'range=7')).figures.open_tickets).toBeGreaterThan(0);
  }).toPass({ timeout: 90_000, intervals: [2_000] });

  // Tickets whose due time has passed are found by the next sweep, which can be in the middle of the comparison.
  await expect(async () => {
    const counts = await expectExactLists(context, page, 'range=90');
    expect(counts.size).toBeGreaterThan(600);
    await expectShownLists(page, counts);
  }).toPass({ timeout: 180_000 });
  await addCustomFields(context);
  await expect(async () => {
    const { rows } = (await call(context, 'get', '/analytics/by-field?range=90&key=plan')) as unknown as {
      rows: { value: string | null; count: number }[];
    };
    expect(Object.fromEntries(rows.map(({ value, count }) => [value, count]))).toMatchObject({ basic: 10, pro: 10, gone: 10 });
  }).toPass({ timeout: 30_000 });
  // The other links of the page are the same for every field; those of 30 days are compared at the end.
  for (const field of ['plan', 'plans', 'urgent']) {
    const counts = await expectExactLists(context, page, `range=30&field=${field}`, 'condition');
    expect(counts.size, field).toBeGreaterThan(1);
  }
  await page.goto(`${baseUrl()}/analytics?range=90`);
  await expect(page.getByRole('img', { name: /^Arrivals/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'By custom field' }).getByRole('link', { name: /^GONE|^gone/ })).toBeVisible();
  await expectNoViolations(page, 'analytics with the demo data');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoViolations(page, 'analytics with the demo data, narrow and dark');
  await expectNoSidewaysScroll(page, 'analytics with the demo data');

  const tag = encodeURIComponent((await figuresOf(context, 'range=90')).by_tag.items[0]!.key);
  // One filter, and a combination that is computed live.
  for (const query of ['range=7&priority=high', `range=30&tag=${tag}&channel=email`]) await expectExactLists(context, page, query);

  const { organization } = (await call(context, 'get', '/auth/session')) as unknown as { organization: { id: string } };
  const time_zone = 'Asia/Kolkata';
  await call(context, 'patch', `/organizations/${organization.id}`, { time_zone });
  await expect(async () => {
    const answer = (await call(context, 'get', '/analytics?range=7')) as unknown as Answer & { time_zone: string };
    expect([answer.time_zone, answer.is_rebuilding]).toEqual([time_zone, false]);
  }).toPass({ timeout: 60_000 });
  await expectExactLists(context, page, 'range=30');
});
