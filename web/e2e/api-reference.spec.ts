import { expect, test, type Page } from '@playwright/test';
import { expectNoSidewaysScroll, expectNoViolations } from './axe';
import { baseUrl, call, createOrganization, createTicket } from './fixtures';

test('the API reference sends a request with a token that it does not store', async ({ page, context, browser }) => {
  await createOrganization(context);
  const { id } = await createTicket(context, { subject: 'Read through the API' });
  const { value } = await call(context, 'post', '/api-tokens', { name: 'Reference', permissions: ['tickets:read'] });
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));

  await page.goto(`${baseUrl()}/api/docs`);
  await expect(page.getByRole('heading', { name: 'Tandem API' })).toBeVisible();
  await expectNoViolations(page, 'API reference');
  await page.getByLabel('Find').fill('merge');
  await expect(page.getByRole('complementary').getByRole('link', { name: /Merge a duplicate/ })).toBeVisible();
  await expect(page.getByRole('complementary').getByRole('link', { name: /Create a ticket/ })).toBeHidden();

  const operation = page.locator('#readTicket');
  await operation.getByRole('button', { name: 'Try it' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('id (required)').fill(id);
  await dialog.getByRole('button', { name: 'Send' }).click();
  // The cookies of the signed-in user are not sent: without a token there is no caller.
  await expect(dialog.getByText(/^Status 401/)).toBeVisible();
  await dialog.getByLabel(/API token/).fill(value!);
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(dialog.getByText(/^Status 200/)).toBeVisible();
  await expect(dialog.getByText('Read through the API')).toBeVisible();
  await expect(dialog.getByText('x-ratelimit-limit: 1000')).toBeVisible();
  await expectNoViolations(page, 'Try it', 'dialog');
  await dialog.getByRole('button', { name: 'Close' }).click();

  // Other operations use the same token until the user leaves the page.
  await page.locator('#createTicket').getByRole('button', { name: 'Try it' }).click();
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(dialog.getByText('token.permission_missing')).toBeVisible();
  expect(page.url()).not.toContain('tnd_live');
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]))).not.toContain(
    'tnd_live',
  );
  await page.reload();
  await operation.getByRole('button', { name: 'Try it' }).click();
  await expect(dialog.getByLabel(/API token/)).toHaveValue('');
  // Chromium reports the two refused requests.
  expect(errors.filter((text) => !/status of 40[13]/.test(text))).toEqual([]);

  const phone = await browser.newPage({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  await phone.goto(`${baseUrl()}/api/docs`);
  await expectNoSidewaysScroll(phone, 'API reference');
  await removeRepeatedMarkup(phone);
  await expectNoViolations(phone, 'API reference on a phone, dark');
  await phone.close();
});

/** Removes the operations without a kind of element that the ones before them do not have: axe needs 20 seconds for all of them. */
const removeRepeatedMarkup = (page: Page) =>
  page.evaluate(() => {
    const seen = new Set<string>();
    const kindOf = ({ tagName, className, parentElement: parent }: Element) =>
      `${parent?.tagName} ${parent?.className} ${tagName} ${className}`;
    for (const operation of document.querySelectorAll('.operation')) {
      const before = seen.size;
      for (const element of operation.querySelectorAll('*')) seen.add(kindOf(element));
      if (seen.size === before) operation.remove();
    }
  });
