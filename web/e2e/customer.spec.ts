import { expect, test, type Browser } from '@playwright/test';
import { uniqueEmail, baseUrl, call, comment, createPortal } from './fixtures';

/** A phone, the typical device of a customer. */
async function aPhone(browser: Browser) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  return { context, page: await context.newPage() };
}
const idIn = (url: string): string => new URL(url).pathname.split('/').at(-1) ?? '';

test('the first response lists the page’s code, and all of it exists', async ({ request }) => {
  for (const path of ['/submit-ticket', '/ticket-status/check', '/ticket-status/0190?email=a%40b.example', '/survey/0190', '/']) {
    const { link } = (await request.get(`${baseUrl()}${path}`, { headers: { accept: 'text/html' } })).headers();
    const files = [...(link ?? '').matchAll(/<([^>]+)>; rel=modulepreload/g)].map(([, file]) => file!);
    expect(files.length, path).toBeGreaterThan(0);
    for (const file of files) expect((await request.get(`${baseUrl()}${file}`)).headers()['content-type'], file).toContain('javascript');
  }
});

test('a customer submits a ticket with a file, sees the reply live, answers it and rates the support', async ({ context, browser }) => {
  const portal = await createPortal(context);
  const { context: phone, page } = await aPhone(browser);
  const email = uniqueEmail('jonas');

  await page.goto(`${portal}/submit-ticket`);
  await page.getByLabel('Subject').fill('Wrong grind');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Description').fill('All twelve bags came ground for filter.');
  await page.locator('input[type=file]').setInputFiles({ name: 'bags.txt', mimeType: 'text/plain', buffer: Buffer.from('12 bags') });
  await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('7 B');
  await page.reload();
  await expect(page.getByLabel('Subject')).toHaveValue('Wrong grind');
  await expect(page.getByRole('list', { name: 'Attached files' })).toContainText('bags.txt');
  await page.getByRole('button', { name: 'Submit ticket' }).click();

  await expect(page.getByText('Ticket Submitted Successfully!')).toBeVisible();
  await expect(page).toHaveURL(/\/ticket-status\/[0-9a-f-]{36}\?email=/);
  await expect(page.getByRole('heading', { name: 'Wrong grind' })).toBeVisible();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Download bags\.txt/ }).click();
  expect((await download).suggestedFilename()).toBe('bags.txt');

  const id = idIn(page.url());
  await comment(context, id, 'New bags are on the way.');
  await comment(context, id, 'The label was swapped.', true);
  const conversation = page.getByRole('list', { name: 'Conversation' });
  // Shorter than the page's polling interval, so the event stream must deliver it.
  await expect(conversation.getByText('New bags are on the way.')).toBeVisible({ timeout: 10_000 });
  await expect(conversation.getByText('The label was swapped.')).toBeHidden();

  await page.getByLabel('Add a comment').fill('Thank you.');
  await page.getByRole('button', { name: 'Send comment' }).click();
  await expect(conversation.getByText('Thank you.')).toBeVisible();

  await call(context, 'patch', `/tickets/${id}`, { status: 'resolved' });
  await expect(page.getByText('Resolved', { exact: true })).toBeVisible({ timeout: 10_000 });
  await expect(page.getByText('This conversation has ended.')).toBeVisible();
  await page.getByRole('link', { name: 'Tell us how it went' }).click();

  await page.getByRole('button', { name: 'Submit feedback' }).click();
  await expect(page.getByText('Rating Required')).toBeVisible();
  await page.keyboard.press('Space');
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: '5, Excellent' })).toBeChecked();
  await page.getByLabel('Feedback').fill('Quick and kind.');
  await page.getByRole('button', { name: 'Submit feedback' }).click();
  await expect(page.getByRole('heading', { name: 'Thank You!' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Feedback already submitted' })).toBeVisible();
  expect(await call(context, 'get', `/tickets/${id}/survey`)).toMatchObject({ rating: 5, feedback: 'Quick and kind.' });
  await phone.close();
});

test('the form accepts text on a phone before the scripts arrive, keeps it, and nothing moves', async ({ context, browser }) => {
  const portal = await createPortal(context);
  const { context: phone, page } = await aPhone(browser);
  const email = uniqueEmail('jonas');
  let deliver = () => undefined as void;
  const scripts = new Promise<void>((resolve) => (deliver = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await scripts;
    await route.continue();
  });
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(`${portal}/submit-ticket`, { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { name: 'How can we help?' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Submit ticket' })).toBeDisabled();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Subject').fill('Wrong grind');
  deliver();
  await expect(page.locator('#first-html')).toHaveCount(0);
  await expect(page.getByLabel('Email')).toHaveValue(email);
  await expect(page.getByLabel('Subject')).toBeFocused();
  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);
  expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(0.02);
  await page.getByRole('button', { name: 'Submit ticket' }).click();
  await expect(page.getByText('Ticket Submitted Successfully!')).toBeVisible();
  await phone.close();
});

test('a message on a resolved ticket starts a new ticket and opens it, if the organization chose that', async ({ context, browser }) => {
  const portal = await createPortal(context, { customer_follow_up: 'new_ticket' });
  const email = uniqueEmail('jonas');
  const { id, ticket_number } = (await call(context, 'post', '/tickets', {
    subject: 'Wrong grind',
    customer_email: email,
  })) as { id: string; ticket_number: string };
  await call(context, 'patch', `/tickets/${id}`, { status: 'closed' });
  const { context: phone, page } = await aPhone(browser);
  await page.goto(`${portal}/ticket-status/${id}`);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'View ticket' }).click();
  await expect(page.getByText('Your message starts a new ticket.')).toBeVisible();
  await page.getByLabel('Add a comment').fill('It happened again.');
  await page.getByRole('button', { name: 'Send comment' }).click();
  await expect(page.getByText('Comment Added')).toBeVisible();
  await expect(page.getByRole('link', { name: ticket_number })).toBeVisible();
  expect(idIn(page.url())).not.toBe(id);
  await expect(page.getByRole('list', { name: 'Conversation' })).toContainText('It happened again.');
  await phone.close();
});

test('portal pages show the organization’s colors from the first paint of the second page', async ({ context, browser }) => {
  const portal = await createPortal(context);
  await call(context, 'put', '/branding', { primary_color: '#1D4ED8', hide_powered_by: true, custom_css: 'h1 { letter-spacing: 1px }' });
  const { context: phone, page } = await aPhone(browser);
  await page.goto(`${portal}/submit-ticket`);
  const button = page.getByRole('button', { name: 'Submit ticket' });
  await expect(button).toHaveCSS('background-color', 'rgb(29, 78, 216)', { timeout: 40_000 });
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('letter-spacing', '1px');
  await expect(page.locator('body')).not.toContainText(/tandem/i);
  await expect(page).not.toHaveTitle(/tandem/i);
  await page.route('**/api/v1/public/organization', () => undefined);
  await page.reload();
  await expect(button).toHaveCSS('background-color', 'rgb(29, 78, 216)');
  await phone.close();
});
