import { expect, test, type Page } from '@playwright/test';
import {
  baseUrl,
  createPortal,
  createTicket,
  emailedLink,
  hasLoadedPicture,
  openInApp,
  pastePicture,
  signInTeammate,
  uniqueEmail,
} from './fixtures';

/** Writes and publishes an article without the mouse. */
async function writeArticle(page: Page): Promise<void> {
  await page.goto(`${baseUrl()}/articles/new`);
  await expect(page.getByLabel('Title')).toBeFocused();
  await page.keyboard.type('Refund a payment');
  await page.keyboard.press('Enter');
  const text = page.getByRole('textbox', { name: 'Text' });
  await expect(text).toBeFocused();
  await page.keyboard.type('Open the payment and choose Refund.');
  await page.keyboard.press('Enter');
  await pastePicture(text);
  await expect(text).toHaveValue('Open the payment and choose Refund.\n![image.png](image.png)\n');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Published', { exact: true }).first()).toBeVisible();
}

async function readArticle(page: Page, portal: string): Promise<void> {
  await page.goto(`${portal}/help`);
  await page.getByLabel('Search help articles').click();
  await page.keyboard.type('refun');
  await page.getByRole('list', { name: '1 article found' }).getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Refund a payment' })).toBeVisible();
  await expect.poll(() => hasLoadedPicture(page.getByRole('article').getByRole('img', { name: 'image.png' }))).toBe(true);
  await page.getByRole('button', { name: 'Yes', exact: true }).click();
  await expect(page.getByText('Thanks for your feedback.')).toBeVisible();
}

async function answerWithArticle(page: Page, ticketId: string): Promise<void> {
  await page.goto(`${baseUrl()}/tickets/${ticketId}`);
  const reply = page.getByRole('textbox', { name: 'Public reply' });
  await reply.click();
  await page.keyboard.type('See ??');
  await expect(page.getByRole('combobox', { name: 'Search articles' })).toBeFocused();
  // Enter waits until the search of the whole word has answered.
  await page.keyboard.type('refund');
  await page.keyboard.press('Enter');
  await expect(reply).toHaveValue(/^See \[Refund a payment\]\(.+\/help\/1-refund-a-payment\)$/);
  await page.getByRole('button', { name: 'Send Reply' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
}

async function solveWithArticle(page: Page, portal: string): Promise<void> {
  await page.goto(`${portal}/submit-ticket`);
  await page.getByLabel('Subject').click();
  await page.keyboard.type('How do I refund a payment?');
  const suggestions = page.getByRole('region', { name: 'These articles may help' });
  await suggestions.getByRole('link', { name: 'Refund a payment' }).click();
  await suggestions.getByRole('button', { name: 'This solved it' }).click();
  await expect(page.getByRole('heading', { name: 'Glad that helped' })).toBeVisible();
}

test('a manager’s article is found, rated, sent in a reply and suggested to customers, and analytics counts its use', async ({
  context,
  browser,
}) => {
  const portal = await createPortal(context);
  const team = await signInTeammate(browser, context, 'Grace', 'manager');
  const page = await team.newPage();
  await writeArticle(page);

  const reader = await (await browser.newContext()).newPage();
  await readArticle(reader, portal);

  const email = uniqueEmail('jonas');
  const { id } = await createTicket(context, { customer_email: email });
  await answerWithArticle(page, id);
  expect(await emailedLink(context.request, email, '/help/1-refund-a-payment')).toContain(new URL(portal).hostname);

  await solveWithArticle(reader, portal);
  await openInApp(page, '/analytics');
  const row = page.getByRole('region', { name: 'Most viewed articles' }).getByRole('row', { name: /Refund a payment/ });
  await expect(async () => {
    await page.reload();
    // Views, rated helpful, suggestions opened, solved.
    await expect(row.getByRole('cell')).toHaveText(['1', '100%', '1', '1'], { timeout: 5_000 });
  }).toPass();
  await reader.context().close();
  await team.close();
});
