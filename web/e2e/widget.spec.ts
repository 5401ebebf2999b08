import AxeBuilder from '@axe-core/playwright';
import { expect, test, type BrowserContext, type Page } from '@playwright/test';
import { createHmac } from 'node:crypto';
import { uniqueEmail, baseUrl, call, comment, createOrganization, emailsTo } from './fixtures';
import { openSite, policies, type Site } from './widget-sites';

let admin: BrowserContext;
let organization: string;
let site: Site;
/** Another port but the same site as ours to the browser: there a frame may use storage in spite of the browser's settings. */
let neighbour: Site;

test.beforeAll(async ({ browser }) => {
  admin = await browser.newContext();
  await createOrganization(admin);
  const session = (await call(admin, 'get', '/auth/session')) as unknown as { organization: { id: string } };
  organization = `widget-${Date.now().toString(36)}`;
  await call(admin, 'patch', `/organizations/${session.organization.id}`, { subdomain: organization });
  const { hostname } = new URL(baseUrl());
  site = await openSite(`${baseUrl()}/widget/v1/widget.js`, hostname === '127.0.0.1' ? 'localhost' : '127.0.0.1');
  neighbour = await openSite(`${baseUrl()}/widget/v1/widget.js`, hostname);
});
test.afterAll(async () => {
  await admin.close();
  await site.close();
  await neighbour.close();
});

const launcher = (page: Page, name = 'Support') => page.getByRole('button', { name });
const frameOf = (page: Page) => page.frameLocator('#tandem-widget iframe');
const visit = (page: Page, attributes: Record<string, string> = {}, more: { policy?: string; before?: string } = {}, where = site) =>
  page.goto(where.address({ attributes: { organization, ...attributes }, ...more }));
const fill = async (page: Page, subject: string, email: string) => {
  await frameOf(page).getByLabel('Subject').fill(subject);
  await frameOf(page).getByLabel('Email').fill(email);
};
const submit = (page: Page) => frameOf(page).getByRole('button', { name: 'Submit ticket' }).click();
/** The only ticket of this email address, as the staff API returns it. */
async function ticketOf(email: string): Promise<Record<string, unknown> & { id: string }> {
  const found = (await call(admin, 'get', `/tickets?search=${encodeURIComponent(email)}`)) as unknown as { id: string }[];
  expect(found).toHaveLength(1);
  return (await call(admin, 'get', `/tickets/${found[0]!.id}`)) as Record<string, unknown> & { id: string };
}

for (const [name, policy] of Object.entries(policies('ORIGIN')).slice(0, -1)) {
  test(`opens on a site ${name} without violating its policy`, async ({ page }) => {
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && !message.text().includes('favicon') && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
    await visit(page, {}, { policy: policy.replaceAll('ORIGIN', new URL(baseUrl()).origin) });
    await launcher(page).click();
    await expect(frameOf(page).getByLabel('Subject')).toBeVisible();
    expect(complaints).toEqual([]);
  });
}

test("is blocked on a site of 'self' alone, but runs with the documented sources", async ({ page }) => {
  const strict = policies('')["of 'self' alone"]!;
  await visit(page, {}, { policy: strict });
  await page.waitForLoadState('networkidle');
  await expect(page.locator('#tandem-widget')).toHaveCount(0);

  await page.goto(`${baseUrl()}/docs/widget-setup`);
  const line = await page.getByRole('region', { name: 'Content-Security-Policy' }).innerText();
  await visit(page, {}, { policy: `${strict}; ${line}` });
  await launcher(page).click();
  await expect(frameOf(page).getByLabel('Subject')).toBeVisible();
});

test('applies the tag’s position and theme without shifting the page', async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 700 });
  const corners = { 'bottom-right': [1, 1], 'bottom-left': [0, 1], 'top-right': [1, 0], 'top-left': [0, 0] };
  for (const [position, [right, bottom]] of Object.entries(corners)) {
    await visit(page, {
      position,
      theme: position.startsWith('top') ? 'dark' : 'light',
      'trigger-text': 'Need help?',
      'color-primary': '#AA3300',
    });
    await expect(launcher(page, 'Need help?')).toBeVisible();
    const box = (await launcher(page, 'Need help?').boundingBox())!;
    expect([Math.round((box.x + box.width / 2) / 1000), Math.round(box.y / 700)]).toEqual([right, bottom]);
    await expect(launcher(page, 'Need help?')).toHaveCSS('background-color', 'rgb(170, 51, 0)');
    await launcher(page, 'Need help?').click();
    await expect(frameOf(page).locator('html')).toHaveAttribute('data-theme', position.startsWith('top') ? 'dark' : 'light');
  }
  const shift = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let shifts = 0;
        new PerformanceObserver((list) => (shifts += list.getEntries().length)).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(shifts), 300);
      }),
  );
  expect(shift).toBe(0);
});

test('opens and closes by keyboard and returns the focus', async ({ page }) => {
  await visit(page);
  await launcher(page).focus();
  await page.keyboard.press('Enter');
  await expect(launcher(page)).toHaveAttribute('aria-expanded', 'true');
  await expect(frameOf(page).getByRole('heading', { level: 1 })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(launcher(page)).toHaveAttribute('aria-expanded', 'false');
  await expect(launcher(page)).toBeFocused();
  await launcher(page).click();
  await frameOf(page).getByRole('button', { name: 'Close' }).click();
  await expect(page.locator('#tandem-widget iframe')).toBeHidden();
  await expect(launcher(page)).toBeFocused();
});

test('fills a small screen, and nothing overflows at 320 px', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 600 });
  await visit(page);
  await launcher(page).click();
  await expect(frameOf(page).getByLabel('Subject')).toBeVisible();
  await expect.poll(async () => (await page.locator('#tandem-widget iframe').boundingBox())?.width).toBe(320);
  expect(
    await frameOf(page)
      .locator('html')
      .evaluate((html) => html.scrollWidth),
  ).toBeLessThanOrEqual(320);
});

test('processes calls made before it loaded, emits events to the page and reappears when it is removed', async ({ page }) => {
  const before =
    '<script>window.Tandem=window.Tandem||function(){(Tandem.q=Tandem.q||[]).push(arguments)};window.events=[];' +
    "Tandem('on','open',()=>events.push('open'));Tandem('on','submit',(t)=>events.push(t.ticket_number));" +
    "Tandem('prefill',{subject:'Order 48213'});own.onclick=()=>Tandem('open');</script>";
  await visit(page, {}, { before });
  await expect(launcher(page)).toBeVisible();
  await page.getByRole('button', { name: 'Ask us' }).click();
  await expect(frameOf(page).getByLabel('Subject')).toHaveValue('Order 48213');
  const email = uniqueEmail('visitor');
  await frameOf(page).getByLabel('Email').fill(email);
  await submit(page);
  await expect(frameOf(page).getByText('Ticket Submitted Successfully!')).toBeVisible();
  expect(await page.evaluate('events')).toEqual(['open', expect.stringMatching(/^[A-Z]+-\d+$/)]);
  await page.evaluate("Tandem('close')");
  await expect(page.getByRole('button', { name: 'Ask us' })).toBeFocused();

  await page.evaluate("document.getElementById('tandem-widget').remove()");
  await expect(launcher(page)).toBeVisible();
  await page.evaluate(
    (src) => document.body.append(Object.assign(document.createElement('script'), { src })),
    `${baseUrl()}/widget/v1/widget.js`,
  );
  await page.waitForLoadState('networkidle');
  await expect(page.locator('#tandem-widget')).toHaveCount(1);
});

test('a visitor submits a ticket, reads the reply in the widget and finds both after a reload', async ({ page }) => {
  const email = uniqueEmail('visitor');
  await visit(page, {}, {}, neighbour);
  await launcher(page).click();
  await submit(page);
  await expect(frameOf(page).getByText('Subject and email are required fields.')).toBeVisible();
  await fill(page, 'Wrong grind', email);
  await submit(page);
  await expect(frameOf(page).getByText('You will receive updates via email.')).toBeVisible();
  await page.keyboard.press('Escape');

  const ticket = await ticketOf(email);
  expect(ticket).toMatchObject({ subject: 'Wrong grind', channel: 'widget', customer_verified: false });
  await comment(admin, ticket.id, 'The replacement is on its way.');
  await page.reload();
  await launcher(page).click();
  await frameOf(page).getByRole('button', { name: 'Your tickets (1)' }).click();
  await frameOf(page)
    .getByRole('button', { name: /Wrong grind/ })
    .click();
  await expect(frameOf(page).getByText('The replacement is on its way.')).toBeVisible();
  await frameOf(page).getByLabel('Add a comment').fill('Thank you.');
  await frameOf(page).getByRole('button', { name: 'Send comment' }).click();
  await expect(frameOf(page).getByText('Comment Added')).toBeVisible();
});

test('a verified visitor does not have to enter an address', async ({ page }) => {
  const { secret } = await call(admin, 'post', '/widget-settings/rotate-secret', {});
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const email = uniqueEmail('known');
  const unsigned = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ email, name: 'Jonas', exp: Math.floor(Date.now() / 1000) + 600 })}`;
  const token = `${unsigned}.${createHmac('sha256', secret!).update(unsigned).digest('base64url')}`;
  await visit(page);
  await launcher(page).click();
  await page.evaluate((each) => (window as unknown as { Tandem: (...call: unknown[]) => void }).Tandem('identify', { token: each }), token);
  await expect(frameOf(page).getByText(`You are signed in as Jonas (${email}).`)).toBeVisible();
  await expect(frameOf(page).getByLabel('Email')).toHaveCount(0);
  await frameOf(page).getByLabel('Subject').fill('My invoice');
  await submit(page);
  await expect(frameOf(page).getByText('Ticket Submitted Successfully!')).toBeVisible();
  expect(await ticketOf(email)).toMatchObject({ subject: 'My invoice', customer_verified: true });
});

test('has no accessibility violations, in light and dark, empty and with errors', async ({ page }) => {
  for (const theme of ['light', 'dark']) {
    await visit(page, { theme });
    await launcher(page).click();
    await submit(page);
    await expect(frameOf(page).getByRole('alert')).toBeVisible();
    const { violations } = await new AxeBuilder({ page }).include(['#tandem-widget']).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
  }
});

test('no text in widget, portal and emails names Tandem once “Powered by” is hidden', async ({ page, request }) => {
  const portal = new URL(baseUrl());
  portal.hostname = `${organization}.localhost`;
  const email = uniqueEmail('hidden');
  const submitted = async () => {
    await visit(page);
    await launcher(page).click();
    await fill(page, 'My invoice', email);
    await submit(page);
    await expect(frameOf(page).getByText('Ticket Submitted Successfully!')).toBeVisible();
    return frameOf(page).locator('body').innerText();
  };
  // The search finds the name while it is shown.
  expect(await submitted()).toContain('Powered by Tandem');
  const received = async () => (await emailsTo(request, email)) as { subject: string; text: string; html: string; received_at: string }[];
  await expect(async () => expect((await received()).map(({ text }) => text).join()).toContain('Powered by Tandem')).toPass({
    timeout: 20_000,
  });
  await call(admin, 'put', '/branding', { hide_powered_by: true });
  const hiddenAt = new Date().toISOString();
  const texts = new Map<string, string>();
  await expect(async () => expect(texts.set('widget', await submitted()).get('widget')).not.toContain('Tandem')).toPass();

  for (const path of ['/', '/submit-ticket', '/ticket-status/check', `/ticket-status/unknown?email=${email}`, '/no/such/page']) {
    const html = (await (await page.goto(`${portal.origin}${path}`))?.text()) ?? '';
    expect(html).toContain('<title>');
    await page.getByRole('heading').first().waitFor();
    await expect(page.locator('#first-html')).toHaveCount(0);
    texts.set(path, `${await page.title()}\n${await page.locator('body').innerText()}`);
    texts.set(`${path}, first HTML`, html.replace(/<(script|style)\b.*?<\/\1>|<[^>]*>/gs, ' '));
  }

  await expect(async () => {
    const later = (await received()).filter(({ received_at }) => received_at > hiddenAt);
    expect(later.length).toBeGreaterThan(0);
    for (const [at, { subject, text, html }] of later.entries())
      texts.set(`email ${at}, “${subject}”`, [subject, text, html.replace(/<[^>]*>/g, ' ')].join('\n'));
  }).toPass({ timeout: 20_000 });
  for (const [name, text] of texts) expect(text, name).not.toMatch(/\bTandem\b/);
});

test('is blocked on a site that is not allowed and links to the support page', async ({ page }) => {
  await call(admin, 'put', '/widget-settings', { allowed_sites: ['https://shop.example.com'], identity_required: false });
  await expect(async () => {
    const answer = await page.request.get(`${baseUrl()}/widget/frame?organization=${organization}`);
    expect(answer.headers()['content-security-policy']).toContain('https://shop.example.com');
  }).toPass();
  await visit(page);
  await launcher(page).click();
  await expect(page.getByRole('link', { name: 'Write to us on our support page' })).toBeVisible();
  await expect(frameOf(page).getByLabel('Subject')).toHaveCount(0);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await expect(launcher(page)).toBeFocused();
});
