import { readFile } from 'node:fs/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test, type Page } from '@playwright/test';
import { expectNoSidewaysScroll, expectNoViolations } from './axe';
import {
  baseUrl,
  call,
  signInTeammate,
  comment,
  createOrganization,
  createPortal,
  createTicket,
  hasLoadedPicture,
  pastePicture,
} from './fixtures';

const open = async (page: Page, id: string) => {
  await page.goto(`${baseUrl()}/tickets/${id}`);
  await expect(page.getByRole('list', { name: 'Conversation' })).toBeVisible();
};
const conversation = (page: Page) => page.getByRole('list', { name: 'Conversation' });
const reply = (page: Page) => page.getByRole('textbox', { name: 'Public reply' });

test('two agents on one ticket see each other, and a reply to an outdated conversation is not sent', async ({ browser, context }) => {
  await createOrganization(context);
  const second = await signInTeammate(browser, context, 'Grace');
  const { id } = await createTicket(context);
  const [ada, grace] = [await context.newPage(), await second.newPage()];
  await open(ada, id);
  await open(grace, id);
  const banner = (page: Page, what: string) => page.locator('#root').getByText(what);
  await expect(banner(ada, 'Grace is viewing')).toBeVisible();
  await expect(banner(grace, 'Ada is viewing')).toBeVisible();
  await reply(grace).fill('The replacement is on its way.');
  await expect(banner(ada, 'Grace is writing a reply…')).toBeVisible();

  // Both send: Ada's reply is sent immediately, while Grace has written hers without having seen it.
  await reply(ada).fill('We are looking into it.');
  await ada.getByRole('button', { name: 'Send Reply' }).click();
  await grace.getByRole('button', { name: 'Send Reply' }).click();
  await grace.getByRole('button', { name: 'Send now' }).click();
  await expect(conversation(grace).getByText(/Sending/)).toBeHidden();
  await ada.getByRole('button', { name: 'Send now' }).click();
  await expect(conversation(ada).getByText('Not sent', { exact: true })).toBeVisible();
  await expect(conversation(ada).getByText('The replacement is on its way.')).toBeVisible();
  await ada.getByRole('button', { name: 'Send anyway' }).click();
  await expect(conversation(grace).getByText('We are looking into it.')).toBeVisible();
  await second.close();
});

test('a reply can be undone for ten seconds, and its draft is available in another browser of its author', async ({ browser, context }) => {
  await createOrganization(context);
  const { id } = await createTicket(context);
  const page = await context.newPage();
  await open(page, id);
  await reply(page).fill('Too quick');
  await page.getByRole('button', { name: 'Send Reply' }).click();
  await expect(conversation(page).getByText(/Sending in \d+ s/)).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(reply(page)).toHaveValue('Too quick');
  await reply(page).fill('Better said like this');
  await expect(page.getByText('Draft saved')).toBeVisible({ timeout: 15_000 });

  const elsewhere = await browser.newContext({ storageState: await context.storageState({ indexedDB: false }) });
  const other = await elsewhere.newPage();
  await other.addInitScript(() => localStorage.clear());
  await open(other, id);
  await expect(reply(other)).toHaveValue('Better said like this');
  await elsewhere.close();
});

test('a reply that an assistant drafts appears in the open ticket of the agent, who sends it', async ({ context }) => {
  await createOrganization(context);
  const { id, ticket_number } = await createTicket(context);
  const { profile } = (await call(context, 'get', '/auth/session')) as unknown as { profile: { user_id: string } };
  // The tickets service learns about members from events.
  await expect(async () => call(context, 'patch', `/tickets/${id}`, { assigned_to: profile.user_id })).toPass();
  const page = await context.newPage();
  // The first draft is saved after the page has read its data, but before the composer has loaded.
  const saved = Promise.withResolvers<void>();
  await page.route('**/assets/Composer-*.js', async (route) => {
    await saved.promise;
    await route.continue();
  });
  await open(page, id);
  const permissions = ['mcp', 'tickets:read', 'tickets:write'];
  const { value } = await call(context, 'post', '/api-tokens', { name: 'Claude', permissions });
  const assistant = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${value}` } };
  await assistant.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl()}/mcp`), { requestInit }));
  const draft = (content: string) => assistant.callTool({ name: 'draft_reply', arguments: { ticket: ticket_number, content } });

  const origin = page.getByText('Drafted by API · Claude (via MCP). Read it before you send it.');
  expect(await draft('Dear Carla, a cup is on its way.')).not.toHaveProperty('isError', true);
  await expect(page.getByRole('button', { name: /made 2 changes/ })).toBeVisible();
  saved.resolve();
  await expect(reply(page)).toHaveValue('Dear Carla, a cup is on its way.');
  expect(await draft('Dear Carla, a new cup is on its way.')).not.toHaveProperty('isError', true);
  await expect(reply(page)).toHaveValue('Dear Carla, a new cup is on its way.');
  await expect(origin).toBeVisible();
  await page.getByRole('button', { name: /made 3 changes/ }).click();
  await expect(page.getByText('drafted a reply for Ada Okafor')).toHaveCount(2);
  await reply(page).fill('Dear Carla, a new cup is on its way. Regards, Ada');
  await expect(origin).toBeHidden();
  await expect(page.getByText('Draft saved')).toBeVisible({ timeout: 15_000 });
  expect(await draft('Something else')).toMatchObject({ isError: true });
  await expect(reply(page)).toHaveValue(/Regards, Ada$/);
  await page.getByRole('button', { name: 'Send Reply' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect(conversation(page).getByText('Regards, Ada')).toBeVisible();
  await assistant.close();
});

test('a mention notifies the teammate, whose notification opens the ticket', async ({ browser, context }) => {
  await createOrganization(context);
  const second = await signInTeammate(browser, context, 'Grace');
  const { id, ticket_number } = await createTicket(context);
  const grace = await second.newPage();
  await grace.goto(`${baseUrl()}/dashboard`);
  await expect(grace.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();

  const ada = await context.newPage();
  await open(ada, id);
  await ada.getByRole('button', { name: 'Internal note' }).click();
  const note = ada.getByRole('textbox', { name: 'Internal note' });
  await note.pressSequentially('Could you look at this, @gra');
  await ada.getByRole('option', { name: /Grace/ }).click();
  await expect(note).toHaveValue(/@Grace Okafor/);
  await note.press('Control+Enter');
  await ada.getByRole('button', { name: 'Send now' }).click();

  const bell = grace.getByRole('button', { name: 'Notifications, 1 unread' });
  await expect(bell).toBeVisible({ timeout: 15_000 });
  await bell.click();
  await grace.getByRole('dialog').getByText(new RegExp(ticket_number)).click();
  await expect(grace).toHaveURL(new RegExp(id));
  await expect(conversation(grace).getByText('Could you look at this,')).toBeVisible();
  await expect(grace.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  await second.close();
});

test('a file attached to a reply downloads unchanged', async ({ context }) => {
  await createOrganization(context);
  const { id } = await createTicket(context);
  const page = await context.newPage();
  await open(page, id);
  const text = 'line one\nline two\n';
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'käse <b>.txt', mimeType: 'text/html', buffer: Buffer.from(text) });
  await reply(page).fill('See the file');
  await expect(page.getByRole('button', { name: 'Send Reply' })).toBeEnabled({ timeout: 15_000 });
  await page.getByRole('button', { name: 'Send Reply' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  // While the reply is being sent, its files are shown by name only.
  const attached = conversation(page).getByRole('button', { name: /^Download käse/ });
  await expect(attached).toBeVisible({ timeout: 15_000 });
  const downloading = page.waitForEvent('download');
  await attached.click();
  expect(await readFile(await (await downloading).path(), 'utf8')).toBe(text);
});

test('a reply in Markdown with a pasted picture reaches the customer formatted', async ({ browser, context }) => {
  const portal = await createPortal(context);
  const { id } = await createTicket(context);
  await comment(context, id, '> quoted\n\n1. `code`\n\n```\nblock\n```');
  await call(context, 'patch', `/tickets/${id}`, { status: 'in_progress', priority: 'high' });
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, id);
  await expect(conversation(page).getByText(/set In Progress, set High priority/)).toBeVisible();
  await reply(page).fill('See this');
  await reply(page).evaluate((box: HTMLTextAreaElement) => box.setSelectionRange(4, 8));
  await page.keyboard.press('Control+b');
  await expect(reply(page)).toHaveValue('See **this**');
  await page.keyboard.press('Control+z');
  await expect(reply(page)).toHaveValue('See this');
  await page.keyboard.press('Control+b');
  await page.keyboard.press('End');
  await pastePicture(reply(page));
  await expect(reply(page)).toHaveValue('See **this**\n![image.png](image.png)\n');
  const send = page.getByRole('button', { name: 'Send Reply' });
  await expect(send).toBeEnabled({ timeout: 15_000 });
  await expectNoViolations(page, 'composer');
  await send.click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await expect.poll(() => hasLoadedPicture(conversation(page).getByRole('img', { name: 'image.png' }))).toBe(true);
  await expect(conversation(page).locator('strong', { hasText: 'this' })).toBeVisible();

  const customer = await browser.newPage({ colorScheme: 'dark', viewport: { width: 390, height: 844 } });
  await customer.goto(`${portal}/ticket-status/${id}?email=jonas%40example.com`);
  await expect(conversation(customer).locator('strong', { hasText: 'this' })).toBeVisible();
  await expect.poll(() => hasLoadedPicture(conversation(customer).getByRole('img', { name: 'image.png' }))).toBe(true);
  await expectNoSidewaysScroll(customer, 'status page with Markdown');
  await expectNoViolations(customer, 'status page with Markdown');
  await customer.close();
});

test('a filtered list can be saved as a view and changed in bulk', async ({ context }) => {
  await createOrganization(context);
  for (const [subject, priority] of [['Printer on fire', 'urgent'], ['Invoice wrong', 'urgent'], ['Where is my parcel', 'low']] as const)
    await createTicket(context, { subject, priority }); // prettier-ignore
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${baseUrl()}/tickets?priority=urgent`);
  await expect(page.getByRole('link', { name: 'Printer on fire' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Where is my parcel' })).toBeHidden();

  await page.getByRole('button', { name: 'Save as view' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Burning');
  await page.getByRole('dialog').getByRole('button', { name: /Save/ }).click();
  await expect(page.getByRole('navigation', { name: 'Views' }).getByText('Burning')).toBeVisible();

  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  const bar = page.getByLabel('Selected tickets');
  await expect(bar).toContainText('2');
  await bar.getByRole('combobox', { name: 'Set status' }).click();
  await page.getByRole('option', { name: 'Resolved' }).click();
  await expect(page.getByText('2 tickets changed').or(page.getByText('2 changed'))).toBeVisible();
  const statuses = (await call(context, 'get', '/tickets?priority=urgent')) as unknown as { status: string }[];
  expect(statuses.map(({ status }) => status)).toEqual(['resolved', 'resolved']);
});

test('a view with a condition is created with the keyboard, and shows the tickets that match', async ({ context }) => {
  await createOrganization(context);
  for (const subject of ['Refund for order 17', 'REFUND: parcel lost', 'Where is my parcel']) await createTicket(context, { subject });
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${baseUrl()}/tickets`);
  await expect(page.getByRole('link', { name: 'Where is my parcel' })).toBeVisible();
  const views = page.getByRole('navigation', { name: 'Views' });
  await views.getByRole('button', { name: 'New view' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New view' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('Refunds');
  const choose = async (name: string, option: string) => {
    await dialog.getByRole('combobox', { name, exact: true }).press('Enter');
    // The list takes the focus just after it appears, and moves it just after a letter: Playwright types faster than both.
    await expect(page.locator('[role=option]:focus')).toBeVisible();
    await page.keyboard.type(option);
    await expect(page.getByRole('option', { name: option, exact: true })).toBeFocused();
    await page.keyboard.press('Enter');
  };
  await choose('Tickets', 'Tickets that match all conditions');
  await choose('Field', 'Subject');
  await choose('Comparison', 'contains');
  await dialog.getByRole('textbox', { name: 'Value' }).press('r');
  await page.keyboard.type('efund');
  await expectNoViolations(page, 'dialog of a view with a condition');
  await page.keyboard.press('Enter');
  await expect(views.getByRole('link', { name: /Refunds 2/ })).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('link', { name: 'REFUND: parcel lost' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Where is my parcel' })).toBeHidden();
  await expect(page.getByText('Subject contains “refund”')).toBeVisible();
  // The address is all that a colleague needs to see the same tickets.
  await page.reload();
  await expect(page.getByRole('link', { name: 'Refund for order 17' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Where is my parcel' })).toBeHidden();
});

test('a policy sets the SLA timers of new tickets, which show their state', async ({ context }) => {
  await createOrganization(context);
  const page = await context.newPage();
  await page.goto(`${baseUrl()}/settings?tab=sla`);
  await page.getByRole('button', { name: /(New|Add|Create).*policy/i }).first().click(); // prettier-ignore
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('First line');
  await dialog.getByRole('button', { name: /Create|Save|Add/ }).click();
  await expect(page.getByText('SLA policy created successfully.')).toBeVisible();

  const { id } = await createTicket(context);
  await open(page, id);
  await page.getByRole('region', { name: 'SLA' }).getByRole('button', { name: 'Details' }).click();
  await expect(page.getByText('First line')).toBeVisible();
  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Waiting for Customer' }).click();
  await expect(page.getByText(/waiting for the customer/i).first()).toBeVisible();
});

test('customer input is rendered as plain text', async ({ context }) => {
  await createOrganization(context);
  const evil = '<img src=x onerror="window.harmed=true"><script>window.harmed=true</script>';
  const { id } = await createTicket(context, {
    subject: `${evil} مرحبا 👋`,
    description: evil,
    customer_name: evil,
    category: evil.slice(0, 90),
  });
  await comment(context, id, `${evil} \u202etxt`);
  const page = await context.newPage();
  await open(page, id);
  await expect(conversation(page).getByText('onerror').first()).toBeVisible();
  await page.goto(`${baseUrl()}/tickets`);
  await expect(page.getByText('onerror').first()).toBeVisible();
  await page.goto(`${baseUrl()}/dashboard`);
  await expect(page.getByText('onerror').first()).toBeVisible();
  expect(await page.evaluate(() => 'harmed' in window)).toBe(false);
});
