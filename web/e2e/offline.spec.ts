import { expect, test } from '@playwright/test';
import { baseUrl, call, createOrganization, createPortal, createTicket } from './fixtures';

test('a reply sent while offline stays visible and arrives exactly once', async ({ context }) => {
  await createOrganization(context);
  const { id, ticket_number } = await createTicket(context);
  const page = await context.newPage();
  await page.goto(`${baseUrl()}/tickets/${id}`);
  const reply = page.getByRole('textbox', { name: 'Public reply' });
  const conversation = page.getByRole('list', { name: 'Conversation' });
  await expect(reply).toBeVisible();
  // Loads the list's code while there is a connection, as in daily work.
  await page.getByRole('combobox', { name: 'Status' }).click();
  await expect(page.getByRole('listbox')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toBeHidden();
  await reply.fill('Sent once before');
  await page.getByRole('button', { name: 'Send Reply' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(conversation.getByText('Sending')).toBeHidden();

  await context.setOffline(true);
  await expect(page.getByText('Offline. Your text is saved')).toBeVisible();
  await reply.fill('Written in a tunnel');
  await page.getByRole('button', { name: 'Send Reply' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(conversation.getByText('Waiting for connection')).toBeVisible();
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'In Progress' }).click();
  await expect(page.getByText('Status In Progress is sent when you’re back online')).toBeVisible();
  await expect(page.getByText(`Reply to ${ticket_number} is sent when you’re back online`)).toBeVisible();

  await context.setOffline(false);
  await expect(page.getByText('Offline. Your text is saved')).toBeHidden();
  await expect(conversation.getByText('Waiting for connection')).toBeHidden();
  const comments = (await call(context, 'get', `/tickets/${id}/comments`)) as unknown as { content: string }[];
  expect(comments.map(({ content }) => content).filter((text) => text === 'Written in a tunnel')).toHaveLength(1);
  expect((await call(context, 'get', `/tickets/${id}`)).status).toBe('in_progress');
});

test('a submission during an outage of the gateway survives a reload and becomes one ticket', async ({ context }) => {
  const portal = await createPortal(context);
  const page = await context.newPage();
  await page.goto(`${portal}/submit-ticket`);
  let isDown = true;
  const keys: (string | undefined)[] = [];
  // First a proxy whose gateway is stopped, then no proxy at all.
  await page.route('**/api/v1/public/tickets', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (!isDown) return route.continue();
    if (keys.length === 1) return route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' });
    return route.abort('connectionrefused');
  });
  await page.getByLabel(/^Subject/).fill('Parcel is wet');
  await page.getByLabel(/^Email/).fill('jonas@example.com');
  await page.getByRole('button', { name: 'Submit ticket' }).click();
  await expect(page.getByText('Your ticket is sent when you’re back online')).toBeVisible();
  await expect.poll(() => keys.length).toBeGreaterThan(2);
  await page.reload();
  await expect(page.getByText('Your ticket is sent when you’re back online')).toBeVisible();
  isDown = false;
  await expect(page).toHaveURL(/\/ticket-status\//, { timeout: 30_000 });
  expect(new Set(keys).size).toBe(1);
  const tickets = (await call(context, 'get', '/tickets')) as unknown as { subject: string }[];
  expect(tickets.map(({ subject }) => subject)).toEqual(['Parcel is wet']);
});
