import { expect, test, type BrowserContext, type Page } from '@playwright/test';
import { expectNoSidewaysScroll, expectNoViolations } from './axe';
import { call, createPortal, publishArticle, uniqueEmail } from './fixtures';

const body = `Refunds arrive within five days.

# Before you start
You need the payment number.

## Find the payment
1. Open **Payments**.
2. Choose the payment.

## Afterwards
The customer receives an email.`;

/** A portal with two public articles and an internal one. */
async function createHelp(context: BrowserContext) {
  const portal = await createPortal(context);
  const category = await call(context, 'post', '/article-categories', { name: 'Payments', description: 'Charges and refunds' });
  const inCategory = { category_id: category.id, summary: 'How to return money to a customer.' };
  const refund = await publishArticle(context, { ...inCategory, title: 'Refund a payment', body });
  await publishArticle(context, { ...inCategory, title: 'Download an invoice', body: 'Open the payment and choose **Invoice**.' });
  await publishArticle(context, { title: 'Refund limits of the team', body: 'Up to 500 dollars.', visibility: 'internal' });
  return { portal, refund };
}

/** Typed, because filling a field sets its text without a key. */
const type = async (page: Page, label: string, text: string) => {
  await page.getByLabel(label).click();
  await page.keyboard.type(text);
};

test('a customer finds an article by its words, reads and rates it', async ({ context, browser }) => {
  const { portal, refund } = await createHelp(context);
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true });
  const page = await phone.newPage();
  await page.goto(`${portal}/help`);
  await expect(page.getByRole('region', { name: 'Payments' }).getByRole('link', { name: 'Refund a payment' })).toBeVisible();
  await expect(page.getByText('Refund limits of the team')).toBeHidden();
  await expectNoViolations(page, 'help');
  await expectNoSidewaysScroll(page, 'help');

  await type(page, 'Search help articles', 'refun');
  await expect(page.getByRole('list', { name: '1 article found' })).toBeVisible();
  await expect(page).toHaveURL(`${portal}/help?q=refun`);
  await expectNoViolations(page, 'search');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { level: 1, name: 'Refund a payment' })).toBeVisible();
  await expect(page).toHaveURL(`${portal}/help/${refund.number}-refund-a-payment`);
  await expect(page.getByRole('navigation', { name: 'On this page' }).getByRole('link')).toHaveCount(3);
  await expect(page.getByRole('region', { name: 'Related articles' }).getByRole('link', { name: 'Download an invoice' })).toBeVisible();
  await expectNoViolations(page, 'article');
  await expectNoSidewaysScroll(page, 'article');

  await page.getByRole('button', { name: 'No', exact: true }).click();
  await page.getByLabel('What was missing?').fill('Partial refunds');
  await page.getByRole('button', { name: 'Send feedback' }).click();
  await expect(page.getByLabel('What was missing?')).toBeHidden();
  const ratings = (await call(context, 'get', `/articles/${refund.id}/ratings`)) as unknown as { remark: string }[];
  expect(ratings.map(({ remark }) => remark)).toEqual(['Partial refunds']);
  await expect.poll(async () => ((await call(context, 'get', `/articles/${refund.id}`)) as unknown as { views: number }).views).toBe(1);

  await page.goto(`${portal}/help/99999-gone`);
  await expect(page.getByRole('heading', { level: 1, name: 'Article not found' })).toBeVisible();
  await phone.close();
});

test('an article answers the question before the ticket is sent', async ({ context, browser }) => {
  const { portal, refund } = await createHelp(context);
  const visitor = await browser.newContext();
  const page = await visitor.newPage();
  await page.goto(`${portal}/submit-ticket`);
  await page.getByLabel('Email').fill(uniqueEmail('jonas'));
  await type(page, 'Subject', 'How do I refund a payment?');
  const suggestions = page.getByRole('region', { name: 'These articles may help' });
  await suggestions.getByRole('link', { name: 'Refund a payment' }).click();
  await expect(suggestions.getByText('Refunds arrive within five days.')).toBeVisible();
  await expect(suggestions.getByText('Refund limits of the team')).toBeHidden();
  await expectNoViolations(page, 'suggestions');
  await suggestions.getByRole('button', { name: 'This solved it' }).click();
  await expect(page.getByRole('heading', { name: 'Glad that helped' })).toBeVisible();
  await page.getByRole('button', { name: 'Back to the form' }).click();
  await expect(page.getByLabel('Subject')).toHaveValue('');

  const days = [Date.now() - 86_400_000, Date.now() + 86_400_000].map((time) => new Date(time).toISOString().slice(0, 10));
  const read = async () => {
    const report = (await call(context, 'get', `/help-report?from=${days[0]}&to=${days[1]}`)) as unknown as {
      articles: { number: number; suggestions_opened: number; solved: number }[];
    };
    return report.articles.find(({ number }) => number === refund.number);
  };
  await expect.poll(read).toMatchObject({ suggestions_opened: 1, solved: 1 });
  await visitor.close();
});
