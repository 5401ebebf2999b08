import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { rolldown } from 'rolldown';
import { baseUrl, call, createOrganization } from './fixtures';

/** The client of `libs/sdk` in a browser, as the ES module that the package contains. */

let code: string;
test.beforeAll(async () => {
  const sdk = join(import.meta.dirname, '..', '..', 'libs', 'sdk');
  const bundle = await rolldown({
    input: join(sdk, 'src', 'index.ts'),
    tsconfig: join(sdk, 'tsconfig.json'),
    transform: { target: 'es2022' },
  });
  const { output } = await bundle.generate({ format: 'esm' });
  expect(output).toHaveLength(1);
  code = output[0].code;
  // A bare import would need Node, or a bundler.
  expect(code).not.toMatch(/\bfrom\s*["'][^./]|\brequire\(/);
});

async function newToken(context: BrowserContext): Promise<string> {
  await createOrganization(context);
  return (await call(context, 'post', '/api-tokens', { name: 'Page', permissions: ['tickets:read', 'tickets:write'] })).value!;
}

/** Runs the body of a function with `Tandem`, `TandemError` and `verifyWebhook` in the page. */
const runWithSdk = <T>(page: Page, body: string, values: object): Promise<T> =>
  page.evaluate(
    `(async (values) => {
       const { Tandem, TandemError, verifyWebhook } = await import('/tandem-sdk.js');
       const tandem = new Tandem({ ...values, maxRetries: 0 });
       ${body}
     })(${JSON.stringify(values)})`,
  );

/** A page without a session, so that only the token counts. */
const newPage = async (browser: Browser): Promise<Page> => (await browser.newContext()).newPage();

test('the client works in a page of Tandem’s own address', async ({ browser, context }) => {
  const token = await newToken(context);
  const page = await newPage(browser);
  await page.route('**/tandem-sdk.js', (route) => route.fulfill({ contentType: 'text/javascript', body: code }));
  await page.goto(`${baseUrl()}/docs`);
  const customer_email = 'in-a-page@example.com';
  const values = { token, baseUrl: baseUrl(), customer_email };

  const created = await runWithSdk<{ ticket_number: string; version: number }>(
    page,
    `const ticket = await tandem.tickets.create({ subject: 'From a page', customer_email: values.customer_email });
     await tandem.comments.create(ticket.id, { content: 'Größe “L” fehlt 👕', is_internal: true });
     return tandem.tickets.update(ticket.id, { priority: 'high' }, { ifMatch: await tandem.tickets.get(ticket.id) });`,
    values,
  );
  expect(created).toMatchObject({ subject: 'From a page', priority: 'high', channel: 'api', comment_count: 1 });

  const listed = await runWithSdk<string[]>(
    page,
    `const numbers = [];
     for await (const ticket of tandem.tickets.list({ limit: 1 })) numbers.push(ticket.ticket_number);
     return numbers;`,
    values,
  );
  expect(listed).toEqual([created.ticket_number]);

  const refused = await runWithSdk<unknown>(
    page,
    `return tandem.webhooks.list().catch((error) => [error instanceof TandemError, error.code, error.status]);`,
    values,
  );
  expect(refused).toEqual([true, 'token.permission_missing', 403]);

  const key = Buffer.alloc(32, 7);
  const body = JSON.stringify({ event: 'webhook.test', data: { text: 'Größe' } });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = `v1,${createHmac('sha256', key).update(`evt_1.${timestamp}.${body}`).digest('base64')}`;
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  const verified = await runWithSdk<unknown>(
    page,
    `const event = await verifyWebhook(values.body, values.headers, values.secret);
     const forged = await verifyWebhook(values.body + ' ', values.headers, values.secret).catch((error) => error.step);
     return [event.event, forged];`,
    { ...values, body, headers, secret: `whsec_${key.toString('base64')}` },
  );
  expect(verified).toEqual(['webhook.test', 'signature']);
});

test('a page of another site cannot call the API, even with a token', async ({ browser, context }) => {
  const token = await newToken(context);
  // Not with a route of Playwright, which answers preflight requests itself.
  const server = createServer(({ url }, response) =>
    url === '/tandem-sdk.js'
      ? response.setHeader('content-type', 'text/javascript').end(code)
      : response.setHeader('content-type', 'text/html').end('<title>Shop</title>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const page = await newPage(browser);
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const values = { token, baseUrl: baseUrl() };
    for (const request of [`tandem.tickets.list()`, `tandem.tickets.create({ subject: 'x', customer_email: 'x@example.com' })`])
      expect(await runWithSdk(page, `return Promise.resolve(${request}).catch((error) => error.code);`, values)).toBe('sdk.network');
    const answer = await context.request.get(`${baseUrl()}/api/v1/tickets`);
    expect(((await answer.json()) as { data: unknown[] }).data).toEqual([]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
