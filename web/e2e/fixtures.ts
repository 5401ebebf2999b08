import { createServer, type AddressInfo } from 'node:net';
import { expect, type APIRequestContext, type Browser, type BrowserContext, type Locator, type Page } from '@playwright/test';

export const baseUrl = () => process.env.BASE_URL ?? 'http://localhost:3000';
export const password = 'correct horse 7 staple';

let counter = 0;
/** A value that no other test has, in this worker or another. */
const unique = () => `${process.env.TEST_WORKER_INDEX ?? ''}-${(counter += 1)}`;
/** An email address that no other test uses. */
export const uniqueEmail = (name = 'ada') => `${name}-${Date.now().toString(36)}-${unique()}@example.com`;

/** A port of this machine for a process that a test starts. */
export const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** The emails to this address, newest first. */
export async function emailsTo(request: APIRequestContext, to: string): Promise<object[]> {
  const answer = await request.get(`${process.env.MAILBOX_URL}/api/messages?to=${encodeURIComponent(to)}`);
  return (await answer.json()) as object[];
}

/** Waits for the newest email to this address that contains a link with `path`, and returns the link. */
export async function emailedLink(request: APIRequestContext, to: string, path: string): Promise<string> {
  let link: string | undefined;
  await expect(async () => {
    const mails = (await emailsTo(request, to)) as { links: string[] }[];
    link = mails.flatMap(({ links }) => links).find((each) => each.includes(path));
    expect(link, `a mail to ${to} with a link to ${path}`).toBeDefined();
  }).toPass({ timeout: 20_000 });
  return link ?? '';
}

/** Sends one API request as the user who is signed in in this browser context. */
export async function call(context: BrowserContext, method: 'get' | 'post' | 'put' | 'patch', path: string, data?: object) {
  const token = (await context.cookies(baseUrl())).find(({ name }) => name.endsWith('tandem_csrf'))?.value;
  const answer = await context.request[method](`${baseUrl()}/api/v1${path}`, {
    ...(data ? { data } : {}),
    headers: token ? { 'x-csrf-token': token } : {},
  });
  expect(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`).toBe(true);
  return ((await answer.json()) as { data: Record<string, string> }).data;
}

/** Signs up and confirms in the same browser, which signs in: a user without an organization. Uses the API, for tests of other features. */
export async function signUp(context: BrowserContext, email = uniqueEmail(), name = 'Ada'): Promise<string> {
  await call(context, 'post', '/auth/sign-up', { email, password, first_name: name, last_name: 'Okafor' });
  const token = new URL(await emailedLink(context.request, email, '/auth/confirm')).searchParams.get('token') ?? '';
  await call(context, 'post', '/auth/confirm-email', { token });
  return email;
}

/** Creates an organization and signs in as its admin. */
export async function createOrganization(context: BrowserContext): Promise<string> {
  const email = await signUp(context);
  await call(context, 'post', '/organizations', { name: `Northwind Coffee ${unique()}` });
  return email;
}

/** Creates an organization with its own host name and returns the address of its public pages. */
export async function createPortal(context: BrowserContext, changes: object = {}): Promise<string> {
  await createOrganization(context);
  const { organization } = (await call(context, 'get', '/auth/session')) as unknown as { organization: { id: string } };
  const subdomain = `c${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
  await call(context, 'patch', `/organizations/${organization.id}`, { subdomain, ...changes });
  const url = new URL(baseUrl());
  url.hostname = `${subdomain}.localhost`;
  return url.origin;
}

/** Invites a user to the admin's organization and returns the path of the emailed link. */
export async function invite(context: BrowserContext, email: string, role = 'agent'): Promise<string> {
  await call(context, 'post', '/team/invitations', { email, role });
  const { pathname, search } = new URL(await emailedLink(context.request, email, '/accept-invitation'));
  return `${pathname}${search}`;
}

export const createTicket = async (context: BrowserContext, overrides: object = {}): Promise<{ id: string; ticket_number: string }> =>
  (await call(context, 'post', '/tickets', {
    subject: 'Order arrived with the wrong grind',
    description:
      'All twelve bags came ground for filter.\n\nCould you send replacements before Friday? See https://shop.example.com/orders/48213',
    customer_email: 'jonas@example.com',
    customer_name: 'Jonas Weber',
    ...overrides,
  })) as { id: string; ticket_number: string };

/** The number of tickets in the list with these parameters, which have the same names in the address of the page and in the API. */
export async function listed(context: BrowserContext, href: string): Promise<number> {
  const answer = await context.request.get(`${baseUrl()}/api/v1${href}&limit=1`);
  expect(answer.ok(), href).toBe(true);
  return ((await answer.json()) as { meta: { pagination: { total: number } } }).meta.pagination.total;
}

export const comment = (context: BrowserContext, ticketId: string, content: string, is_internal = false) =>
  call(context, 'post', `/tickets/${ticketId}/comments`, { content, is_internal });

/** Creates an article and publishes it. */
export async function publishArticle(context: BrowserContext, article: object): Promise<{ id: string; number: number }> {
  const { id, version } = await call(context, 'post', '/articles', article);
  return (await call(context, 'post', `/articles/${id}/publish`, { version })) as unknown as { id: string; number: number };
}

/** Pastes a picture of 640 × 320 pixels. Not with the keys for pasting: parallel tests share the clipboard of the system. */
export const pastePicture = (box: Locator) =>
  box.evaluate(async (element) => {
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 640, height: 320 }).getContext('2d')?.fillRect(40, 40, 560, 240);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([blob!], 'image.png', { type: 'image/png' }));
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
/** Whether the browser has loaded that picture. */
export const hasLoadedPicture = (picture: Locator) =>
  picture.evaluate((element: HTMLImageElement) => element.complete && element.naturalWidth === 640);

/** Follows an address in the app that the page has loaded, as a link does. Saves the CPU time of loading the app again. */
export const openInApp = (page: Page, address: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, address);

/** Fills in the sign-in form like a user. */
export async function submitSignInForm(page: Page, email: string, withPassword = password): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(withPassword);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

/** A second user on the admin's team, signed in, in a separate browser context. */
export async function signInTeammate(browser: Browser, admin: BrowserContext, name: string, role = 'agent'): Promise<BrowserContext> {
  const email = uniqueEmail(name.toLowerCase());
  const path = await invite(admin, email, role);
  const context = await browser.newContext();
  await signUp(context, email, name);
  const token = new URL(path, baseUrl()).searchParams.get('token') ?? '';
  await call(context, 'post', `/invitations/${token}/accept`, {});
  return context;
}
