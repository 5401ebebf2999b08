import { expect, test, type Page } from '@playwright/test';
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
  await page.keyboard.press('z');
  await expect.poll(() => names(page)).toEqual(['First', 'Third', 'Second']);
  await page.reload();
  await expect(page.getByRole('switch', { name: 'Second is on' })).toBeChecked();
});
