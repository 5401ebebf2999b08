import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { expectNoSidewaysScroll, expectNoViolations } from './axe';
import { baseUrl, createOrganization, createTicket } from './fixtures';

interface Received {
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** A local webhook receiver, which responds with `status`. */
async function startReceiver() {
  const received: Received[] = [];
  const receiver = { received, status: 200, url: '', stop: async () => {} };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(receiver.status).end('received');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  receiver.stop = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return receiver;
}

test('an admin creates a token, a program uses it, and the pages show its requests', async ({ context, page, playwright }) => {
  await createOrganization(context);
  await page.goto(`${baseUrl()}/settings?tab=api`);
  await page.getByRole('button', { name: 'Create a token' }).click();
  const form = page.getByRole('dialog', { name: 'New API token' });
  await form.getByLabel('Name').fill('Order importer');
  await expectNoViolations(page, 'new token', '[role=dialog]');
  await form.getByRole('button', { name: 'Generate token' }).click();
  const issued = page.getByRole('dialog', { name: 'Your new API token' });
  const value = (await issued.getByRole('region', { name: 'New token' }).textContent()) ?? '';
  expect(value).toMatch(/^tnd_live_[0-9a-f]{64}\w{6}$/);
  await expectNoViolations(page, 'issued token', '[role=dialog]');
  await issued.getByRole('button', { name: 'Done' }).click();
  await issued.getByRole('button', { name: 'Close without copying' }).click();

  const program = await playwright.request.newContext({ extraHTTPHeaders: { authorization: `Bearer ${value}` } });
  const send = async (path: string, data: object) => {
    const answer = await program.post(`${baseUrl()}/api/v1${path}`, { data });
    expect(answer.status(), await answer.text()).toBe(201);
    return ((await answer.json()) as { data: { id: string } }).data;
  };
  const { id } = await send('/tickets', { subject: 'Wrong grind', customer_email: 'jonas@example.com' });
  await send(`/tickets/${id}/comments`, { content: 'Imported from the shop.', is_internal: true });
  expect((await program.get(`${baseUrl()}/api/v1/team/members`)).status()).toBe(403);
  await program.dispose();

  await page.goto(`${baseUrl()}/tickets/${id}`);
  await expect(page.getByRole('list', { name: 'Conversation' }).getByText('API · Order importer')).toBeVisible();
  await page.getByRole('button', { name: 'Timeline' }).click();
  await expect(page.getByRole('list', { name: 'Changes' }).getByText('API · Order importer')).toBeVisible();

  await page.goto(`${baseUrl()}/settings?tab=api`);
  await page.getByRole('button', { name: 'Actions for Order importer' }).click();
  await page.getByRole('menuitem', { name: 'View requests' }).click();
  const requests = page.getByRole('list', { name: 'Requests, newest first' });
  await expect(requests.getByText('403')).toBeVisible();
  await expect(requests.getByText('/tickets/:id/comments')).toBeVisible();
  await expectNoViolations(page, 'requests of a token', '[role=dialog]');
  await page.keyboard.press('Escape');
  await page.getByRole('switch', { name: 'Order importer is active' }).click();
  await expect(page.getByText('API token deactivated.')).toBeVisible();
});

test('an admin creates an endpoint, tests it, reads a delivery and sends it again', async ({ context, page }) => {
  await createOrganization(context);
  const receiver = await startReceiver();
  try {
    await page.goto(`${baseUrl()}/settings?tab=webhooks`);
    await page.getByRole('button', { name: 'Create an endpoint' }).click();
    const form = page.getByRole('dialog', { name: 'New webhook endpoint' });
    await form.getByLabel('URL').fill(receiver.url);
    await form.getByLabel('Description').fill('Order system');
    await form.getByRole('button', { name: 'Create endpoint' }).click();
    const issued = page.getByRole('dialog', { name: 'The secret of your endpoint' });
    const secret = (await issued.getByRole('region', { name: 'New secret' }).textContent()) ?? '';
    await issued.getByRole('button', { name: 'Done' }).click();
    await issued.getByRole('button', { name: 'Close without copying' }).click();

    await page.getByRole('link', { name: 'Order system' }).click();
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(page.getByText(/Delivered: your server answered 200 in/)).toBeVisible();
    await page.getByRole('button', { name: 'Done' }).click();
    const [first] = receiver.received;
    const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => String(first?.headers[`webhook-${name}`]));
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${first?.body}`).digest('base64');
    expect(signatures).toBe(`v1,${expected}`);

    // A real event, which fails first and is then sent again.
    receiver.status = 503;
    const ticket = await createTicket(context);
    const list = page.getByRole('list', { name: 'Deliveries, newest first' });
    const created = list.getByRole('button', { name: `ticket.created of ${ticket.ticket_number}` });
    await page.mouse.move(0, 0);
    await expect(created).toBeVisible();
    await expect(list.getByText(/503/).first()).toBeVisible();
    await created.click();
    const panel = page.getByRole('dialog', { name: 'ticket.created' });
    await expect(panel.getByRole('button', { name: /^503 Attempt 1/ })).toBeVisible();
    await expect(panel.getByRole('region', { name: 'Request body' })).toContainText('Order arrived with the wrong grind');
    await expectNoViolations(page, 'delivery', '[role=dialog]');
    await panel.getByRole('button', { name: 'Close' }).click();
    receiver.status = 200;
    await list.getByRole('checkbox', { name: `Select ticket.created of ${ticket.ticket_number}` }).check();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.mouse.move(0, 0);
    await expect(list.getByText(/Answered 200 · Sent again/)).toBeVisible();

    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page, `endpoint at ${width}`);
      await expectNoViolations(page, `endpoint at ${width}`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${baseUrl()}/tickets/${ticket.id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Webhook deliveries' }).click();
    await expect(page.getByRole('list', { name: 'Deliveries, newest first' }).getByText('Order system ·').first()).toBeVisible();
  } finally {
    await receiver.stop();
  }
});
