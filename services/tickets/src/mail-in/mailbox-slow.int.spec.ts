import { deleteMailbox, readMailIn, saveMailbox, type Mailbox } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { newId } from '@tandem/db';
import { Secrets } from '@tandem/platform';
import { ImapServer } from '../../test/imap-server';
import { SlowImapServer } from '../../test/slow-imap-server';
import { asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { mailboxPurpose } from './mailbox.service';
import { withImap } from './imap';

/** Much longer than fast servers need, much shorter than the client's own timeouts. */
const pollMs = 8_000;
let tickets: TicketsUnderTest;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start({
    SWEEP_MS: '150',
    ALLOW_PRIVATE_OUTBOUND: 'true',
    MAIL_DOMAIN: 'mail.test',
    MAILBOX_POLL_MS: `${pollMs}`,
  });
});
afterAll(() => tickets?.close());

const account = ({ port }: { port: number }) => ({ host: '127.0.0.1', port, username: 'desk@acme.test', password: 'right' });
const read = async (organization: TestOrganization) =>
  (await tickets.call<{ mailbox: Mailbox | null }>(readMailIn, asStaff(organization, 'admin'))).data.mailbox;
const claims = (organization: TestOrganization) =>
  tickets.db.forTenant({ organization_id: organization.id }, (tx) => tx.selectFrom('mailboxes').select('claimed_until').executeTakeFirst());

/** Saves a mailbox without testing the connection, as if the server had become slow later. */
async function connect(organization: TestOrganization, server: { port: number }): Promise<void> {
  const { password, ...rest } = account(server);
  const sealed_password = tickets.app.get(Secrets).seal(mailboxPurpose, password);
  await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx
      .insertInto('mailboxes')
      .values({ ...rest, organization_id: organization.id, id: newId(), sealed_password, folder: 'INBOX', is_active: true })
      .execute(),
  );
}

it.each(['greeting', 'mail'] as const)(
  'a server that is slow with its %s is disconnected when the time limit has passed',
  async (slowness) => {
    const server = await SlowImapServer.start(slowness);
    const look = withImap({ ...account(server), folder: 'INBOX' }, { allowPrivate: true }, 500, (client) =>
      client.fetchOne('1', { source: true }, { uid: true }),
    );
    await expect(look).rejects.toMatchObject({ code: 'mailbox.unreachable', detail: expect.stringMatching(/in time/) as string });
    await eventually(() => expect([server.connections, server.open]).toEqual([1, 0]));
    await server.stop();
  },
);

it('four slow servers delay other mailboxes by at most one poll, show an error, and are polled again', async () => {
  const slow = await SlowImapServer.start('mail');
  const quick = await ImapServer.start();
  quick.put('From: a@example.com\r\nSubject: S\r\nMessage-ID: <quick@example.com>\r\n\r\nHelp');
  const organizations = await Promise.all([1, 2, 3, 4].map(() => tickets.anOrganization()));
  const fifth = await tickets.anOrganization();
  for (const organization of organizations) await connect(organization, slow);
  await eventually(() => expect(slow.open).toBe(4));
  await connect(fifth, quick);
  await eventually(() => expect(quick.connections).toBeGreaterThan(0));
  // Counted, not timed: each of the four has been polled at most once more.
  expect(slow.connections).toBeLessThanOrEqual(8);
  await eventually(() => expect(quick.flags()).toEqual([['\\Seen']]));
  for (const organization of organizations) {
    await eventually(async () =>
      expect((await read(organization))?.last_error).toBe(`127.0.0.1 did not answer in time on port ${slow.port}`),
    );
    expect((await read(organization))?.last_polled_at).not.toBeNull();
    expect(await claims(organization)).toEqual({ claimed_until: null });
  }
  await eventually(() => expect(slow.open).toBe(0));
  await eventually(async () => expect((await read(fifth))?.last_error).toBeNull());
  for (const organization of [...organizations, fifth]) await tickets.call(deleteMailbox, asStaff(organization, 'admin'));
  await Promise.all([slow.stop(), quick.stop()]);
});

it('a slow server is not saved, and its admin gets an error within half a minute', async () => {
  const organization = await tickets.anOrganization();
  const server = await SlowImapServer.start('greeting');
  const { status, data } = await tickets.call<Mailbox>(saveMailbox, asStaff(organization, 'admin'), { body: account(server) });
  expect([status, data.code, data.detail]).toEqual([422, 'mailbox.unreachable', expect.stringMatching(/in time/)]);
  expect(await read(organization)).toBeNull();
  await eventually(() => expect(server.open).toBe(0));
  await server.stop();
}, 40_000);
