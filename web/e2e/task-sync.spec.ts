import { expect, test, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { expectNoSidewaysScroll, expectNoViolations } from './axe';
import { uniqueEmail, baseUrl, createOrganization, createTicket, emailsTo } from './fixtures';

const toolUrl = () => process.env.TASK_TOOL_URL ?? 'http://localhost:4100';

/** Connects through the task tool's own consent page. */
async function connect(page: Page): Promise<void> {
  await page.goto(`${baseUrl()}/integration`);
  await page.getByRole('button', { name: 'Connect ClickUp' }).click();
  await expect(page.getByRole('heading', { name: 'Tandem wants to connect' })).toBeVisible();
  expect(page.url()).toContain(toolUrl());
  await page.getByRole('button', { name: 'Allow' }).click();
  const card = page.getByRole('region', { name: 'ClickUp' });
  await expect(card.getByText('Connected', { exact: true })).toBeVisible();
  await expect(card.getByText('Grace Okafor')).toBeVisible();
}

/** Chooses from the outermost level to the innermost: each choice enables the next one. */
async function integrate(page: Page): Promise<void> {
  const form = page.getByRole('region', { name: 'Create integration' });
  await expect(form.getByRole('button', { name: 'Create integration' })).toBeDisabled();
  const way = { Workspace: 'Northwind', Space: 'Support', List: 'Customer tickets' };
  for (const [label, name] of Object.entries(way)) {
    // Matches the label with or without the mark of a required field, but not another label that contains it.
    await form.getByRole('combobox', { name: new RegExp(`^${label}\\b`) }).click();
    await page.getByRole('option', { name, exact: true }).click();
  }
  await form.getByRole('button', { name: 'Create integration' }).click();
  await expect(page.getByText('Integration created successfully', { exact: true })).toBeVisible();
  const made = page.getByRole('list', { name: 'Active Integrations' }).getByRole('listitem');
  await expect(made).toHaveCount(1);
  await expect(made).toContainText('Customer tickets');
}

/** Opens the task tool in a separate window and finds the card with this name. */
async function openTool(context: BrowserContext, name: string): Promise<{ tool: Page; card: (column: string) => Locator }> {
  const tool = await context.newPage();
  await tool.setViewportSize({ width: 1280, height: 900 });
  await tool.goto(toolUrl());
  await tool.getByRole('navigation', { name: 'Lists' }).getByRole('button', { name: 'Customer tickets' }).click();
  return { tool, card: (column) => tool.getByRole('region', { name: column }).getByRole('listitem').filter({ hasText: name }) };
}

async function commentInTool(tool: Page, card: Locator, text: string): Promise<void> {
  await card.getByRole('button').click();
  const dialog = tool.getByRole('dialog', { name: 'Task' });
  await dialog.getByLabel('Write a comment').fill(text);
  await dialog.getByRole('button', { name: 'Comment' }).click();
  await expect(dialog.getByText(text)).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).click();
}

const [wide, narrow] = [1440, 390];
const resize = (page: Page, width: number) => page.setViewportSize({ width, height: 900 });

async function expectOnEachWidth(page: Page, name: string): Promise<void> {
  for (const width of [narrow, wide]) {
    await resize(page, width);
    await expectNoSidewaysScroll(page, `${name} at ${width}`);
    await expectNoViolations(page, `${name} at ${width}`);
  }
}

test('a ticket and its task stay in sync up to the reply to the customer, which an agent sends on a phone', async ({ context }) => {
  await createOrganization(context);
  const page = await context.newPage();
  await resize(page, wide);
  await connect(page);
  await expectOnEachWidth(page, 'integration, connected');
  await integrate(page);
  await expectOnEachWidth(page, 'integration');

  const subject = `Grinder ${uniqueEmail('task')}`;
  const customer = uniqueEmail('jonas');
  const { id, ticket_number } = await createTicket(context, { subject, customer_email: customer });
  await resize(page, narrow);
  await page.goto(`${baseUrl()}/tickets/${id}`);
  const conversation = page.getByRole('list', { name: 'Conversation' });
  await expect(conversation).toBeVisible();
  // A reload would remove this marker: from here on, all changes must arrive as live events.
  await page.evaluate(() => Object.assign(window, { isStillThere: true }));

  const { tool, card } = await openTool(context, subject);
  await expect(card('To Do')).toBeVisible();
  await commentInTool(tool, card('To Do'), 'The burrs are worn, new ones are in the post.');
  const note = conversation.getByRole('listitem').filter({ hasText: 'The burrs are worn' });
  await expect(note).toContainText('Priya Raman');
  await expect(note).toContainText('Internal');

  await expect(page.getByRole('region', { name: 'Finished task' })).toBeHidden();
  await card('To Do').getByRole('combobox').selectOption('Complete');
  await expect(card('Complete')).toBeVisible();
  const banner = page.getByRole('region', { name: 'Finished task' });
  await expect(banner).toContainText('The task is finished. Tell Jonas Weber.');
  await expectOnEachWidth(page, 'finished task');
  await resize(page, narrow);
  expect(await page.evaluate(() => 'isStillThere' in window)).toBe(true);

  await banner.getByRole('button', { name: 'Use the drafted reply' }).click();
  await expect(page.getByRole('textbox', { name: 'Public reply' })).toHaveValue(/^Hello Jonas Weber,\s+We have finished the work/);
  await page.getByRole('button', { name: 'Send Reply' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(conversation.getByText('We have finished the work')).toBeVisible();
  await expect(banner).toBeHidden();
  await expect(async () => {
    const emails = (await emailsTo(context.request, customer)) as { text: string }[];
    const email = emails.find(({ text }) => text.includes('We have finished the work'));
    expect(email?.text).toContain(ticket_number);
  }).toPass({ timeout: 20_000 });

  // The reply to the customer is synced to the task; the internal note is not.
  await card('Complete').getByRole('button').click();
  await expect(tool.getByRole('dialog', { name: 'Task' }).getByText('We have finished the work')).toBeVisible();
  expect(await page.evaluate(() => 'isStillThere' in window)).toBe(true);
});
