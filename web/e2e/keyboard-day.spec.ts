import { expect, test, type Page } from '@playwright/test';
import { baseUrl, createOrganization, createTicket } from './fixtures';

/** Of a whole day: 40 (docs/testing.md). */
const count = Number(process.env.KEYBOARD_TICKETS ?? 10);

const article = (page: Page, number: string) => page.getByRole('article', { name: `Ticket ${number}` });

/** Replies, takes, tags and resolves the open ticket, with one key for each. */
async function work(page: Page, number: string, n: number) {
  const { keyboard } = page;
  const ticket = article(page, number);
  await expect(ticket.getByRole('textbox', { name: 'Public reply' })).toBeVisible();
  await keyboard.press('r');
  await keyboard.type(`Your replacement ${n} is on its way.`);
  await keyboard.press('Control+Enter');
  await expect(ticket.getByRole('list', { name: 'Conversation' })).toContainText(`Your replacement ${n} is on its way.`);
  await keyboard.press('Escape');
  await keyboard.press('i');
  await expect(ticket.getByRole('combobox', { name: 'Assignee' })).toContainText('Ada Okafor');
  await keyboard.press('t');
  await expect(ticket.getByLabel('Tags', { exact: true })).toBeFocused();
  await keyboard.type('replacement');
  await keyboard.press('Enter');
  await keyboard.press('Escape');
  await expect(ticket.getByTitle('replacement', { exact: true })).toBeVisible();
  await keyboard.press('e');
  await expect(ticket.getByRole('combobox', { name: 'Status' })).toContainText('Resolved');
}

// About ten steps for each ticket, on a machine that may be busy.
test.setTimeout(300_000);

test('an agent works a list of tickets only with the keyboard', async ({ context, page }) => {
  await createOrganization(context);
  const numbers: string[] = [];
  for (let n = 1; n <= count; n += 1) {
    const { ticket_number } = await createTicket(context, { subject: `Subject ${n}`, customer_email: `customer${n}@example.com` });
    numbers.push(ticket_number);
  }
  const numberOf = (n: number) => numbers[n - 1]!;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${baseUrl()}/tickets`);
  await expect(page.locator('[data-ticket]').first()).toBeVisible();
  const { keyboard } = page;

  const begun = performance.now();
  await keyboard.press('j');
  await keyboard.press('Enter');
  for (let n = count; n >= 1; n -= 1) {
    await work(page, numberOf(n), n);
    if (n % 5 === 0) {
      // A change of mind.
      await keyboard.press('z');
      await expect(article(page, numberOf(n)).getByRole('combobox', { name: 'Status' })).toContainText('Open');
      await keyboard.press('e');
      await expect(article(page, numberOf(n)).getByRole('combobox', { name: 'Status' })).toContainText('Resolved');
    }
    if (n > 1) await keyboard.press('j');
  }
  const seconds = (performance.now() - begun) / 1_000;
  if (process.env.KEYBOARD_TICKETS) console.log(`${count} tickets in ${seconds.toFixed(1)} s`);
  // The palette finds the first ticket again and changes it.
  await keyboard.press('Control+k');
  await keyboard.type(numberOf(count));
  await expect(page.getByRole('option', { name: new RegExp(numberOf(count)) }).first()).toBeVisible();
  await keyboard.press('Enter');
  await expect(article(page, numberOf(count))).toBeVisible();
  await keyboard.press('Control+k');
  await keyboard.type('priority: urgent');
  await expect(page.getByRole('option', { name: /Urgent/ }).first()).toBeVisible();
  await keyboard.press('Enter');
  await expect(article(page, numberOf(count)).getByRole('combobox', { name: 'Priority' })).toContainText('Urgent');
});
