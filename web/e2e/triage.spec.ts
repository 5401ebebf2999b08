import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { expectNoViolations } from './axe';
import { baseUrl, signInTeammate, createOrganization, createTicket, freePort } from './fixtures';

/** A second gateway of the running product with the default rate limits: the first one has them raised for the whole test run. */
async function gatewayWithLimits(): Promise<{ url: string; gateway: ChildProcess }> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const { RATE_LIMIT_API_PER_MINUTE: _, ...same } = JSON.parse(process.env.PRODUCT_ENV ?? '{}') as Record<string, string>;
  const env = { ...same, PORT: String(port), PUBLIC_URL: url };
  const cwd = fileURLToPath(new URL('../../gateway', import.meta.url));
  const gateway = spawn(process.execPath, ['dist/main.js'], { cwd, env, stdio: 'ignore' });
  await expect(async () => expect((await fetch(`${url}/health/ready`)).ok).toBe(true)).toPass({ timeout: 30_000 });
  return { url, gateway };
}

test('an agent skips through 40 tickets with j without a rejected request', async ({ browser, context }) => {
  const { url, gateway } = await gatewayWithLimits();
  try {
    await createOrganization(context);
    for (let n = 1; n <= 41; n += 1) await createTicket(context, { subject: `Subject ${n}`, customer_email: `customer${n}@example.com` });
    const agent = await signInTeammate(browser, context, 'Grace');
    const page = await agent.newPage();
    const answers: { path: string; status: number; limit: string | undefined }[] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      const limit = response.headers()['x-ratelimit-limit'];
      if (pathname.startsWith('/api/v1/')) answers.push({ path: pathname.replace('/api/v1', ''), status: response.status(), limit });
    });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${url}/tickets`);
    const rows = page.locator('[data-ticket]');
    await expect(rows.first()).toBeVisible();
    await page.locator('[data-scrolls]').evaluate((list) => list.scrollTo(0, list.scrollHeight));
    await expect(rows).toHaveCount(41);

    const isPage = (path: string) => /^\/api\/v1\/tickets\/[\w-]+\/page$/.test(new URL(path).pathname);
    const loaded = () => page.waitForResponse((response) => isPage(response.url()));
    const newest = page.getByRole('article', { name: 'Ticket NOR-0041' });
    // Keyboard only: hovering over a row would preload its ticket.
    await page.keyboard.press('j');
    await Promise.all([loaded(), page.keyboard.press('Enter')]);
    await expect(newest).toBeVisible();
    for (let n = 40; n >= 1; n -= 1) {
      await Promise.all([loaded(), page.keyboard.press('j')]);
      await expect(page.getByRole('heading', { name: `Subject ${n}`, exact: true, level: 2 }).last()).toBeVisible();
    }

    expect(answers.filter(({ status }) => status >= 400)).toEqual([]);
    const pages = answers.filter(({ path }) => path.endsWith('/page'));
    expect(new Set(pages.map(({ limit }) => limit))).toEqual(new Set(['100']));
    expect(pages).toHaveLength(41);
    const perTicket = answers.filter(({ path, limit }) => /^\/tickets\/[\w-]+\//.test(path) && limit === '100');
    expect(perTicket).toHaveLength(41);

    // Holding a key: the tickets that are passed over are neither requested nor marked as read.
    const before = answers.length;
    for (let n = 1; n <= 40; n += 1) await page.keyboard.down('k');
    await page.keyboard.up('k');
    await expect(page.getByRole('heading', { name: 'Subject 41', exact: true, level: 2 }).last()).toBeVisible();
    await page.waitForTimeout(500);
    const ofTickets = answers.slice(before).filter(({ path }) => /^\/tickets\/[\w-]+\/(page|read)$/.test(path));
    expect(ofTickets.length).toBeLessThanOrEqual(2);

    // The rest of the triage, without the mouse; at the first gateway, because the calls of this minute are used up.
    await page.goto(`${baseUrl()}/tickets`);
    await expect(rows.first()).toBeVisible();
    await page.keyboard.press('j');
    await Promise.all([loaded(), page.keyboard.press('Enter')]);
    await expect(newest).toBeVisible();
    const row = (subject: string) =>
      page
        .getByRole('region', { name: 'Ticket list' })
        .getByRole('listitem')
        .filter({ has: page.getByRole('link', { name: subject, exact: true }) });
    await expect(page.getByRole('heading', { name: 'Subject 41', exact: true, level: 2 }).last()).toBeVisible();
    await page.keyboard.press('h');
    await page.getByRole('dialog', { name: /^Snooze / }).waitFor();
    await page.keyboard.type('until the cust');
    await page.keyboard.press('Enter');
    await expect(row('Subject 41')).toContainText('Until a reply');
    await page.keyboard.press('j');
    await expect(page.getByRole('article', { name: 'Ticket NOR-0040' })).toBeVisible();
    await expect(row('Subject 40')).not.toContainText('Unread');
    await page.keyboard.press('u');
    await expect(row('Subject 40')).toContainText('Unread');
    await page.keyboard.press('e');
    await expect(row('Subject 40')).toContainText('Resolved');
    await expectNoViolations(page, 'triage');
    await agent.close();
  } finally {
    gateway.kill();
  }
});
