import { readFile } from 'node:fs/promises';
import { expect, test, type Page } from '@playwright/test';
import { baseUrl, createOrganization, createTicket, emailsTo } from './fixtures';

const csv = [
  'Ticket ID,Subject,Requester email,Status,Created at,Description',
  '1,Wrong grind,jonas@example.com,solved,2024-03-01 10:00,All twelve bags came ground.',
  '2,No sender,not an address,open,2024-03-02 10:00,Who wrote this?',
  '3,Late delivery,vera@example.com,open,2024-03-03 10:00,It was due on Friday.',
].join('\n');

const step = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('an admin imports a CSV file with a bad line, sees the problem, opens a ticket, and undoes the import', async ({ context, page }) => {
  const email = await createOrganization(context);
  await page.goto(`${baseUrl()}/settings?tab=import`);
  await page.getByRole('button', { name: /^CSV files/ }).click();
  await step(page, 'Upload')
    .locator('input[type=file]')
    .setInputFiles({ name: 'tickets.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  const columns = step(page, 'Columns');
  await expect(columns.getByRole('combobox', { name: /^Subject/ })).toHaveText('Subject');
  await expect(columns.getByRole('combobox', { name: /^Customer’s email/ })).toHaveText('Requester email');
  const address = page.url();

  await page.getByRole('button', { name: 'Check the data' }).click();
  await page.getByRole('button', { name: /no valid email address/ }).click({ timeout: 60_000 });
  await expect(step(page, 'Check').getByText('tickets.csv, line 3')).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: /^Import 2 tickets/ }).click();
  await expect(page.getByText('Imported, except for 1 record that was left out.')).toBeVisible({ timeout: 60_000 });

  await page.getByRole('link', { name: 'Open tickets' }).click();
  await page.getByRole('link', { name: 'Late delivery' }).click();
  await expect(page.getByText('It was due on Friday.').first()).toBeVisible();
  expect(await emailsTo(context.request, 'vera@example.com')).toEqual([]);
  expect(JSON.stringify(await emailsTo(context.request, email))).not.toContain('Late delivery');

  await page.goto(address);
  await page.getByRole('button', { name: 'Undo import' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click();
  await expect(page.getByText('Everything that the import had created was deleted.')).toBeVisible({ timeout: 60_000 });
  await page.goto(`${baseUrl()}/tickets`);
  await expect(page.getByRole('link', { name: 'Late delivery' })).toHaveCount(0);
});

test('an admin exports everything and downloads the archive, and a list of tickets as CSV', async ({ context, page }) => {
  await createOrganization(context);
  await createTicket(context);
  await page.goto(`${baseUrl()}/settings?tab=export`);
  await page.getByRole('button', { name: 'Export everything' }).click();
  const row = page.getByRole('list', { name: 'Exports' }).getByRole('listitem').first();
  await expect(row.getByText('Ready')).toBeVisible({ timeout: 60_000 });
  const [archive] = await Promise.all([page.waitForEvent('download'), row.getByRole('button', { name: /^Download/ }).click()]);
  // A ZIP file, whose directory is at its end and names the manifest.
  const bytes = await readFile(await archive.path());
  expect(bytes.subarray(0, 2).toString()).toBe('PK');
  expect(bytes.subarray(-20_000).toString('latin1')).toContain('manifest.json');

  await page.goto(`${baseUrl()}/tickets?status=open`);
  await page.getByRole('button', { name: 'List actions' }).click();
  const [list] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Download as CSV' }).click()]);
  expect(await readFile(await list.path(), 'utf8')).toContain('Order arrived with the wrong grind');
});
