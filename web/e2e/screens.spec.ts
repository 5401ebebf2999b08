import { expect, test, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { expectNoSidewaysScroll, expectNoViolations } from './axe';
import { uniqueEmail, baseUrl, call, comment, createOrganization, createPortal, invite, createTicket, password, signUp } from './fixtures';

/** Faster than `expect`, whose polling intervals grow: over two hundred pages that adds up. */
const seen = (what: Locator) => what.waitFor({ timeout: 15_000 });

/** Every screen of the staff app: how a user reaches it, and what shows that it has loaded. */
const screens: { name: string; path: (ticketId: string) => string; ready: (page: Page) => Promise<void> }[] = [
  {
    name: 'dashboard',
    path: () => '/dashboard',
    ready: (page) => seen(page.getByRole('link', { name: /Order arrived/ }).first()),
  },
  {
    name: 'analytics',
    path: () => '/analytics',
    ready: (page) => seen(page.getByRole('img', { name: /^Arrivals/ })),
  },
  { name: 'list', path: () => '/tickets', ready: (page) => seen(page.getByRole('heading', { level: 2 }).first()) },
  {
    name: 'empty list',
    path: () => '/tickets?search=nothing-like-it',
    ready: (page) => seen(page.getByText('No tickets found')),
  },
  { name: 'ticket', path: (id) => `/tickets/${id}`, ready: (page) => seen(page.getByText('Label was swapped.')) },
  { name: 'edit', path: (id) => `/tickets/${id}/edit`, ready: (page) => seen(page.getByLabel('Subject')) },
  { name: 'new', path: () => '/tickets/new', ready: (page) => seen(page.getByLabel('Subject')) },
  {
    name: 'unknown ticket',
    path: () => '/tickets/unknown',
    ready: (page) => seen(page.getByText('Ticket Not Found').first()),
  },
  {
    name: 'organization',
    path: () => '/organization-settings',
    ready: (page) => seen(page.getByText('No pending invitations')),
  },
  {
    name: 'account',
    path: () => '/account',
    ready: (page) => seen(page.getByText('This device')),
  },
  {
    name: 'audit log',
    path: () => '/settings?tab=audit',
    ready: (page) => seen(page.getByText('Created the organization')),
  },
  {
    name: 'sign-in settings',
    path: () => '/settings?tab=sign-in',
    ready: (page) => seen(page.getByLabel('Issuer')),
  },
  {
    name: 'sla settings',
    path: () => '/settings?tab=sla',
    ready: (page) => seen(page.getByText('First line', { exact: true })),
  },
  { name: 'portal settings', path: () => '/settings?tab=portal', ready: (page) => seen(page.getByRole('region').first()) },
  {
    name: 'email settings',
    path: () => '/settings?tab=email',
    ready: (page) => seen(page.getByText('Emails to this address become tickets')),
  },
  { name: 'widget settings', path: () => '/settings?tab=embed', ready: (page) => seen(page.getByText('Sites that may show the widget')) },
  { name: 'languages', path: () => '/settings?tab=languages', ready: (page) => seen(page.getByLabel('Search all texts')) },
  { name: 'session log', path: () => '/settings?tab=security', ready: (page) => seen(page.getByRole('heading', { level: 2 }).first()) },
  { name: 'API settings', path: () => '/settings?tab=api', ready: (page) => seen(page.getByText('Order importer', { exact: true })) },
  { name: 'webhooks', path: () => '/settings?tab=webhooks', ready: (page) => seen(page.getByRole('link', { name: 'Order system' })) },
  {
    name: 'sample ticket',
    path: () => '/sample-ticket',
    ready: (page) => seen(page.getByRole('heading', { name: 'Order arrived with the wrong grind' })),
  },
  { name: 'canned replies', path: () => '/canned-replies', ready: (page) => seen(page.getByText('Greeting').first()) },
  {
    name: 'integration',
    path: () => '/integration',
    ready: (page) => expect(page.getByRole('button', { name: 'Connect ClickUp' })).toBeVisible(),
  },
  {
    name: 'integrations settings',
    path: () => '/settings?tab=integrations',
    ready: (page) => expect(page.getByRole('button', { name: 'Connect ClickUp' })).toBeVisible(),
  },
  {
    name: 'access not allowed',
    path: () => '/auth/callback/clickup?error=access_denied',
    ready: (page) => expect(page.getByRole('button', { name: 'Try again' })).toBeVisible(),
  },
  { name: 'unknown page', path: () => '/no/such/page', ready: (page) => seen(page.getByText('Oops! Page not found')) },
];
const signedOut: typeof screens = [
  {
    name: 'team address',
    path: () => '/',
    ready: async (page) => {
      // Only the app asks for the team on localhost, where the server opens the form of the first organization.
      await expect(page.locator('#first-html')).toHaveCount(0);
      await page.getByRole('link', { name: 'Submit Support Ticket' }).click();
      await seen(page.getByLabel('Team address'));
    },
  },
  { name: 'compare', path: () => '/compare', ready: (page) => seen(page.getByRole('region', { name: 'Comparison' })) },
  { name: 'privacy', path: () => '/privacy', ready: (page) => seen(page.getByRole('heading', { name: 'Cookies' })) },
  { name: 'status', path: () => '/status', ready: (page) => seen(page.getByText('Everything works')) },
  { name: 'changelog', path: () => '/changelog', ready: (page) => seen(page.getByRole('heading', { name: 'Added' }).first()) },
  { name: 'sign in', path: () => '/auth', ready: (page) => seen(page.getByLabel('Email')) },
  { name: 'sign up', path: () => '/auth?tab=sign-up', ready: (page) => seen(page.getByLabel('First name')) },
  { name: 'confirm', path: () => '/auth/confirm?token=old', ready: (page) => seen(page.getByRole('alert')) },
  {
    name: 'SSO refused',
    path: () => '/auth?sso_error=oidc.not_a_member',
    ready: (page) => seen(page.getByRole('alert')),
  },
  {
    name: 'invited',
    path: () => `/auth?redirect=${encodeURIComponent('/accept-invitation?token=old')}`,
    ready: (page) => seen(page.getByText('You’re invited.')),
  },
  { name: 'SSO', path: () => '/auth/sso', ready: (page) => seen(page.getByLabel('Organization')) },
  { name: 'forgot password', path: () => '/auth/forgot-password', ready: (page) => seen(page.getByLabel('Email')) },
  {
    name: 'reset password',
    path: () => `/auth/reset-password?token=${'a'.repeat(43)}`,
    ready: (page) => seen(page.getByLabel('New password')),
  },
  { name: 'reset password, bad', path: () => '/auth/reset-password', ready: (page) => seen(page.getByRole('alert')) },
  {
    name: 'confirm new address, bad',
    path: () => '/auth/confirm-email-change?token=old',
    ready: (page) => seen(page.getByRole('alert')),
  },
];
const by = '?email=jonas%40example.com';
/** Customer pages. */
const forCustomers: typeof screens = [
  { name: 'portal home', path: () => '/', ready: (page) => seen(page.getByRole('heading', { name: 'How can we help?' })) },
  { name: 'unknown page of a portal', path: () => '/no/such/page', ready: (page) => seen(page.getByText('Oops! Page not found')) },
  { name: 'submit', path: () => '/submit-ticket', ready: (page) => seen(page.getByLabel('Subject')) },
  { name: 'status without address', path: (id) => `/ticket-status/${id}`, ready: (page) => seen(page.getByLabel('Email')) },
  { name: 'check status', path: () => '/ticket-status/check', ready: (page) => seen(page.getByLabel('Email')) },
  {
    name: 'links were sent',
    path: () => `/ticket-status/lookup${by}`,
    ready: (page) => seen(page.getByText('we have just sent the links')),
  },
  {
    name: 'unknown status',
    path: () => `/ticket-status/unknown${by}`,
    ready: (page) => seen(page.getByRole('heading', { name: 'Ticket not found' })),
  },
  {
    name: 'unknown survey',
    path: () => `/survey/unknown${by}`,
    ready: (page) => seen(page.getByText('Ticket Not Found')),
  },
  { name: 'status', path: (id) => `/ticket-status/${id}${by}`, ready: (page) => seen(page.getByRole('article')) },
  {
    name: 'survey',
    path: (id) => `/survey/${id}${by}&rating=4`,
    ready: (page) => expect(page.getByRole('radio', { name: '4, Good' })).toBeChecked(),
  },
];
const [wide, middle, narrow] = [1440, 1024, 390];

const resize = (page: Page, width: number) => page.setViewportSize({ width, height: 900 });

/**
 * Checks the page that is open: the layout at every width, and axe once per color scheme, wide in light and narrow in dark. The layout is the
 * same in both schemes. `part` is the selector of an open overlay.
 */
async function checkAtEveryWidth(page: Page, name: string, part?: string) {
  await expectNoSidewaysScroll(page, `${name} at ${wide}`);
  await expectNoViolations(page, `${name} at ${wide}`, part);
  for (const width of [middle, narrow]) {
    await resize(page, width);
    await expectNoSidewaysScroll(page, `${name} at ${width}`);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(page, `${name} at ${narrow}, dark`, part);
  await page.emulateMedia({ colorScheme: 'light' });
  await resize(page, wide);
}

/** Checks with axe in both color schemes, at the current width. */
async function expectNoViolationsInBothSchemes(page: Page, name: string, part?: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectNoViolations(page, `${name}, ${colorScheme}`, part);
  }
}

async function checkScreens(context: BrowserContext, set: typeof screens, ticketId = '', origin = baseUrl()) {
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await resize(page, wide);
  for (const { name, path, ready } of set) {
    await page.goto(`${origin}${path(ticketId)}`);
    await ready(page);
    await checkAtEveryWidth(page, name);
  }
  expect(errors).toEqual([]);
}

// Each test creates its own organizations.
test.describe.configure({ mode: 'parallel' });

// Dozens of pages, each checked by axe.
test.setTimeout(600_000);

test('screens of the staff app are accessible and fit at every width', async ({ context }) => {
  await createOrganization(context);
  for (const [priority, status] of [
    ['low', 'closed'],
    ['medium', 'in_progress'],
    ['high', 'resolved'],
    ['urgent', 'waiting_for_customer'],
  ]) {
    await createTicket(context, { subject: `${priority} and ${status}`, priority });
  }
  await call(context, 'post', '/sla-policies', { name: 'First line', priority_level: 'medium' });
  await call(context, 'post', '/api-tokens', { name: 'Order importer' });
  await call(context, 'post', '/webhook-endpoints', { url: 'https://orders.example.com/hooks', description: 'Order system' });
  await call(context, 'post', '/macros', { name: 'Greeting', content: 'Dear {{customer.name}},', is_shared: true });
  await call(context, 'post', '/views', { name: 'Urgent ones', filter: { priority: ['urgent'] }, is_shared: true });
  const { id } = await createTicket(context);
  await comment(context, id, 'The replacement is on its way.');
  await comment(context, id, 'Label was swapped.', true);
  await checkScreens(context, screens, id);
});

test('sign-in and sign-up pages are accessible and fit at every width', async ({ context }) => {
  await checkScreens(context, signedOut);
  await signUp(context);
  await checkScreens(context, [
    { name: 'onboarding', path: () => '/onboarding', ready: (page) => seen(page.getByLabel('Organization Name')) },
    {
      name: 'bad invitation',
      path: () => '/accept-invitation?token=old',
      ready: (page) => seen(page.getByText('Invalid Invitation')),
    },
  ]);
});

test('customer pages in the organization’s colors are accessible and fit at every width', async ({ context }) => {
  const portal = await createPortal(context);
  await call(context, 'put', '/branding', { primary_color: '#FFD400', secondary_color: '#1A1A2E' });
  const { id } = await createTicket(context);
  await comment(context, id, 'The replacement is on its way.');
  await checkScreens(context, forCustomers, id, portal);
});

test('the invitation, two-factor setup and confirmation dialogs are accessible and fit at every width', async ({
  context,
  page,
  browser,
}) => {
  await createOrganization(context);
  const email = uniqueEmail('grace');
  const path = await invite(context, email);
  const invited = await browser.newContext();
  await signUp(invited, email, 'Grace');
  const theirs = await invited.newPage();
  for (const each of [theirs, page]) await resize(each, wide);
  await theirs.goto(`${baseUrl()}${path}`);
  await theirs.getByRole('button', { name: 'Decline' }).click();
  await expect(theirs.getByRole('dialog')).toBeVisible();
  await checkAtEveryWidth(theirs, 'decline', '[role=dialog]');
  await theirs.keyboard.press('Escape');
  await expect(theirs.getByRole('dialog')).toBeHidden();
  await checkAtEveryWidth(theirs, 'invitation');
  await invited.close();

  await page.goto(`${baseUrl()}/account?setup=two-factor`);
  const section = page.getByRole('region', { name: 'Two-factor sign-in' });
  await section.getByLabel('Current password').fill(password);
  await section.getByRole('button', { name: 'Continue' }).click();
  await expect(section.getByRole('img')).toBeVisible();
  await checkAtEveryWidth(page, 'two-factor set-up');

  await page.goto(`${baseUrl()}/settings?tab=sign-in`);
  await page.getByRole('switch', { name: 'Require two-factor sign-in for admins' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await checkAtEveryWidth(page, 'own two-factor first');
  await page.goto(`${baseUrl()}/organization-settings`);
  await page.getByRole('button', { name: `Cancel the invitation to ${email}` }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await checkAtEveryWidth(page, 'cancel', '[role=dialog]');
});

test('menus, selects, dialogs and a ticket next to its list are accessible', async ({ context, page }) => {
  await createOrganization(context);
  const { id } = await createTicket(context);
  await comment(context, id, 'Label was swapped.', true);
  await page.setViewportSize({ width: wide, height: 900 });
  await page.goto(`${baseUrl()}/tickets`);
  await page.getByRole('link', { name: 'Order arrived with the wrong grind' }).click();
  await expect(page.getByText('Label was swapped.')).toBeVisible();
  await page.getByRole('button', { name: 'Internal note' }).click();
  await page.getByRole('textbox', { name: 'Internal note' }).fill('A draft');
  await expectNoViolationsInBothSchemes(page, 'beside the list');
  await page.getByRole('button', { name: 'Your profile' }).click();
  await expect(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible();
  await expectNoViolationsInBothSchemes(page, 'profile menu', '[role=menu]');
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectNoViolationsInBothSchemes(page, 'shortcuts', '[role=dialog]');
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Status' }).last().click();
  await expect(page.getByRole('option', { name: 'Resolved' })).toBeVisible();
  await expectNoViolationsInBothSchemes(page, 'status choices', '[role=listbox]');
});
