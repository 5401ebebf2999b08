import { expect, test } from '@playwright/test';
import { uniqueEmail, baseUrl, createOrganization, emailedLink, createTicket, password, submitSignInForm } from './fixtures';

test('a new user signs up, confirms, creates an organization and resolves a ticket', async ({ page, request }) => {
  const email = uniqueEmail();

  await page.goto(`${baseUrl()}/dashboard`);
  await expect(page).toHaveURL(/\/auth$/);
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page.getByText('Please check your email to confirm your account.')).toBeVisible();

  await page.goto(await emailedLink(request, email, '/auth/confirm'));
  // Confirming in the browser that signed up also signs in.
  await expect(page).toHaveURL(/\/onboarding$/);
  await page.getByLabel('Organization Name').fill('Northwind Coffee');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByText("You're all set!")).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText('Welcome, Ada')).toBeVisible();
  await expect(page.getByText('No customer tickets yet')).toBeVisible();

  await page.keyboard.press('c');
  await page.getByLabel('Subject').fill('Wrong grind');
  await page.getByLabel('Description').fill('All twelve bags came ground.');
  await page.getByLabel('Customer email').fill('jonas@example.com');
  await page.getByLabel('Customer name').fill('Jonas Weber');
  await page.getByRole('button', { name: 'Create Ticket' }).click();
  await expect(page.getByText('Ticket created successfully')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Wrong grind' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^[A-Z]{2,5}-0001$/);

  await page.getByRole('textbox', { name: 'Public reply' }).fill('The replacement is on its way.');
  await page.getByRole('button', { name: 'Send Reply' }).click();
  const conversation = page.getByRole('list', { name: 'Conversation' });
  await expect(conversation.getByText('The replacement is on its way.')).toBeVisible();
  await page.getByRole('heading', { name: 'Wrong grind' }).click();
  await page.keyboard.press('n');
  await page.getByRole('textbox', { name: 'Internal note' }).fill('Label was swapped.');
  await page.keyboard.press('Control+Enter');
  await expect(conversation.getByText('Label was swapped.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Resolved' }).click();
  await expect(page.getByText('Ticket status updated')).toBeVisible();
  await page.getByRole('button', { name: 'Timeline' }).click();
  await expect(page.getByRole('list', { name: 'Changes' })).toContainText('Resolved');

  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Category').fill('Orders');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByRole('region', { name: 'Details', exact: true })).toContainText('Orders');

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tickets' }).click();
  const card = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Wrong grind' }) });
  await expect(card).toContainText('Resolved');
  await expect(card).toContainText('2');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByRole('region', { name: 'Ticket counts' })).toContainText(/Total Tickets\s*1/);

  await page.getByRole('button', { name: 'Your profile' }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await page.goto(`${baseUrl()}/tickets`);
  await expect(page).toHaveURL(/\/auth$/);
});

test('a second browser shows tickets, comments and status changes of the first without a reload', async ({ browser }) => {
  const first = await browser.newContext();
  const email = await createOrganization(first);
  const second = await browser.newContext();
  const watcher = await second.newPage();
  await watcher.goto(`${baseUrl()}/auth?redirect=/tickets`);
  await submitSignInForm(watcher, email);
  await expect(watcher.getByText('No tickets found')).toBeVisible();

  const { id } = await createTicket(first, { subject: 'Appears by itself' });
  await expect(watcher.getByRole('link', { name: 'Appears by itself' })).toBeVisible();
  await watcher.getByRole('link', { name: 'Appears by itself' }).click();
  await expect(watcher.getByRole('list', { name: 'Conversation' })).toBeVisible();

  const agentPage = await first.newPage();
  await agentPage.goto(`${baseUrl()}/tickets/${id}`);
  await agentPage.getByRole('textbox', { name: 'Public reply' }).fill('Seen on both desks.');
  await agentPage.getByRole('button', { name: 'Send Reply' }).click();
  await expect(watcher.getByText('Seen on both desks.')).toBeVisible();
  await agentPage.getByRole('combobox', { name: 'Status' }).click();
  await agentPage.getByRole('option', { name: 'In Progress' }).click();
  await expect(watcher.getByRole('combobox', { name: 'Status' }).last()).toContainText('In Progress');
  await first.close();
  await second.close();
});

test('an ended session redirects to sign-in and then back to the requested page', async ({ context, page }) => {
  const email = await createOrganization(context);
  await page.goto(`${baseUrl()}/dashboard`);
  await expect(page.getByText('No customer tickets yet')).toBeVisible();
  await context.clearCookies();
  await page.getByRole('link', { name: 'View All Tickets' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await submitSignInForm(page, email);
  await expect(page).toHaveURL(/\/tickets$/);
  await expect(page.getByText('No tickets found')).toBeVisible();
});
