import { expect, test, type BrowserContext, type Locator, type Page } from '@playwright/test';
import { expectNoSidewaysScroll, expectNoViolations } from './axe';
import {
  uniqueEmail,
  baseUrl,
  call,
  comment,
  createOrganization,
  createPortal,
  invite,
  createTicket,
  openInApp,
  publishArticle,
  password,
  signUp,
} from './fixtures';

interface Screen {
  name: string;
  path: (ticketId: string) => string;
  /** Whether users reach it by its address: from an email, another site or a search engine. It is then loaded, not opened in the app. */
  isEntry?: boolean;
  /** Steps that lead from the address to the screen. */
  prepare?: (page: Page) => Promise<void>;
  /** Is visible once the screen has loaded. */
  sign: (page: Page) => Locator;
}

/** Every screen of the staff app. */
const screens: Screen[] = [
  {
    name: 'dashboard',
    path: () => '/dashboard',
    sign: (page) => page.getByRole('link', { name: /Order arrived/ }).first(),
  },
  {
    name: 'analytics',
    path: () => '/analytics',
    sign: (page) => page.getByRole('img', { name: /^Arrivals/ }),
  },
  { name: 'list', path: () => '/tickets', sign: (page) => page.getByRole('heading', { level: 2 }).first() },
  {
    name: 'empty list',
    path: () => '/tickets?search=nothing-like-it',
    sign: (page) => page.getByText('No tickets found'),
  },
  { name: 'ticket', path: (id) => `/tickets/${id}`, sign: (page) => page.getByText('Label was swapped.') },
  { name: 'edit', path: (id) => `/tickets/${id}/edit`, sign: (page) => page.getByLabel('Subject') },
  { name: 'new', path: () => '/tickets/new', sign: (page) => page.getByLabel('Subject') },
  {
    name: 'unknown ticket',
    path: () => '/tickets/unknown',
    sign: (page) => page.getByText('Ticket Not Found').first(),
  },
  {
    name: 'organization',
    path: () => '/organization-settings',
    sign: (page) => page.getByText('No pending invitations'),
  },
  {
    name: 'account',
    path: () => '/account',
    sign: (page) => page.getByText('This device'),
  },
  {
    name: 'audit log',
    path: () => '/settings?tab=audit',
    sign: (page) => page.getByText('Created the organization'),
  },
  {
    name: 'sign-in settings',
    path: () => '/settings?tab=sign-in',
    sign: (page) => page.getByLabel('Issuer'),
  },
  {
    name: 'sla settings',
    path: () => '/settings?tab=sla',
    sign: (page) => page.getByText('First line', { exact: true }),
  },
  { name: 'rules', path: () => '/settings?tab=rules', sign: (page) => page.getByRole('link', { name: 'Refunds', exact: true }) },
  {
    name: 'rule',
    path: () => '/settings?tab=rules&rule=new&template=outside_hours',
    sign: (page) => page.getByLabel('Reply to the customer'),
  },
  { name: 'portal settings', path: () => '/settings?tab=portal', sign: (page) => page.getByRole('region').first() },
  {
    name: 'email settings',
    path: () => '/settings?tab=email',
    sign: (page) => page.getByText('Emails to this address become tickets'),
  },
  { name: 'widget settings', path: () => '/settings?tab=embed', sign: (page) => page.getByText('Sites that may show the widget') },
  { name: 'languages', path: () => '/settings?tab=languages', sign: (page) => page.getByLabel('Search all texts') },
  { name: 'session log', path: () => '/settings?tab=security', sign: (page) => page.getByRole('heading', { level: 2 }).first() },
  { name: 'API settings', path: () => '/settings?tab=api', sign: (page) => page.getByText('Order importer', { exact: true }) },
  { name: 'webhooks', path: () => '/settings?tab=webhooks', sign: (page) => page.getByRole('link', { name: 'Order system' }) },
  { name: 'imports', path: () => '/settings?tab=import', sign: (page) => page.getByRole('button', { name: /^Zendesk/ }) },
  {
    name: 'import from an API',
    path: () => '/settings?tab=import&import=new&source=zammad',
    sign: (page) => page.getByLabel('Access token'),
  },
  {
    name: 'import',
    path: () => '/settings?tab=import',
    prepare: (page) => page.getByRole('button', { name: /^CSV files/ }).click(),
    sign: (page) => page.getByRole('button', { name: 'Choose files' }),
  },
  { name: 'exports', path: () => '/settings?tab=export', sign: (page) => page.getByRole('checkbox', { name: 'Include files' }) },
  {
    name: 'privacy settings',
    path: () => '/settings?tab=privacy',
    prepare: async (page) => {
      await page.getByLabel('Customer’s email address').fill('jonas@example.com');
      await page.getByRole('button', { name: 'Show what would be erased' }).click();
      await page.getByText('What remains, and why').click();
      await page.getByRole('status').filter({ hasText: 'old enough' }).waitFor();
    },
    sign: (page) => page.getByRole('button', { name: 'Schedule erasure' }),
  },
  {
    name: 'receipt of an erasure',
    path: () => '/settings?tab=privacy',
    prepare: (page) => page.getByRole('link', { name: /^Erasure / }).click({ timeout: 60_000 }),
    sign: (page) => page.getByRole('heading', { name: 'Receipt of an erasure' }),
  },
  {
    name: 'sample ticket',
    path: () => '/sample-ticket',
    sign: (page) => page.getByRole('heading', { name: 'Order arrived with the wrong grind' }),
  },
  {
    name: 'articles',
    path: () => '/articles',
    sign: (page) => page.getByRole('link', { name: 'Refund a payment' }),
  },
  {
    name: 'article',
    path: () => '/articles',
    prepare: (page) => page.getByRole('link', { name: 'Refund a payment' }).click(),
    sign: (page) => page.getByLabel('Summary'),
  },
  { name: 'canned replies', path: () => '/canned-replies', sign: (page) => page.getByText('Greeting').first() },
  {
    name: 'integration',
    path: () => '/integration',
    sign: (page) => page.getByRole('button', { name: 'Connect ClickUp' }),
  },
  {
    name: 'integrations settings',
    path: () => '/settings?tab=integrations',
    sign: (page) => page.getByRole('button', { name: 'Connect ClickUp' }),
  },
  {
    name: 'access not allowed',
    path: () => '/auth/callback/clickup?error=access_denied',
    isEntry: true,
    sign: (page) => page.getByRole('button', { name: 'Try again' }),
  },
  { name: 'unknown page', path: () => '/no/such/page', sign: (page) => page.getByText('Oops! Page not found') },
];
const signedOut: Screen[] = [
  {
    name: 'team address',
    path: () => '/',
    prepare: async (page) => {
      // Only the app asks for the team on localhost, where the server opens the form of the first organization.
      await expect(page.locator('#first-html')).toHaveCount(0);
      await page.getByRole('link', { name: 'Submit Support Ticket' }).click();
    },
    sign: (page) => page.getByLabel('Team address'),
  },
  { name: 'compare', path: () => '/compare', isEntry: true, sign: (page) => page.getByRole('region', { name: 'Comparison' }) },
  { name: 'privacy', path: () => '/privacy', isEntry: true, sign: (page) => page.getByRole('heading', { name: 'Cookies' }) },
  { name: 'status', path: () => '/status', isEntry: true, sign: (page) => page.getByText('Everything works') },
  { name: 'changelog', path: () => '/changelog', isEntry: true, sign: (page) => page.getByRole('heading', { name: 'Added' }).first() },
  { name: 'sign in', path: () => '/auth', sign: (page) => page.getByLabel('Email') },
  { name: 'sign up', path: () => '/auth?tab=sign-up', sign: (page) => page.getByLabel('First name') },
  { name: 'confirm', path: () => '/auth/confirm?token=old', isEntry: true, sign: (page) => page.getByRole('alert') },
  {
    name: 'SSO refused',
    path: () => '/auth?sso_error=oidc.not_a_member',
    isEntry: true,
    sign: (page) => page.getByRole('alert'),
  },
  {
    name: 'invited',
    path: () => `/auth?redirect=${encodeURIComponent('/accept-invitation?token=old')}`,
    sign: (page) => page.getByText('You’re invited.'),
  },
  { name: 'SSO', path: () => '/auth/sso', sign: (page) => page.getByLabel('Organization') },
  { name: 'forgot password', path: () => '/auth/forgot-password', sign: (page) => page.getByLabel('Email') },
  {
    name: 'reset password',
    path: () => `/auth/reset-password?token=${'a'.repeat(43)}`,
    isEntry: true,
    sign: (page) => page.getByLabel('New password'),
  },
  { name: 'reset password, bad', path: () => '/auth/reset-password', sign: (page) => page.getByRole('alert') },
  {
    name: 'confirm new address, bad',
    path: () => '/auth/confirm-email-change?token=old',
    isEntry: true,
    sign: (page) => page.getByRole('alert'),
  },
];
const by = '?email=jonas%40example.com';
/** Customer pages. */
const forCustomers: Screen[] = [
  { name: 'portal home', path: () => '/', sign: (page) => page.getByRole('heading', { name: 'How can we help?' }) },
  { name: 'help', path: () => '/help', sign: (page) => page.getByRole('region', { name: 'Payments' }) },
  { name: 'help category', path: () => '/help/categories/1', sign: (page) => page.getByRole('heading', { level: 1, name: 'Payments' }) },
  { name: 'help article', path: () => '/help/2', isEntry: true, sign: (page) => page.getByRole('button', { name: 'Yes', exact: true }) },
  { name: 'unknown page of a portal', path: () => '/no/such/page', sign: (page) => page.getByText('Oops! Page not found') },
  { name: 'submit', path: () => '/submit-ticket', sign: (page) => page.getByLabel('Subject') },
  { name: 'status without address', path: (id) => `/ticket-status/${id}`, sign: (page) => page.getByLabel('Email') },
  { name: 'check status', path: () => '/ticket-status/check', sign: (page) => page.getByLabel('Email') },
  {
    name: 'links were sent',
    path: () => `/ticket-status/lookup${by}`,
    isEntry: true,
    sign: (page) => page.getByText('we have just sent the links'),
  },
  {
    name: 'unknown status',
    path: () => `/ticket-status/unknown${by}`,
    sign: (page) => page.getByRole('heading', { name: 'Ticket not found' }),
  },
  {
    name: 'unknown survey',
    path: () => `/survey/unknown${by}`,
    isEntry: true,
    sign: (page) => page.getByText('Ticket Not Found'),
  },
  { name: 'status', path: (id) => `/ticket-status/${id}${by}`, sign: (page) => page.getByRole('article') },
  {
    name: 'survey',
    path: (id) => `/survey/${id}${by}&rating=4`,
    isEntry: true,
    sign: (page) => page.getByRole('radio', { name: '4, Good', checked: true }),
  },
];
const article = {
  title: 'Refund a payment',
  summary: 'How to return money.',
  body: '# Find it\nOpen **Payments**.\n\n# Refund\nChoose it.',
};
const [wide, middle, narrow] = [1440, 1024, 390];

const resize = (page: Page, width: number) => page.setViewportSize({ width, height: 900 });

/**
 * Checks the page that is open: the layout at every width, and axe once per color scheme, wide in light and narrow in dark. The layout is the
 * same in both schemes. `part` is the selector of an open overlay. Starts at the width that the previous check has left: laying out and
 * painting the page again costs as much CPU time as axe.
 */
async function checkAtEveryWidth(page: Page, name: string, part?: string) {
  const steps = [{ width: wide, colorScheme: 'light' as const }, { width: middle }, { width: narrow, colorScheme: 'dark' as const }];
  if (page.viewportSize()?.width === narrow) steps.reverse();
  for (const { width, colorScheme } of steps) {
    await resize(page, width);
    await expectNoSidewaysScroll(page, `${name} at ${width}`);
    if (!colorScheme) continue;
    await page.emulateMedia({ colorScheme });
    await expectNoViolations(page, `${name} at ${width}, ${colorScheme}`, part);
  }
}

/** Checks with axe in both color schemes, at the current width. */
async function expectNoViolationsInBothSchemes(page: Page, name: string, part?: string) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expectNoViolations(page, `${name}, ${colorScheme}`, part);
  }
}

/** Opens a screen in the app that is already loaded, unless users do not, or the screen before it shows the same sign. */
async function openScreen(page: Page, address: URL, { isEntry, prepare, sign }: Screen) {
  const isInApp = !isEntry && page.url().startsWith(address.origin) && (await sign(page).count()) === 0;
  await (isInApp ? openInApp(page, address.pathname + address.search) : page.goto(address.href));
  // The first HTML shows the same sign before the app does.
  if (isEntry) await page.locator('#first-html').waitFor({ state: 'detached' });
  await prepare?.(page);
  // Faster than `expect`, whose polling intervals grow: over two hundred pages that adds up.
  await sign(page).waitFor({ timeout: 15_000 });
}

async function checkScreens(context: BrowserContext, set: Screen[], ticketId = '', origin = baseUrl()) {
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  await resize(page, wide);
  for (const screen of set) {
    await openScreen(page, new URL(screen.path(ticketId), origin), screen);
    await checkAtEveryWidth(page, screen.name);
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
  const tag = { type: 'add_tags', tags: ['refund'] };
  await call(context, 'post', '/rules', { name: 'Refunds', triggers: ['ticket_created'], actions: [tag], is_active: false });
  await call(context, 'post', '/api-tokens', { name: 'Order importer' });
  await call(context, 'post', '/webhook-endpoints', { url: 'https://orders.example.com/hooks', description: 'Order system' });
  await call(context, 'post', '/macros', { name: 'Greeting', content: 'Dear {{customer.name}},', is_shared: true });
  await call(context, 'post', '/views', { name: 'Urgent ones', filter: { priority: ['urgent'] }, is_shared: true });
  await call(context, 'post', '/erasures', { email: 'vera@example.com', delay_hours: 0 });
  await call(context, 'post', '/erasures', { email: 'marek@example.com' });
  const { id } = await createTicket(context);
  await comment(context, id, 'The replacement is on its way.');
  await comment(context, id, 'Label was swapped.', true);
  await publishArticle(context, article);
  await checkScreens(context, screens, id);
});

test('sign-in and sign-up pages are accessible and fit at every width', async ({ context }) => {
  await checkScreens(context, signedOut);
  await signUp(context);
  await checkScreens(context, [
    { name: 'onboarding', path: () => '/onboarding', sign: (page) => page.getByLabel('Organization Name') },
    {
      name: 'bad invitation',
      path: () => '/accept-invitation?token=old',
      isEntry: true,
      sign: (page) => page.getByText('Invalid Invitation'),
    },
  ]);
});

test('customer pages in the organization’s colors are accessible and fit at every width', async ({ context }) => {
  const portal = await createPortal(context);
  await call(context, 'put', '/branding', { primary_color: '#FFD400', secondary_color: '#1A1A2E' });
  const { id } = await createTicket(context);
  await comment(context, id, 'The replacement is on its way.');
  const category = await call(context, 'post', '/article-categories', { name: 'Payments', description: 'Charges and refunds' });
  await publishArticle(context, { ...article, category_id: category.id });
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
  await page.keyboard.press('Escape');
  const { name } = ((await call(context, 'get', '/auth/session')) as unknown as { organization: { name: string } }).organization;
  await page.getByRole('button', { name: 'Delete organization' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  await checkAtEveryWidth(page, 'delete organization', '[role=dialog]');
  await dialog.getByLabel('Organization name').fill(name);
  await dialog.getByLabel('Current password').fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'Scheduled deletion' })).toBeVisible();
  await checkAtEveryWidth(page, 'deletion banner');
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
