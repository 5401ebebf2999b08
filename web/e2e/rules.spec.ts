import { expect, test, type Locator, type Page } from '@playwright/test';
import { baseUrl, call, createOrganization, createTicket } from './fixtures';

const rulesUrl = () => `${baseUrl()}/settings?tab=rules`;
const list = (page: Page) => page.getByRole('list', { name: 'Rules' });
const names = (page: Page) => list(page).getByRole('link').allTextContents();

test('a rule from a template is tested, turned on, acts on a new ticket, and is named in its timeline', async ({ context, page }) => {
  await createOrganization(context);
  const old = await createTicket(context, { customer_email: 'vera@vip.example' });
  await page.goto(rulesUrl());
  await page.getByRole('button', { name: /^Tag by domain/ }).click();
  await page.getByRole('textbox', { name: 'Value' }).fill('vip.example');
  await page.getByRole('button', { name: 'Test the rule' }).click();
  const changed = page.getByRole('list', { name: 'Tickets that the rule would have changed' });
  await expect(changed.getByRole('link', { name: new RegExp(old.ticket_number) })).toBeVisible();
  await expect(changed.getByText('Priority: Medium → High')).toBeVisible();
  await page.getByRole('button', { name: 'Create and turn on' }).click();
  await expect(page.getByRole('switch', { name: 'On' })).toBeChecked();

  const { id } = await createTicket(context, { customer_email: 'vera@vip.example' });
  await page.goto(`${baseUrl()}/tickets/${id}`);
  await page.getByRole('button', { name: 'Timeline' }).click();
  const change = page.getByRole('list', { name: 'Changes' }).getByRole('listitem').filter({ hasText: 'Rule “Tag by domain”' });
  await expect(change).toContainText('changed priority from Medium to High');
  await change.getByRole('link').click();
  await expect(page.getByRole('list', { name: 'Runs, newest first' }).getByText('+ vip')).toBeVisible();
  await expect(page.getByText(/^Ran once in 30 days/)).toBeVisible();
});

/** Presses Tab until `target` has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  await expect(target).toBeFocused();
}

test('a rule is created, tested, turned on and opened again with the keyboard only', async ({ context, page }) => {
  await createOrganization(context);
  await createTicket(context);
  await page.goto(rulesUrl());
  await page.getByRole('button', { name: /^Start from scratch/ }).focus();
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('textbox', { name: 'Name' }));
  await page.keyboard.type('Mark new tickets');
  await tabTo(page, page.getByRole('combobox', { name: 'Action' }));
  await page.keyboard.press('Enter');
  await expect(page.locator('[role=option]:focus')).toBeVisible();
  await page.keyboard.type('Add tags');
  await expect(page.getByRole('option', { name: 'Add tags' })).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('combobox', { name: 'Tags' }).or(page.getByRole('textbox', { name: 'Tags' })));
  await page.keyboard.type('new');
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Test the rule' }));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Would have changed 1 ticket of the last 1.')).toBeVisible();
  await tabTo(page, page.getByRole('button', { name: 'Create and turn on' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('switch', { name: 'On' })).toBeChecked();
  await tabTo(page, page.getByRole('link', { name: 'All rules' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('link', { name: 'Mark new tickets' })).toBeFocused();
});

test('rules are reordered by keyboard and by dragging, and a deleted one is restored', async ({ context, page }) => {
  await createOrganization(context);
  const tag = { type: 'add_tags', tags: ['refund'] };
  for (const name of ['First', 'Second', 'Third'])
    await call(context, 'post', '/rules', { name, triggers: ['ticket_created'], actions: [tag] });
  await page.goto(rulesUrl());
  await page.getByRole('button', { name: 'Move Third' }).focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(page.getByText('Rules reordered')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Move Third' })).toBeFocused();
  await page.reload();
  await expect(list(page)).toBeVisible();
  expect(await names(page)).toEqual(['Third', 'First', 'Second']);

  const from = (await page.getByRole('button', { name: 'Move Third' }).boundingBox())!;
  const to = (await page.getByRole('button', { name: 'Move First' }).boundingBox())!;
  await page.mouse.move(from.x + 5, from.y + 5);
  await page.mouse.down();
  await page.mouse.move(to.x + 5, to.y + 20, { steps: 8 });
  await page.mouse.up();
  await expect.poll(() => names(page)).toEqual(['First', 'Third', 'Second']);
  await expect(page.getByText('Rules reordered')).toBeVisible();

  await page.getByRole('button', { name: 'Actions for Second' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByText('Rule deleted')).toBeVisible();
  expect(await names(page)).toEqual(['First', 'Third']);
  const restored = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await page.keyboard.press('z');
  await expect.poll(() => names(page)).toEqual(['First', 'Third', 'Second']);
  await restored;
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Second is on' })).toBeChecked();
});
