import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  serviceNames,
  type Attachment,
  type Erasure,
  type Export,
  type Import,
  type PublicTicket,
  type RetentionPolicy,
  type Ticket,
  type WebhookDelivery,
} from '@tandem/contracts';
import { connectRedis } from '@tandem/messaging';
import { WebhookSink } from '@tandem/sandbox';
import { SmtpListener } from '@tandem/tickets/src/mail-in/smtp-listener';
import { unzip } from '@tandem/tickets/test/zip';
import { eventually, maxAgeDays, queryAsOwner, testServers } from '@tandem/testing';
import { createTransport } from 'nodemailer';
import { connectClickUp, integrate, startTestAppWithClickUp } from './test-app-with-clickup';
import type { OwnerSession, TestApp } from './test-app';

/** In everything that the customer writes, and in the address. */
const canary = 'canary4711zz';
const address = `${canary}@example.com`;
const wait = { timeoutMs: 30_000 };

let app: TestApp;
let sink: WebhookSink;
let ada: OwnerSession;
let bob: OwnerSession;
/** Ada's organization is connected to a task tool. */
beforeAll(async () => {
  sink = await WebhookSink.start();
  const overrides = {
    RATE_LIMIT_API_PER_MINUTE: '1000',
    MAIL_IN_PORT: '0',
    WEBHOOK_TEST_RECEIVERS: new URL(sink.url).host,
    SWEEP_MS: '300',
  };
  const started = await startTestAppWithClickUp(overrides);
  app = started.app;
  [ada, bob] = [await app.signUpOwner('Ada Engines'), await app.signUpOwner('Bob Bakery')];
  await connectClickUp(ada.browser, started.clickup);
  await integrate(ada.browser, started.clickup);
});
afterAll(() => sink?.close());

const sent = async <T>(owner: OwnerSession, method: 'POST' | 'PUT' | 'PATCH', path: string, body: object): Promise<T> => {
  const answer = await owner.browser.send<T>(method, path, { body });
  if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
  return answer.data;
};
const query = <Row extends object>(database: string, text: string, values?: unknown[]) =>
  queryAsOwner<Row>(app.env[`${database.toUpperCase()}_DATABASE_URL`]!, text, values);

/** Tables of all databases that contain the text, with row-level security bypassed: of these organizations, or of any. */
async function tablesWith(text: string, organization_id: string | null): Promise<string[]> {
  const found: string[] = [];
  const hex = Buffer.from(text).toString('hex');
  const base64 = Buffer.from(text).toString('base64').slice(0, -4);
  for (const database of serviceNames) {
    const tables = await query<{ name: string; is_tenant: boolean }>(
      database,
      `select relname as name, exists (select from pg_attribute a where a.attrelid = c.oid and attname = 'organization_id') as is_tenant
       from pg_class c where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
    );
    for (const { name, is_tenant } of tables) {
      const of = organization_id !== null && is_tenant ? `and organization_id = '${organization_id}'` : '';
      const rows = await query(
        database,
        `select 1 from "${name}" x where (x::text ilike $1 or x::text like $2 or x::text like $3) ${of} limit 1`,
        [`%${text}%`, `%${hex}%`, `%${base64}%`],
      );
      if (rows.length > 0) found.push(`${database}.${name}`);
    }
  }
  return found;
}
async function filesWith(text: string): Promise<string[]> {
  const names = await readdir(app.env['ATTACHMENTS_DIR']!, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of names) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(entry.parentPath, entry.name));
    const entries = bytes.subarray(0, 2).toString() === 'PK' ? [...(await unzip(bytes)).values()] : [bytes];
    if (entries.some((one) => one.includes(text))) found.push(entry.name);
  }
  return found;
}
/** Keys whose name or serialized value contains the text. */
async function keysWith(text: string): Promise<string[]> {
  const redis = connectRedis(testServers().redisUrl);
  try {
    const found: string[] = [];
    for (const key of await redis.keys(`${app.env['REDIS_PREFIX']}*`)) {
      const value = await redis.dump(key);
      if (key.includes(text) || value?.includes(text)) found.push(key);
    }
    return found;
  } finally {
    redis.disconnect();
  }
}
async function aFile(owner: OwnerSession, name: string, content: string): Promise<Attachment> {
  const { upload_url } = await sent<{ upload_url: string }>(owner, 'POST', '/attachments', { file_name: name, size: content.length });
  return (await app.browser().send<Attachment>('PUT', `/${upload_url}`, { raw: content, headers: { 'content-type': 'text/plain' } })).data;
}
/** Tickets by portal, widget, email and staff, with a reply, a file, a draft and a rating; copies of another customer's ticket. */
async function aCustomer(owner: OwnerSession): Promise<{ ticket: Ticket; other: Ticket }> {
  const { secret } = await sent<{ secret: string }>(owner, 'POST', '/webhook-endpoints', { url: sink.hookUrl });
  sink.change({ secrets: [secret] });
  const { subdomain } = owner.organization;
  const form = { subject: `Portal ${canary}`, description: canary, customer_email: address, customer_name: canary };
  const opened = await app.browser(owner.portalHost).post<PublicTicket>('/public/tickets', form);
  expect(opened.status).toBe(201);
  expect((await app.browser().post(`/widget/v1/tickets?organization=${subdomain}`, form)).status).toBe(201);
  const transport = createTransport({ host: '127.0.0.1', port: app.services.tickets.app.get(SmtpListener).port!, ignoreTLS: true });
  await transport.sendMail({
    from: `"${canary}" <${address}>`,
    to: `support@${subdomain}.tandem.localhost`,
    subject: `Mail ${canary}`,
    text: `${canary}\n\nOn Monday you wrote:\n> ${canary}`,
  });
  transport.close();
  const ticket = await app.ticket(owner.browser, {
    subject: `Staff ${canary}`,
    description: canary,
    customer_email: address,
    customer_name: canary,
  });
  const file = await aFile(owner, `${canary}.txt`, `bytes of ${canary}`);
  await sent(owner, 'POST', `/tickets/${ticket.id}/comments`, { content: `Hello ${canary}`, attachment_ids: [file.id] });
  await sent(owner, 'POST', `/tickets/${ticket.id}/comments`, { content: `Note ${canary}`, is_internal: true });
  await sent(owner, 'PUT', `/tickets/${ticket.id}/draft`, { content: `Draft ${canary}`, is_internal: false });
  await sent(owner, 'PATCH', `/tickets/${ticket.id}`, { status: 'resolved' });
  const survey = { email: address, rating: 2, feedback: `Feedback ${canary}` };
  expect((await app.browser(owner.portalHost).post(`/public/surveys/${ticket.id}`, survey)).status).toBe(201);
  const other = await app.ticket(owner.browser, { subject: 'Of another customer', cc: [address] });
  await sent(owner, 'POST', `/tickets/${other.id}/comments`, { content: 'Hello to both' });
  await eventually(async () => {
    const { data } = await owner.browser.get<Ticket[]>(`/tickets?customer_email=${encodeURIComponent(address)}`);
    expect(data).toHaveLength(4);
  }, wait);
  return { ticket, other };
}
/** Waits until webhooks about the ticket were delivered, and its organization's task tool has copies of the customer's tickets. */
const untilCopied = (ticket: Ticket) =>
  eventually(async () => {
    const { data } = await ada.browser.get<WebhookDelivery[]>(`/tickets/${ticket.id}/webhook-deliveries`);
    expect(data.some(({ state }) => state === 'delivered')).toBe(true);
    const [copy] = await query<{ count: number }>('integrations', 'select count(*)::int from ticket_copies where customer_email = $1', [
      address,
    ]);
    expect(copy!.count).toBeGreaterThanOrEqual(4);
  }, wait);
async function exported(owner: OwnerSession, path: string, body: object): Promise<Map<string, string>> {
  const { id } = await sent<Export>(owner, 'POST', path, body);
  await eventually(async () => expect((await owner.browser.get<Export>(`/exports/${id}`)).data.state).toBe('done'), wait);
  const { url } = await sent<{ url: string }>(owner, 'POST', `/exports/${id}/link`, {});
  const zip = await unzip(Buffer.from(await (await app.browser().fetch('GET', `/${url}`)).arrayBuffer()));
  return new Map([...zip].map(([name, bytes]) => [name, bytes.toString('utf8')]));
}
/** A ticket of the customer by import, whose file and staged records are still stored for the undo. */
async function imported(owner: OwnerSession): Promise<void> {
  const { id } = await sent<Import>(owner, 'POST', '/imports', { source: 'csv' });
  const csv = `id,subject,customer_email,description\n1,Import ${canary},${address},${canary}\n`;
  const file = { file_name: 'tickets.csv', size: csv.length };
  const { upload_url } = await sent<{ upload_url: string }>(owner, 'POST', `/imports/${id}/files`, file);
  const uploaded = await app.browser().send('PUT', `/${upload_url}`, { raw: csv, headers: { 'content-type': 'text/csv' } });
  expect(uploaded.status).toBe(200);
  const untilState = (state: Import['state']) =>
    eventually(async () => expect((await owner.browser.get<Import>(`/imports/${id}`)).data.state).toBe(state), wait);
  await sent(owner, 'POST', `/imports/${id}/check`, {});
  await untilState('ready');
  await sent(owner, 'POST', `/imports/${id}/start`, {});
  await untilState('done');
  expect(await tablesWith(canary, owner.organization.id)).toContain('tickets.import_records');
}
/** Waits until each service has begun to delete the ticket, then makes the passes due that delete what was in transit, until the last. */
async function finishPasses(ticket: Ticket): Promise<void> {
  const deleting = serviceNames.filter((name) => name !== 'identity');
  for (const database of deleting) {
    const begun = async () => (await query(database, 'select 1 from ticket_deletions where ticket_id = $1', [ticket.id])).length > 0;
    await eventually(begun, wait);
  }
  await eventually(
    async () => {
      let left = 0;
      for (const database of deleting) {
        await query(database, `update ticket_deletions set next_pass_at = now() - interval '1 second'`);
        left += (await query(database, 'select 1 from ticket_deletions')).length;
      }
      expect(left).toBe(0);
    },
    { timeoutMs: 60_000 },
  );
}

it('gives a customer a readable copy of their data, then leaves nothing of it anywhere, and the neighbour’s as it was', async () => {
  const { ticket, other } = await aCustomer(ada);
  await aCustomer(bob);
  await untilCopied(ticket);
  await exported(ada, '/exports', {});
  await imported(ada);
  const archive = await exported(ada, '/customer-exports', { email: address });
  const page = archive.get('index.html')!;
  for (const text of ['Portal', 'Mail', 'Staff', 'Hello', 'Note', 'Feedback']) expect(page).toContain(`${text} ${canary}`);
  expect(page).toContain(other.ticket_number);
  expect(page).not.toMatch(/<script|Of another customer"|Hello to both.*<h2>Tickets of others/);
  expect(archive.get('sent_emails.jsonl')).toContain(canary);
  expect(archive.get('tickets.jsonl')!.trim().split('\n')).toHaveLength(5);
  expect([...archive.keys()].filter((name) => /members|teammates|audit/.test(name))).toEqual([]);
  const listed = (await ada.browser.get<Export[]>('/exports')).data;
  expect(listed.map(({ is_of_customer, customer_email }) => [is_of_customer, customer_email])).toEqual([
    [true, address],
    [false, null],
  ]);

  const neighbour = await tablesWith(canary, bob.organization.id);
  expect((await tablesWith(canary, ada.organization.id)).length).toBeGreaterThan(15);
  const { id } = await sent<Erasure>(ada, 'POST', '/erasures', { email: address, delay_hours: 0 });
  const done = await eventually(async () => {
    const { data, text } = await ada.browser.get<Erasure>(`/erasures/${id}`);
    expect(text).toContain('"state":"done"');
    return data;
  }, wait);
  expect(done.answers.tickets).toMatchObject({ tickets: 5, comments: 2, files: 1, surveys: 1, drafts: 1, exports: 2 });
  expect(done.answers.notifications).toMatchObject({ sent_emails: expect.any(Number), webhook_events: expect.any(Number) });
  expect(done.answers).toMatchObject({ integrations: { task_copies: expect.any(Number) }, analytics: { feedback: 1 } });
  expect(done.remains).toContain('task_tool');

  await finishPasses(ticket);
  await eventually(async () => expect(await tablesWith(canary, ada.organization.id)).toEqual([]), wait);
  expect(await tablesWith(canary, bob.organization.id)).toEqual(neighbour);
  // Only the neighbour's file is left; archives are deleted.
  await eventually(async () => expect(await filesWith(canary)).toHaveLength(1), wait);
  expect(await keysWith(canary)).toEqual([]);
  // The stream keeps events, as the receipt says, until their age limit.
  expect(await maxAgeDays(app.env['NATS_STREAM']!)).toBe(30);
  const { data: audit } = await ada.browser.get<{ type: string; target: string | null }[]>('/audit-log');
  expect(audit.filter(({ type }) => type.startsWith('erasure.')).map(({ type, target }) => [type, target])).toEqual([
    ['erasure.finished', '5 tickets'],
    ['erasure.requested', '5 tickets'],
  ]);
}, 240_000);

it('anonymizes old tickets, and leaves nothing of their customers anywhere, and the neighbour’s as it was', async () => {
  const { ticket } = await aCustomer(ada);
  await untilCopied(ticket);
  const neighbour = await tablesWith(canary, bob.organization.id);
  const facts = () =>
    query<{ rating: number | null }>(
      'analytics',
      'select rating, feedback from ticket_facts where organization_id = $1 and ticket_id = $2',
      [ada.organization.id, ticket.id],
    );
  await eventually(async () => expect(await facts()).toEqual([{ rating: 2, feedback: `Feedback ${canary}` }]), wait);
  // Also the ticket of another customer, which has the address in Cc.
  for (const { id, status } of (await ada.browser.get<Ticket[]>('/tickets')).data)
    if (status !== 'resolved') await sent(ada, 'PATCH', `/tickets/${id}`, { status: 'resolved' });
  await eventually(async () => {
    const open = `select 1 from ticket_facts where organization_id = $1 and status not in ('resolved', 'closed')`;
    expect(await query('analytics', open, [ada.organization.id])).toEqual([]);
  }, wait);
  await query('tickets', `update tickets set updated_at = now() - interval '3 months' where organization_id = $1`, [ada.organization.id]);
  const policy = { is_active: true, action: 'anonymize', months: 1, kept_categories: [] };
  expect(await sent<RetentionPolicy>(ada, 'PUT', '/retention', policy)).toMatchObject(policy);
  await query('tickets', 'update retention_policies set next_run_at = now()');
  const read = async () => (await ada.browser.get<Ticket>(`/tickets/${ticket.id}`)).data;
  await eventually(async () => expect((await read()).anonymized_at).not.toBeNull(), wait);
  await query('tickets', `update attachments set created_at = now() - interval '2 days' where organization_id = $1`, [ada.organization.id]);

  await finishPasses(ticket);
  await eventually(async () => expect(await tablesWith(canary, ada.organization.id)).toEqual([]), wait);
  expect(await tablesWith(canary, bob.organization.id)).toEqual(neighbour);
  await eventually(async () => expect(await filesWith(canary)).toHaveLength(1), wait);
  expect(await keysWith(canary)).toEqual([]);
  expect(await read()).toMatchObject({ subject: 'Anonymized ticket', status: 'resolved', comment_count: 2, public_reply_count: 1 });
  expect(await facts()).toEqual([{ rating: 2, feedback: null }]);
  for (const email of [address, 'removed@anonymous.invalid'])
    expect((await app.browser(ada.portalHost).get(`/public/tickets/${ticket.id}?email=${encodeURIComponent(email)}`)).status).toBe(404);
  await eventually(async () => {
    const { data } = await ada.browser.get<{ type: string; target: string | null }[]>('/audit-log');
    expect(data.filter(({ type }) => type.startsWith('retention.')).map(({ target }) => target)).toEqual([
      // With the tickets of another customer, of both tests.
      '6 tickets anonymized',
      'Anonymize after 1 month',
    ]);
  }, wait);
}, 240_000);
