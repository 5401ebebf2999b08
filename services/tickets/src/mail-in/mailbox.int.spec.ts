import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  deleteMailbox,
  listInboundMails,
  readMailIn,
  readOriginalMail,
  saveMailbox,
  type InboundMail,
  type Mailbox,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { sql } from 'kysely';
import { certificate, enableMetrics, eventually } from '@tandem/testing';
import { ImapServer } from '../../test/imap-server';
import { asCustomer, asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { insertOriginal } from './inbound.store';
import { MailIntake } from './mail-intake';
import { MailInMetrics } from './mail-in.metrics';
import { stepBytes } from './pieces';
import type { MailInConfig } from './variables';

let tickets: TicketsUnderTest;
let imap: ImapServer;
beforeAll(async () => {
  [tickets, imap] = await Promise.all([
    TicketsUnderTest.start({ SWEEP_MS: '150', ALLOW_PRIVATE_OUTBOUND: 'true', MAIL_DOMAIN: 'mail.test' }),
    ImapServer.start(),
  ]);
});
afterAll(async () => {
  await tickets?.close();
  await imap?.stop();
});

const connection = (server = imap) => ({ host: '127.0.0.1', port: server.port, username: 'desk@acme.test', password: 'right' });
const save = (organization: TestOrganization, body: object, at = tickets) =>
  at.call<Mailbox>(saveMailbox, asStaff(organization, 'admin'), { body });
const read = (organization: TestOrganization) =>
  tickets.call<{ address: string; mailbox: Mailbox | null }>(readMailIn, asStaff(organization, 'admin'));
const mails = (organization: TestOrganization, query: Record<string, string> = {}) =>
  tickets.call<InboundMail[]>(listInboundMails, asStaff(organization, 'admin'), { query });
const mail = (id: string, ...more: string[]) =>
  [`From: Carla <carla@example.com>`, 'To: desk@acme.test', `Subject: ${id}`, `Message-ID: <${id}@example.com>`, '', ...more, 'Help'].join(
    '\r\n',
  );
/** Makes the mailbox due, as if it had not been polled for a long time. */
const makeCheckDue = (organization: TestOrganization) =>
  tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx.updateTable('mailboxes').set({ last_polled_at: null, claimed_until: null }).execute(),
  );
const fetched = (organization: TestOrganization, count: number) =>
  eventually(async () => {
    const { data } = await mails(organization);
    expect(data).toHaveLength(count);
    return data;
  });

describe('a mailbox', () => {
  it('is tested, saved with a sealed password, shown without it and removed, with an event for each change', async () => {
    const organization = await tickets.anOrganization();
    const empty = await read(organization);
    expect(empty.data).toEqual({ address: expect.stringMatching(/^support@.+\.mail\.test$/) as string, mailbox: null });
    const saved = await save(organization, connection());
    expect([saved.status, saved.data]).toMatchObject([
      200,
      { host: '127.0.0.1', username: 'desk@acme.test', folder: 'INBOX', last_error: null },
    ]);
    expect(JSON.stringify((await read(organization)).data)).not.toMatch(/right|password/);
    const row = await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.selectFrom('mailboxes').selectAll().executeTakeFirstOrThrow(),
    );
    expect(row.sealed_password).not.toContain('right');
    expect((await save(organization, { ...connection(), password: undefined, is_active: false })).data.is_active).toBe(false);
    expect((await tickets.call(deleteMailbox, asStaff(organization, 'admin'))).status).toBe(200);
    expect((await read(organization)).data.mailbox).toBeNull();
    expect((await tickets.call(deleteMailbox, asStaff(organization, 'admin'))).data.code).toBe('mailbox.not_connected');
    const announced = (await tickets.events()).filter(
      ({ type, organization_id }) => type === 'mailbox.changed' && organization_id === organization.id,
    );
    expect(announced.map(({ data }) => data.what as string)).toEqual(['connected', 'connected', 'disconnected']);
  });

  it('that cannot be opened is not saved, and the reason is shown', async () => {
    const organization = await tickets.anOrganization();
    const closed = await ImapServer.start();
    const { port } = closed;
    await closed.stop();
    const wrong: [object, RegExp][] = [
      [{ password: 'wrong' }, /user name or the password/],
      [{ folder: 'Nowhere' }, /no folder called Nowhere/],
      [{ port }, /does not answer on port/],
      [{ host: 'no-such-host.invalid' }, /no server called no-such-host.invalid/],
    ];
    for (const [change, reason] of wrong) {
      const { status, data } = await save(organization, { ...connection(), ...change });
      expect([status, data.code, data.detail]).toEqual([422, 'mailbox.unreachable', expect.stringMatching(reason)]);
    }
    expect((await read(organization)).data.mailbox).toBeNull();
  });

  it('refuses invalid input, the stored password for another server, and everyone but admins', async () => {
    const organization = await tickets.anOrganization();
    expect((await save(organization, { ...connection(), port: 0 })).data.errors?.[0]?.path).toBe('port');
    expect((await save(organization, { ...connection(), password: undefined })).data.errors?.[0]?.path).toBe('password');
    await save(organization, connection());
    const elsewhere = await save(organization, { ...connection(), host: 'localhost', password: undefined });
    expect([elsewhere.status, elsewhere.data.errors?.[0]?.path]).toEqual([422, 'password']);
    for (const op of [readMailIn, deleteMailbox, listInboundMails])
      expect([
        (await tickets.call(op, asStaff(organization, 'agent'))).status,
        (await tickets.call(op, asCustomer(organization.id))).status,
      ]).toEqual([403, 401]);
    expect((await read(await tickets.anOrganization())).data.mailbox).toBeNull();
    await tickets.call(deleteMailbox, asStaff(organization, 'admin'));
  });

  it('is only connected to on the public internet and on the ports for email', async () => {
    const open = await TicketsUnderTest.start({ ALLOW_PRIVATE_OUTBOUND: 'false' });
    try {
      const organization = await open.anOrganization();
      const refused: [object, RegExp][] = [
        [{ port: 25 }, /port 993/],
        [{ port: 993 }, /not its IP address/],
        [{ port: 993, host: 'localhost' }, /not on the public internet/],
        [{ port: 143, host: 'localhost' }, /not on the public internet/],
      ];
      for (const [change, reason] of refused) {
        const { data } = await save(organization, { ...connection(), ...change }, open);
        expect([data.code, data.detail]).toEqual(['mailbox.unreachable', expect.stringMatching(reason)]);
      }
    } finally {
      await open.close();
    }
  });
});

/** The only email of the organization has these bytes: storing equal bytes for the same recipient again adds none. */
async function expectStored(organization: TestOrganization, raw: string): Promise<void> {
  const again = { raw: [Buffer.from(raw)], to_address: 'desk@acme.test', envelope_from: '' };
  await tickets.app.get(MailIntake).accept(organization.id, again);
  expect((await mails(organization)).data).toHaveLength(1);
}

describe('an unseen email', () => {
  it('becomes one ticket, is marked as seen afterwards, and is fetched again if marking failed', async () => {
    const organization = await tickets.anOrganization();
    const server = await ImapServer.start();
    server.put(mail('one'));
    server.put(mail('two'));
    server.loseMarks(1);
    await save(organization, connection(server));
    await eventually(async () => expect((await read(organization)).data.mailbox?.last_error).toMatch(/next check/));
    expect(server.flags()[0]).toEqual([]);
    await makeCheckDue(organization);
    await eventually(async () => expect((await mails(organization)).data.map(({ outcome }) => outcome)).toEqual(['ticket', 'ticket']));
    await eventually(() => expect(server.flags()).toEqual([['\\Seen'], ['\\Seen']]));
    expect((await read(organization)).data.mailbox).toMatchObject({ last_error: null, last_polled_at: expect.any(String) as string });
    await tickets.call(deleteMailbox, asStaff(organization, 'admin'));
    await server.stop();
  });

  it.each([
    ['2 MB', 2 * stepBytes],
    ['2.5 MB', 2.5 * stepBytes],
  ])('of %s is fetched piece by piece, and stored as it is in the mailbox', async (_size, bytes) => {
    const organization = await tickets.anOrganization();
    const server = await ImapServer.start();
    const raw = `${mail('large')}\r\n`.padEnd(bytes, 'It burns.\r\n');
    server.put(raw);
    await save(organization, connection(server));
    await fetched(organization, 1);
    await eventually(() => expect(server.flags()).toEqual([['\\Seen']]));
    await expectStored(organization, raw);
    await tickets.call(deleteMailbox, asStaff(organization, 'admin'));
    await server.stop();
  });

  it('is fetched at the next check if the response does not contain it', async () => {
    const organization = await tickets.anOrganization();
    const server = await ImapServer.start();
    server.put(mail('one'));
    server.omitBodies(1);
    await save(organization, connection(server));
    await eventually(async () => expect((await read(organization)).data.mailbox?.last_polled_at).toEqual(expect.any(String)));
    expect([server.flags(), (await mails(organization)).data]).toEqual([[[]], []]);
    await makeCheckDue(organization);
    await eventually(async () => expect((await mails(organization)).data.map(({ outcome }) => outcome)).toEqual(['ticket']));
    await tickets.call(deleteMailbox, asStaff(organization, 'admin'));
    await server.stop();
  });

  it('of 2.5 MB is stored once by servers that send the whole email whatever part is requested', async () => {
    const organization = await tickets.anOrganization();
    const server = await ImapServer.start();
    const raw = `${mail('large')}\r\n`.padEnd(2.5 * stepBytes, 'It burns.\r\n');
    server.put(raw);
    server.ignorePartial();
    await save(organization, connection(server));
    await fetched(organization, 1);
    await expectStored(organization, raw);
    await tickets.call(deleteMailbox, asStaff(organization, 'admin'));
    await server.stop();
  });

  it('waits while the server is down, and the reason is shown', async () => {
    const organization = await tickets.anOrganization();
    const server = await ImapServer.start();
    await save(organization, connection(server));
    await server.stop();
    await makeCheckDue(organization);
    await eventually(async () => expect((await read(organization)).data.mailbox?.last_error).toMatch(/does not answer|closed/));
    await tickets.call(deleteMailbox, asStaff(organization, 'admin'));
  });

  it('is recorded and left in the mailbox if it is too large', async () => {
    const organization = await tickets.anOrganization();
    const server = await ImapServer.start();
    server.put(mail('large', `${'x'.repeat(998)}\r\n`.repeat(26_500)));
    server.put(mail('small'));
    await save(organization, connection(server));
    const listed = await fetched(organization, 2);
    expect(listed.map(({ outcome, reason }) => [outcome, reason])).toContainEqual(['refused', 'too_large']);
    await eventually(() => expect(server.flags()).toEqual([['\\Flagged', '\\Seen'], ['\\Seen']]));
    await tickets.call(deleteMailbox, asStaff(organization, 'admin'));
    await server.stop();
  });
});

describe('the list of inbound emails', () => {
  it('returns all of them page by page, can be filtered by outcome, and excludes other organizations', async () => {
    const [organization, other] = await Promise.all([tickets.anOrganization(), tickets.anOrganization()]);
    const at = (minute: number) => `2026-11-20T10:0${minute}:00.000Z`;
    const none = {
      from_address: null,
      subject: null,
      message_id: null,
      content_hash: null,
      ticket_id: null,
      comment_id: null,
      size: 5,
    };
    await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx
        .insertInto('inbound_mails')
        .values(
          [0, 1, 2, 3, 4].map((n) => ({
            ...none,
            organization_id: organization.id,
            id: newId(),
            to_address: 'support@a.test',
            envelope_from: '',
            digest: `d${n}`,
            outcome: n % 2 ? ('refused' as const) : ('ignored' as const),
            reason: 'automatic',
            received_at: at(n),
          })),
        )
        .execute(),
    );
    const first = await mails(organization, { limit: '3' });
    const second = await mails(organization, { limit: '3', cursor: first.pagination.next_cursor! });
    expect([...first.data, ...second.data].map(({ received_at }) => received_at)).toEqual([4, 3, 2, 1, 0].map(at));
    expect((await mails(organization, { outcome: 'refused' })).data).toHaveLength(2);
    expect((await mails(other)).data).toEqual([]);
    expect((await mails(organization, { outcome: 'lost' })).status).toBe(422);
  });
});

describe('the original email of a ticket', () => {
  const original = { from_address: 'carla@example.com', subject: 'S', sent_at: null, text: 'all', quoted_text: 'old', html: '<p>all</p>' };

  it('is readable for the ticket and for a comment, only in its organization', async () => {
    const [organization, other] = await Promise.all([tickets.anOrganization(), tickets.anOrganization()]);
    const { id: ticket_id } = await tickets.aTicket(organization);
    const comment_id = newId();
    await tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
      await insertOriginal(tx, { ...original, organization_id: organization.id, ticket_id, comment_id: null });
      await insertOriginal(tx, { ...original, text: 'of the comment', organization_id: organization.id, ticket_id, comment_id });
    });
    const ask = (ctx = asStaff(organization), query = {}, id = ticket_id) => tickets.call(readOriginalMail, ctx, { params: { id }, query });
    const { from_address: from, ...rest } = original;
    expect((await ask()).data).toEqual({ from, ...rest });
    expect((await ask(asStaff(organization), { comment_id })).data.text).toBe('of the comment');
    expect((await ask(asStaff(organization), { comment_id: newId() })).data.code).toBe('email.not_found');
    expect((await ask(asStaff(organization), {}, (await tickets.aTicket(organization)).id)).data.code).toBe('email.not_found');
    expect((await ask(asStaff(other))).data.code).toBe('ticket.not_found');
    expect((await ask(asCustomer(organization.id))).status).toBe(401);
    expect((await ask(asStaff(organization), { comment_id: 'x' })).status).toBe(422);
  });
});

describe('the metrics of incoming email', () => {
  it('report when the certificate of the SMTP listener expires', async () => {
    const scrape = await enableMetrics();
    expect((await scrape()).all('tandem_certificate_expiry_timestamp_seconds')).toEqual([]);
    const until = new Date(Math.floor(Date.now() / 1000) * 1000 + 86_400_000);
    const { cert, key } = certificate({ from: new Date(), until });
    const folder = mkdtempSync(join(tmpdir(), 'tandem-certificate-'));
    const [MAIL_IN_TLS_CERT, MAIL_IN_TLS_KEY] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(MAIL_IN_TLS_CERT, cert);
    writeFileSync(MAIL_IN_TLS_KEY, key);
    const metrics = new MailInMetrics(tickets.db, { MAIL_IN_TLS_CERT, MAIL_IN_TLS_KEY } as MailInConfig);
    metrics.onApplicationBootstrap();
    expect((await scrape()).value('tandem_certificate_expiry_timestamp_seconds', { certificate: 'mail-in' })).toBe(until.getTime() / 1000);
    metrics.beforeApplicationShutdown();
    expect((await scrape()).all('tandem_certificate_expiry_timestamp_seconds')).toEqual([]);
    rmSync(folder, { recursive: true });
  });

  it('report emails that wait, and mailboxes that fail or are not checked', async () => {
    const scrape = await enableMetrics();
    const organization = await tickets.anOrganization();
    await save(organization, connection());
    const inOrganization = <T>(work: Parameters<typeof tickets.db.forTenant<T>>[1]) =>
      tickets.db.forTenant({ organization_id: organization.id }, work);
    await eventually(async () => expect((await scrape()).value('tandem_mailboxes', { state: 'ok' })).toBeGreaterThan(0));
    const { value } = await scrape().then((now) => ({ value: now.value('tandem_mailboxes', { state: 'failing' }) }));
    // Claimed, so that no worker checks it in the meantime.
    await inOrganization((tx) =>
      sql`update mailboxes set last_error = 'no', last_polled_at = now() - interval '2 hours', claimed_until = now() + interval '1 hour'`.execute(
        tx,
      ),
    );
    const row = { organization_id: organization.id, id: newId(), to_address: 'a@mail.test', envelope_from: '', size: 1, digest: newId() };
    await inOrganization((tx) =>
      tx
        .insertInto('inbound_mails')
        .values({ ...row, received_at: new Date(Date.now() - 7_200_000).toISOString() } as never)
        .execute(),
    );
    const now = await scrape();
    expect(now.value('tandem_mailboxes', { state: 'failing' })).toBe(value + 1);
    expect(now.value('tandem_mailbox_oldest_poll_seconds')).toBeGreaterThan(7_199);
    expect(now.value('tandem_inbound_emails_oldest_seconds')).toBeGreaterThan(7_199);
    expect(now.value('tandem_inbound_emails_waiting')).toBeGreaterThan(0);
    await inOrganization((tx) => tx.deleteFrom('inbound_mails').execute());
    expect((await scrape()).value('tandem_inbound_emails_oldest_seconds')).toBeLessThan(7_199);
  });
});
