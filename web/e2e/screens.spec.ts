import AxeBuilder from '@axe-core/playwright';
import { expect, test, type BrowserContext, type Page } from '@playwright/test';
import { baseUrl, comment, found, openTicket, signUp } from './people';

/** Every screen of the staff app, as somebody would reach it, and what says that it is there. */
const screens: { name: string; path: (ticketId: string) => string; ready: (page: Page) => Promise<void> }[] = [
  {
    name: 'dashboard',
    path: () => '/dashboard',
    ready: (page) => expect(page.getByRole('link', { name: /Order arrived/ }).first()).toBeVisible(),
  },
  { name: 'list', path: () => '/tickets', ready: (page) => expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible() },
  {
    name: 'empty list',
    path: () => '/tickets?search=nothing-like-it',
    ready: (page) => expect(page.getByText('No tickets found')).toBeVisible(),
  },
  { name: 'ticket', path: (id) => `/tickets/${id}`, ready: (page) => expect(page.getByText('Label was swapped.')).toBeVisible() },
  { name: 'edit', path: (id) => `/tickets/${id}/edit`, ready: (page) => expect(page.getByLabel('Subject')).toBeVisible() },
  { name: 'new', path: () => '/tickets/new', ready: (page) => expect(page.getByLabel('Subject')).toBeVisible() },
  {
    name: 'unknown ticket',
    path: () => '/tickets/unknown',
    ready: (page) => expect(page.getByText('Ticket Not Found').first()).toBeVisible(),
  },
  {
    name: 'organization',
    path: () => '/organization-settings',
    ready: (page) => expect(page.getByText('Nobody is invited at the moment.')).toBeVisible(),
  },
  { name: 'unknown page', path: () => '/no/such/page', ready: (page) => expect(page.getByText('Oops! Page not found')).toBeVisible() },
];
const signedOut: typeof screens = [
  { name: 'sign in', path: () => '/auth', ready: (page) => expect(page.getByLabel('Email')).toBeVisible() },
  { name: 'sign up', path: () => '/auth?tab=sign-up', ready: (page) => expect(page.getByLabel('First name')).toBeVisible() },
  { name: 'confirm', path: () => '/auth/confirm?token=old', ready: (page) => expect(page.getByRole('alert')).toBeVisible() },
];
const widths = [1440, 1024, 390];

/** `part`: where something lies over the page, that alone; what is below is hidden from everybody meanwhile. */
async function expectNoViolations(page: Page, name: string, part?: string) {
  const axe = new AxeBuilder({ page });
  const { violations } = await (part ? axe.include(part).disableRules(['region', 'page-has-heading-one']) : axe).analyze();
  expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([]);
}
async function expectNoSidewaysScroll(page: Page, name: string) {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(beyond, `${name} scrolls sideways by`).toBeLessThanOrEqual(0);
}

async function look(context: BrowserContext, set: typeof screens, ticketId = '') {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const { name, path, ready } of set) {
      await page.goto(`${baseUrl()}${path(ticketId)}`);
      await ready(page);
      await expectNoSidewaysScroll(page, `${name} at ${width}`);
      await expectNoViolations(page, `${name} at ${width}`);
    }
  }
  expect(complaints).toEqual([]);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });

    test('the screens of the staff app are accessible and fit at 1440, 1024 and 390', async ({ context }) => {
      test.setTimeout(180_000);
      await found(context);
      for (const [priority, status] of [
        ['low', 'closed'],
        ['medium', 'in_progress'],
        ['high', 'resolved'],
        ['urgent', 'waiting_for_customer'],
      ]) {
        await openTicket(context, { subject: `${priority} and ${status}`, priority });
      }
      const { id } = await openTicket(context);
      await comment(context, id, 'The replacement is on its way.');
      await comment(context, id, 'Label was swapped.', true);
      await look(context, screens, id);
    });

    test('the ways in are accessible and fit at 1440, 1024 and 390', async ({ context }) => {
      await look(context, signedOut);
      await signUp(context);
      await look(context, [
        { name: 'onboarding', path: () => '/onboarding', ready: (page) => expect(page.getByLabel('Organization Name')).toBeVisible() },
        {
          name: 'bad invitation',
          path: () => '/accept-invitation?token=old',
          ready: (page) => expect(page.getByText('Invalid Invitation')).toBeVisible(),
        },
      ]);
    });

    test('menus, choices, dialogs and a ticket beside its list are accessible', async ({ context, page }) => {
      await found(context);
      const { id } = await openTicket(context);
      await comment(context, id, 'Label was swapped.', true);
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(`${baseUrl()}/tickets`);
      await page.getByRole('link', { name: 'Order arrived with the wrong grind' }).click();
      await expect(page.getByText('Label was swapped.')).toBeVisible();
      await page.getByRole('button', { name: 'Internal note' }).click();
      await page.getByRole('textbox', { name: 'Internal note' }).fill('A draft');
      await expectNoViolations(page, 'beside the list');
      await page.getByRole('button', { name: 'Your profile' }).click();
      await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible();
      await expectNoViolations(page, 'profile menu', '[role=menu]');
      await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectNoViolations(page, 'shortcuts', '[role=dialog]');
      await page.keyboard.press('Escape');
      await page.getByRole('combobox', { name: 'Status' }).last().click();
      await expect(page.getByRole('option', { name: 'Resolved' })).toBeVisible();
      await expectNoViolations(page, 'status choices', '[role=listbox]');
    });
  });
}
