import {
  deleteMailServer,
  readMailServer,
  saveMailServer,
  sendTestEmail,
  ticketCreated,
  type Context,
  type MailServer,
  type TestEmail,
} from '@tandem/contracts';
import { newId, type Tx } from '@tandem/db';
import { certificate, eventually } from '@tandem/testing';
import { sql } from 'kysely';
import type { SMTPServerOptions } from 'smtp-server';
import { TestMailServer, type ReceivedMail } from '../../test/mail-server';
import { addressOf, aToken, NotificationsUnderTest, type TestOrganization } from '../../test/notifications';
import { claimEmails, findUnfinishedEmailsAcrossOrganizations } from '../email/email.store';
import { EmailWorker } from '../email/email.worker';
import { releaseEmails } from './mail-server.store';
import type { NotificationsSchema } from '../schema';

let notifications: NotificationsUnderTest;
let product: TestMailServer;
const started: TestMailServer[] = [];
const aServer = async (options?: SMTPServerOptions): Promise<TestMailServer> => {
  const server = await new TestMailServer(options).start();
  started.push(server);
  return server;
};

beforeAll(async () => {
  product = await aServer();
  notifications = await NotificationsUnderTest.start({ SMTP_URL: `smtp://127.0.0.1:${product.port}`, ALLOW_PRIVATE_OUTBOUND: 'true' });
});
afterAll(async () => {
  await notifications.service.close();
  await Promise.all(started.map((server) => server.stop()));
});

const bodyOf = ({ port }: { port: number }, overrides: object = {}) => ({
  host: '127.0.0.1',
  port,
  security: 'none',
  username: 'northwind',
  password: 'right',
  from_address: 'support@north.example',
  ...overrides,
});
const admin = (organization: TestOrganization) => notifications.as(organization, 'admin');
const save = (organization: TestOrganization, body: object) =>
  notifications.call<MailServer & { detail?: string }>(saveMailServer, admin(organization), { body });
const read = async (organization: TestOrganization) =>
  (await notifications.call<MailServer | null>(readMailServer, admin(organization))).data;

/** A new ticket, whose customer gets a confirmation. */
async function aTicket(organization: TestOrganization): Promise<string> {
  const ticket = notifications.ticket(organization, { customer_email: `${newId()}@customer.example` });
  await notifications.announce(notifications.as(organization, 'agent'), ticketCreated, ticket.id, { ticket });
  return ticket.customer_email;
}
const headerOf = (mail: ReceivedMail | undefined, name: string) =>
  new RegExp(`^${name}: (.*)\r$`, 'm').exec(mail?.content.replace(/\r\n[ \t]+/g, ' ') ?? '')?.[1];

/** The running service does not see it. */
async function inRolledBackTransaction<T>(work: (tx: Tx<NotificationsSchema>) => Promise<T>): Promise<T> {
  const rollback = new Error('rolled back');
  let result: { value: T } | undefined;
  await notifications.db
    .asSystem('test', async (tx) => {
      result = { value: await work(tx) };
      throw rollback;
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error;
    });
  return result!.value;
}

const auditOf = async ({ id }: TestOrganization): Promise<string[]> => {
  const rows = await notifications.db.asSystem('test', (tx) =>
    tx
      .selectFrom('outbox')
      .select('envelope')
      .where('type', '=', 'mail_server.changed')
      .where('organization_id', '=', id)
      .orderBy('position')
      .execute(),
  );
  return rows.map(({ envelope }) => (envelope as unknown as { data: { what: string } }).data.what);
};

interface Unsent {
  createdMinutesAgo: number;
  /** Intervals from now. */
  due?: string;
  claimedUntil?: string;
}
async function addUnsent(
  tx: Tx<NotificationsSchema>,
  organization_id: string,
  count: number,
  { createdMinutesAgo, due = undefined, claimedUntil = undefined }: Unsent,
): Promise<void> {
  const state = claimedUntil === undefined ? 'pending' : 'sending';
  await sql`select set_config('app.organization_id', ${organization_id}, true)`.execute(tx);
  await sql`insert into emails (id, organization_id, kind, to_address, data, event_id, message_id, created_at, state, due_at, claimed_until)
    select gen_random_uuid(), ${organization_id}, 'ticket_links', n || '@customer.example', '{}', gen_random_uuid(), gen_random_uuid(),
      now() - make_interval(mins => ${createdMinutesAgo}, secs => n / 1000.0), ${state}, now() + ${due}::interval,
      now() + ${claimedUntil}::interval
    from generate_series(1, ${count}) n`.execute(tx);
}

/** Rows of `emails` and entries of its indexes that this transaction has read. */
async function countEntriesRead(tx: Tx<NotificationsSchema>): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::integer as n
    from (select 'emails'::regclass::oid union all select indexrelid from pg_index where indrelid = 'emails'::regclass) as relations (oid)`.execute(
    tx,
  );
  return rows[0]!.n;
}

describe('an organization’s own mail server', () => {
  it('is used once it has accepted a test email to the admin; replies still arrive at the product', async () => {
    const [organization, server] = [await notifications.anOrganization(), await aServer()];
    expect(await read(organization)).toBeNull();
    const saved = await save(organization, bodyOf(server));
    const stored = { host: '127.0.0.1', port: server.port, security: 'none', username: 'northwind', from_address: 'support@north.example' };
    expect(saved).toMatchObject({ status: 200, data: { ...stored, failing_since: null, last_error: null } });
    expect([await read(organization), JSON.stringify(saved.data).includes('right')]).toEqual([saved.data, false]);
    const test = server.mails.get(addressOf(organization.admin))!;
    expect([test.user, test.from, headerOf(test, 'Subject')]).toEqual(['northwind', 'support@north.example', 'Test email']);

    const customer = await aTicket(organization);
    await eventually(() => expect(server.mails.has(customer)).toBe(true), { timeoutMs: 20_000 });
    const mail = server.mails.get(customer)!;
    expect([mail.from, headerOf(mail, 'From')]).toEqual(['support@north.example', 'Northwind Support <support@north.example>']);
    expect(headerOf(mail, 'Reply-To')).toMatch(/^support\+[a-z2-7]{39}@.*\.tandem\.localhost$/);
    expect([product.mails.has(customer), await auditOf(organization)]).toEqual([false, ['saved']]);
    const row = await notifications.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.selectFrom('mail_servers').selectAll().executeTakeFirstOrThrow(),
    );
    expect(row.sealed_password).not.toContain('right');

    expect((await notifications.call(deleteMailServer, admin(organization))).status).toBe(200);
    const later = await aTicket(organization);
    await eventually(() => expect(product.mails.has(later)).toBe(true), { timeoutMs: 20_000 });
    expect(await auditOf(organization)).toEqual(['saved', 'deleted']);
    expect((await notifications.call(deleteMailServer, admin(organization))).data.code).toBe('mail_server.not_found');
  });

  it('is refused with the cause if the test email fails, and the previous one stays in use', async () => {
    const refuse = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });
    const [organization, working] = [await notifications.anOrganization(), await aServer()];
    expect((await save(organization, bodyOf(working))).status).toBe(200);
    const strict = await aServer({ onMailFrom: (_, __, done) => done(refuse(553, 'Not your address')) });
    const closed = await aServer({ onRcptTo: (_, __, done) => done(refuse(554, '5.7.1 Relay access denied')) });
    const selfSigned = await aServer({ secure: true, ...certificate({ from: new Date('2026-01-01'), until: new Date('2046-01-01') }) });
    const cases: [body: object, field: string, detail: string][] = [
      [bodyOf(working, { password: 'wrong' }), 'password', 'many providers require an app password. The server answered: “535'],
      [bodyOf(strict), 'from_address', 'support@north.example'],
      [bodyOf(closed), 'username', 'does not relay emails'],
      [bodyOf(working, { security: 'starttls' }), 'security', 'does not offer STARTTLS'],
      [bodyOf(working, { security: 'tls' }), 'security', 'The TLS handshake'],
      [bodyOf(selfSigned, { security: 'tls' }), 'host', 'is self-signed'],
    ];
    for (const [body, field, detail] of cases) {
      const { status, data } = await save(organization, body);
      expect([status, data.code, data.errors?.[0]?.path]).toEqual([422, 'mail_server.test_failed', field]);
      expect(data.detail).toContain(detail);
    }
    expect(await read(organization)).toMatchObject({ port: working.port, security: 'none' });
    expect(await auditOf(organization)).toEqual(['saved']);
  });

  it('keeps its password only if it is the same server and user', async () => {
    const [organization, server] = [await notifications.anOrganization(), await aServer()];
    await save(organization, bodyOf(server));
    const same = await save(organization, bodyOf(server, { password: undefined, from_address: 'Help@North.example' }));
    expect([same.status, same.data.from_address]).toEqual([200, 'help@north.example']);
    const thief = await aServer();
    const stolen = await save(organization, bodyOf(thief, { password: undefined }));
    expect([stolen.status, stolen.data.errors?.[0]?.path, thief.mails.size]).toEqual([422, 'password', 0]);
    expect((await save(organization, bodyOf(server, { username: '', password: undefined }))).data).toMatchObject({ username: null });
  });

  it('that fails is retried and never replaced by another sender; admins are warned, and waiting emails are sent when it works', async () => {
    const [organization, server] = [await notifications.anOrganization(), await aServer()];
    await save(organization, bodyOf(server));
    await server.stop();
    const first = await aTicket(organization);
    const emailTo = async (address: string) => (await notifications.emails(organization)).find(({ to_address }) => to_address === address);
    await eventually(async () => expect((await emailTo(first))?.last_error).toContain('refused the connection'), { timeoutMs: 20_000 });
    expect(await read(organization)).toMatchObject({ last_error: expect.stringContaining('refused the connection') as string });
    // Another email does not try the server in the meantime.
    const second = await aTicket(organization);
    await eventually(async () => expect(await emailTo(second)).toMatchObject({ state: 'pending', attempts: 1, last_error: null }));
    await eventually(async () => expect((await emailTo(second))?.due_at).not.toBeNull(), { timeoutMs: 20_000 });

    const failingFor = (hours: number) =>
      notifications.db.forTenant({ organization_id: organization.id }, async (tx) => {
        const ago = new Date(Date.now() - hours * 3_600_000).toISOString();
        await tx.updateTable('mail_servers').set({ failing_since: ago, retry_at: '2026-01-01T00:00:00Z' }).execute();
        await tx.updateTable('emails').set({ due_at: '2026-01-01T00:00:00Z' }).where('state', '=', 'pending').execute();
      });
    await failingFor(1.5);
    await eventually(async () => expect(await auditOf(organization)).toEqual(['saved', 'failing']), { timeoutMs: 20_000 });
    await notifications.allIsConsumed();
    expect(await notifications.sentNotices(organization)).toEqual(['admin mail_server_failing']);
    const warning = addressOf(organization.admin);
    await eventually(() => expect(headerOf(product.mails.get(warning), 'Subject')).toBe('Emails to your customers are waiting'), {
      timeoutMs: 20_000,
    });
    expect([product.mails.has(first), product.mails.has(second)]).toEqual([false, false]);

    await server.start();
    await failingFor(1.5);
    await eventually(() => expect([server.mails.has(first), server.mails.has(second)]).toEqual([true, true]), { timeoutMs: 30_000 });
    await eventually(async () => expect(await auditOf(organization)).toEqual(['saved', 'failing', 'recovered']));
    expect(await read(organization)).toMatchObject({ failing_since: null, last_error: null });
    await eventually(async () =>
      expect((await notifications.emails(organization)).filter(({ ticket_id }) => ticket_id !== null)).toEqual([
        expect.objectContaining({ state: 'sent' }),
        expect.objectContaining({ state: 'sent' }),
      ]),
    );
  });

  it('that fails for four days: every email that has waited as long is given up, not only the one that tries', async () => {
    const [organization, server] = [await notifications.anOrganization(), await aServer()];
    await save(organization, bodyOf(server));
    await server.stop();
    const customers = [await aTicket(organization), await aTicket(organization)];
    const states = async () =>
      (await notifications.emails(organization))
        .filter(({ to_address }) => customers.includes(to_address))
        .map(({ state, due_at }) => [state, due_at !== null]);
    const waiting = ['pending', true];
    await eventually(async () => expect(await states()).toEqual([waiting, waiting]));
    await notifications.db.forTenant({ organization_id: organization.id }, async (tx) => {
      await tx.updateTable('mail_servers').set({ retry_at: '2099-01-01T00:00:00Z' }).execute();
      const past = new Date(Date.now() - 97 * 3_600_000).toISOString();
      await tx.updateTable('emails').set({ created_at: past, due_at: past }).where('to_address', 'in', customers).execute();
    });
    await eventually(async () => expect((await states()).map(([state]) => state)).toEqual(['failed', 'failed']));
  });

  it('that fails for four days: an email stays claimed while it is given up, so that no two workers report it', async () => {
    const [organization, server] = [await notifications.anOrganization(), await aServer()];
    await save(organization, bodyOf(server));
    const ctx = admin(organization);
    const worker = notifications.service.app.get(EmailWorker);
    const claimNext = async (tx: Tx<NotificationsSchema>) => {
      const emails = await tx.selectFrom('emails').select('id').execute();
      const ids = emails.map(({ id }) => id);
      const [email] = await claimEmails(tx, 'emails', ids);
      return email && (await worker.prepare(tx, [{ ctx, email }]))[0];
    };
    // Added and claimed in one transaction: the running service does not see it before.
    const claimed = await notifications.db.forTenant(ctx, async (tx) => {
      await tx.updateTable('mail_servers').set({ failing_since: '2026-01-01T00:00:00Z', retry_at: '2099-01-01T00:00:00Z' }).execute();
      await addUnsent(tx, organization.id, 1, { createdMinutesAgo: 97 * 60 });
      return claimNext(tx);
    });
    expect(claimed).toMatchObject({ isGivenUp: true });
    // Emails that wait for the server are due again, but this one does not wait.
    const second = await notifications.db.forTenant(ctx, async (tx) => {
      await releaseEmails(tx, organization.id);
      return claimNext(tx);
    });
    expect(second).toBeUndefined();
    await notifications.db.forTenant(ctx, (tx) => worker.recordFailure(tx, ctx, claimed!, true, new Error('given up')));
    expect(await notifications.emails(organization)).toMatchObject([{ state: 'failed', attempts: 1, last_error: 'given up' }]);
  });

  it('that works again gets thousands of emails that waited, also with statistics from before the failure', async () => {
    const organization = await notifications.anOrganization();
    const ctx = { organization_id: organization.id };
    const waiting = { createdMinutesAgo: 90, due: '1 hour' };
    await notifications.db.forTenant(ctx, (tx) => addUnsent(tx, organization.id, 1, waiting));
    await notifications.asOwner('analyze emails');
    const entriesRead = await inRolledBackTransaction(async (tx) => {
      await addUnsent(tx, organization.id, 5_000, waiting);
      await tx.updateTable('emails').set({ attempts: 1 }).where('organization_id', '=', organization.id).execute();
      const before = await countEntriesRead(tx);
      await releaseEmails(tx, organization.id);
      const read = (await countEntriesRead(tx)) - before;
      const due = await tx
        .selectFrom('emails')
        .select('id')
        .where('organization_id', '=', organization.id)
        .where('due_at', '<=', sql<string>`now()`)
        .execute();
      expect(due).toHaveLength(5_001);
      return read;
    });
    await notifications.db.forTenant(ctx, (tx) => tx.deleteFrom('emails').execute());
    expect(entriesRead).toBeLessThan(20 * 5_000);
  });
  it('with a large backlog does not delay the emails of other organizations', async () => {
    const [failing, other] = [newId(), newId()];
    const found = await inRolledBackTransaction(async (tx) => {
      await addUnsent(tx, failing, 5, { createdMinutesAgo: 60 });
      await addUnsent(tx, other, 1, { createdMinutesAgo: 10 });
      return findUnfinishedEmailsAcrossOrganizations(tx, 3);
    });
    const mine = found.map(({ organization_id }) => organization_id).filter((id) => id === failing || id === other);
    expect(mine.toSorted()).toEqual([failing, failing, other].toSorted());
  });

  // Statistics of a small table, in each of which PostgreSQL once chose to read all emails.
  it.each([
    ['without emails', 0, 0],
    ['with one email, which is unsent', 1, 1],
    ['with five sent emails', 5, 0],
    ['with sent and unsent emails', 60, 20],
  ])('with thousands of unsent emails does not make a sweep read more of them: statistics of a table %s', async (_, emails, unsent) => {
    const [waiting, due, dead, other] = [newId(), newId(), newId(), newId()];
    await notifications.asOwner('truncate emails');
    await notifications.db.asSystem('test', async (tx) => {
      // Not due, because the running service would send them.
      await addUnsent(tx, newId(), emails, { createdMinutesAgo: 90, due: '1 hour' });
      await sql`update emails set state = 'sent' where to_address not in (select n || '@customer.example' from generate_series(1, ${unsent}) n)`.execute(
        tx,
      );
    });
    await notifications.asOwner('vacuum analyze emails');
    const { found, entriesRead } = await inRolledBackTransaction(async (tx) => {
      // They are older than those that are due: a sweep must not have to skip them.
      await addUnsent(tx, waiting, 30_000, { createdMinutesAgo: 90, due: '1 hour' });
      await addUnsent(tx, due, 20_000, { createdMinutesAgo: 60 });
      await addUnsent(tx, dead, 10, { createdMinutesAgo: 30, claimedUntil: '-1 minute' });
      await addUnsent(tx, dead, 2_000, { createdMinutesAgo: 30, claimedUntil: '1 minute' });
      await addUnsent(tx, other, 3, { createdMinutesAgo: 10 });
      const before = await countEntriesRead(tx);
      const unfinished = await findUnfinishedEmailsAcrossOrganizations(tx);
      return { found: unfinished, entriesRead: (await countEntriesRead(tx)) - before };
    });
    const foundOf = (id: string) => found.filter(({ organization_id }) => organization_id === id).length;
    const others = found.length - foundOf(due) - foundOf(dead) - foundOf(other);
    expect([foundOf(waiting), foundOf(dead), foundOf(other), others]).toEqual([0, 10, 3, 0]);
    expect(foundOf(due)).toBeGreaterThanOrEqual(400);
    // Index entries and rows, each at most 2,000 for the emails and one per organization.
    expect(entriesRead).toBeLessThan(4_500);
  });

  it('permanently fails an email that it refuses, without affecting others', async () => {
    const organization = await notifications.anOrganization();
    const server = await aServer({
      onRcptTo: ({ address }, _, done) =>
        address.endsWith('@customer.example') ? done(Object.assign(new Error('5.1.1 No such user'), { responseCode: 550 })) : done(),
    });
    await save(organization, bodyOf(server));
    const customer = await aTicket(organization);
    await eventually(
      async () =>
        expect(await notifications.emails(organization)).toContainEqual(expect.objectContaining({ to_address: customer, state: 'failed' })),
      { timeoutMs: 20_000 },
    );
    expect(await read(organization)).toMatchObject({ failing_since: null });
  });
});

describe('a test email', () => {
  it('is sent as customers get theirs, with the server’s response', async () => {
    const [organization, server] = [await notifications.anOrganization(), await aServer()];
    const test = async () => (await notifications.call<TestEmail>(sendTestEmail, admin(organization))).data;
    const to = addressOf(organization.admin);
    const support = `support@${organization.id}.tandem.localhost`;
    expect(await test()).toEqual({ to, from: support, sent_by: 'product', response: expect.stringContaining('250') as string });
    expect(headerOf(product.mails.get(to), 'From')).toBe(`Northwind Support <${support}>`);
    await save(organization, bodyOf(server));
    server.mails.clear();
    expect(await test()).toMatchObject({ to, from: 'support@north.example', sent_by: 'mail_server' });
    expect(server.mails.size).toBe(1);
    await server.stop();
    const failed = await notifications.call<{ detail?: string }>(sendTestEmail, admin(organization));
    expect([failed.status, failed.data.code]).toEqual([422, 'email.test_failed']);
    expect(failed.data.detail).toContain('refused the connection');
  });
});

describe('access', () => {
  const operations = [readMailServer, saveMailServer, deleteMailServer, sendTestEmail];
  const inputOf = (operation: object) => (operation === saveMailServer ? { body: bodyOf({ port: 587 }) } : {});

  it('is for admins only, and closed to tokens', async () => {
    const organization = await notifications.anOrganization();
    for (const operation of operations) {
      for (const who of ['manager', 'agent'] as const)
        expect((await notifications.call(operation, notifications.as(organization, who), inputOf(operation))).status).toBe(403);
      expect((await notifications.call(operation, aToken(organization), inputOf(operation))).data.code).toBe('token.not_allowed');
    }
  });

  it('does not reach the server of another organization', async () => {
    const [organization, server] = [await notifications.anOrganization(), await aServer()];
    await save(organization, bodyOf(server));
    const stranger: Context = admin(await notifications.anOrganization());
    expect((await notifications.call(readMailServer, stranger)).data).toBeNull();
    expect((await notifications.call(deleteMailServer, stranger)).status).toBe(404);
    expect((await notifications.call<TestEmail>(sendTestEmail, stranger)).data.sent_by).toBe('product');
    expect((await notifications.call(saveMailServer, stranger, { body: bodyOf(server, { password: undefined }) })).status).toBe(422);
    expect(await read(organization)).not.toBeNull();
  });

  it.each([
    {},
    { host: '' },
    { port: 0 },
    { port: 70_000 },
    { security: 'ssl' },
    { from_address: 'support' },
    { username: 'x', password: '' },
    { extra: true },
  ])('refuses %j', async (overrides) => {
    const organization = await notifications.anOrganization();
    const body = Object.keys(overrides).length === 0 ? {} : bodyOf({ port: 587 }, overrides);
    expect(await save(organization, body)).toMatchObject({ status: 422, data: { code: 'request.invalid' } });
  });
});
