import { createServer, type AddressInfo, type Server } from 'node:net';
import {
  emailConfirmationRequested,
  organizationCreated,
  systemContext,
  ticketCreated,
  type Actor,
  type Context,
  type Ticket,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit, emitAll } from '@tandem/messaging';
import { Secrets, type RunningService } from '@tandem/platform';
import { customer, eventually, mailbox, organizationOf, startForTest, testEnv, ticketOf } from '@tandem/testing';
import { notificationsService } from '../notifications.module';
import { ImmediateEmails } from './immediate-emails';
import type { NotificationsSchema } from '../schema';

let env: Awaited<ReturnType<typeof testEnv>>;
let service: RunningService;
let db: Database<NotificationsSchema>;

beforeAll(async () => {
  env = await testEnv({ SWEEP_MS: '300' });
  service = await startForTest(notificationsService, env);
  db = service.app.get<Database<NotificationsSchema>>(Database);
});

const organization = (id: string) => organizationOf(id, { name: 'Northwind <Outfitters>', subdomain: 'northwind' });

const aTicket = (organization_id: string, changes: Partial<Ticket> = {}) =>
  ticketOf(organization_id, {
    ticket_number: 'NORTH-0001',
    subject: 'Where is my parcel? <b>now</b>',
    customer_email: `${newId()}@example.com`,
    ...changes,
  });

/** Emits the event as its owner does, through the outbox of the service under test. */
async function knownOrganization(): Promise<Context & { organization_id: string }> {
  const ctx = customer(newId());
  await db.forTenant(ctx, (tx) =>
    emit(tx, ctx, organizationCreated, ctx.organization_id, { organization: organization(ctx.organization_id) }),
  );
  const known = () => db.forTenant(ctx, (tx) => tx.selectFrom('organizations').select('organization_id').execute());
  await eventually(async () => expect(await known()).toHaveLength(1));
  return ctx;
}
async function announceTicket(ctx: Context, ticket: Ticket): Promise<void> {
  await db.forTenant(ctx, (tx) => emit(tx, ctx, ticketCreated, ticket.id, { ticket }));
}
const emailsTo = (ctx: Context, address: string) =>
  db.forTenant(ctx, (tx) => tx.selectFrom('emails').selectAll().where('to_address', '=', address).execute());

const rowsOf = (ctx: Context) => db.forTenant(ctx, (tx) => tx.selectFrom('emails').selectAll().execute());

it('a process that stops waits for a transaction that has reserved room for its emails', async () => {
  const immediate = service.app.get(ImmediateEmails);
  const ctx = await knownOrganization();
  const order: string[] = [];
  let stopped: Promise<unknown> | undefined;
  await db.forTenant(ctx, async (tx) => {
    expect(immediate.reserve(tx, 1)).toBe(1);
    stopped = immediate.beforeApplicationShutdown().then(() => order.push('stopped'));
    await rowsOf(ctx);
    order.push('committing');
  });
  await stopped;
  expect(order).toEqual(['committing', 'stopped']);
});

describe('the email about a new ticket', () => {
  it('is sent to the customer once, with a link to the portal and without their text in the subject', async () => {
    const ctx = await knownOrganization();
    const ticket = aTicket(ctx.organization_id);
    await announceTicket(ctx, ticket);
    const mail = await mailbox.waitFor({ to: ticket.customer_email });
    expect(mail.subject).toBe('[NORTH-0001] Your ticket has been created');
    expect(mail.links).toContain(
      `http://northwind.localhost:3000/ticket-status/${ticket.id}?email=${encodeURIComponent(ticket.customer_email)}`,
    );
    expect(mail.html).toContain('&lt;b&gt;now&lt;/b&gt;');
    expect(mail.headers['auto-submitted']).toBe('auto-replied');
    await eventually(async () => expect((await emailsTo(ctx, ticket.customer_email)).map((email) => email.state)).toEqual(['sent']));
    expect(await mailbox.find({ to: ticket.customer_email })).toHaveLength(1);
  });

  it('is not sent for an imported ticket', async () => {
    const ctx = await knownOrganization();
    const imported = aTicket(ctx.organization_id);
    await announceTicket({ ...ctx, actor: { type: 'system' } satisfies Actor }, imported);
    const other = aTicket(ctx.organization_id);
    await announceTicket(ctx, other);
    await mailbox.waitFor({ to: other.customer_email });
    expect(await emailsTo(ctx, imported.customer_email)).toEqual([]);
  });

  it('waits for the name of the organization if that arrives later', async () => {
    const ctx = customer(newId());
    const ticket = aTicket(ctx.organization_id);
    await announceTicket(ctx, ticket);
    await eventually(async () => expect((await emailsTo(ctx, ticket.customer_email))[0]?.last_error).toContain('not known yet'));
    await db.forTenant(ctx, (tx) =>
      emit(tx, ctx, organizationCreated, ctx.organization_id, { organization: organization(ctx.organization_id) }),
    );
    await mailbox.waitFor({ to: ticket.customer_email });
  });

  it('is sent even if Redis lost the job', async () => {
    const ctx = await knownOrganization();
    const id = newId();
    const to_address = `${newId()}@example.com`;
    // A row whose job was lost between the commit and Redis.
    await db.forTenant(ctx, (tx) =>
      tx
        .insertInto('emails')
        .values({
          id,
          organization_id: ctx.organization_id,
          kind: 'ticket_links',
          to_address,
          data: '{"tickets":[]}',
          ticket_id: null,
          event_id: newId(),
          message_id: `<${id}@test>`,
        })
        .execute(),
    );
    await mailbox.waitFor({ to: to_address });
  });

  it('is sent once each when many tickets are created at once, and their results are stored together', async () => {
    const organizations = [await knownOrganization(), await knownOrganization()];
    const tickets = organizations.flatMap(({ organization_id }) => Array.from({ length: 40 }, () => aTicket(organization_id)));
    for (const ctx of organizations) {
      const own = tickets.filter((ticket) => ticket.organization_id === ctx.organization_id);
      await db.forTenant(ctx, (tx) =>
        emitAll(
          tx,
          ctx,
          ticketCreated,
          own.map((ticket) => ({ subject: ticket.id, data: { ticket } })),
        ),
      );
    }
    const addresses = tickets.map(({ customer_email }) => customer_email).sort();
    await eventually(async () => {
      const rows = (await Promise.all(organizations.map((ctx) => rowsOf(ctx)))).flat();
      expect(rows.map(({ to_address, state, attempts }) => [to_address, state, attempts]).sort()).toEqual(
        addresses.map((address) => [address, 'sent', 1]),
      );
    });
    for (const address of addresses) expect(await mailbox.find({ to: address })).toHaveLength(1);
    const delivered = await db.asSystem('a test', (tx) =>
      tx
        .selectFrom('outbox')
        .select('subject')
        .where('type', '=', 'email.delivered')
        .where(
          'organization_id',
          'in',
          organizations.map(({ organization_id }) => organization_id),
        )
        .execute(),
    );
    expect(delivered.map(({ subject }) => subject).sort()).toEqual(tickets.map(({ id }) => id).sort());
  });

  it('is sent by another process if the one that claimed it has died', async () => {
    const ctx = await knownOrganization();
    const id = newId();
    const to_address = `${newId()}@example.com`;
    const claimed = { state: 'sending' as const, attempts: 1, claimed_until: new Date(Date.now() - 1_000).toISOString() };
    const content = { kind: 'ticket_links' as const, to_address, data: '{"tickets":[]}', ticket_id: null };
    await db.forTenant(ctx, (tx) =>
      tx
        .insertInto('emails')
        .values({ id, organization_id: ctx.organization_id, ...content, event_id: newId(), message_id: `<${id}@test>`, ...claimed })
        .execute(),
    );
    await mailbox.waitFor({ to: to_address });
    await eventually(async () => expect(await emailsTo(ctx, to_address)).toMatchObject([{ state: 'sent', attempts: 2 }]));
  });

  it('is invisible to every other organization', async () => {
    const ctx = await knownOrganization();
    const ticket = aTicket(ctx.organization_id);
    await announceTicket(ctx, ticket);
    await mailbox.waitFor({ to: ticket.customer_email });
    expect(await emailsTo(customer(newId()), ticket.customer_email)).toEqual([]);
  });
});

describe('the email that confirms an address', () => {
  it('contains the token, which is never stored in plain text', async () => {
    const email = `${newId()}@example.com`;
    const sealed_token = new Secrets(env.ENCRYPTION_KEYS!).seal('email-confirmation', 'the-token');
    const ctx = systemContext(null, newId());
    await db.asSystem('a test', (tx) =>
      emit(tx, ctx, emailConfirmationRequested, newId(), { user_id: newId(), email, first_name: 'Ada', sealed_token }),
    );
    const mail = await mailbox.waitFor({ to: email });
    expect(mail.links).toContain('http://localhost:3000/auth/confirm?token=the-token');
    await eventually(async () => {
      const rows = await db.asSystem('a test', (tx) =>
        tx.selectFrom('account_emails').selectAll().where('to_address', '=', email).execute(),
      );
      expect(rows.map(({ state, data }) => ({ state, data }))).toEqual([{ state: 'sent', data: { first_name: 'Ada' } }]);
    });
  });
});

describe('a mail server', () => {
  /** A mail server that sends one line on each connection and hangs up. */
  const answering = async (line: string): Promise<{ url: string; server: Server; connections: () => number }> => {
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.end(`${line}\r\n`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, server, connections: () => connections };
  };

  it('that refuses permanently is tried once, and the refusal is recorded', async () => {
    const smtp = await answering('554 go away');
    const own = await startForTest(notificationsService, await testEnv({ SMTP_URL: smtp.url }));
    const ownDb = own.app.get<Database<NotificationsSchema>>(Database);
    const ctx = customer(newId());
    await ownDb.forTenant(ctx, (tx) =>
      emit(tx, ctx, organizationCreated, ctx.organization_id, { organization: organization(ctx.organization_id) }),
    );
    const ticket = aTicket(ctx.organization_id);
    await ownDb.forTenant(ctx, (tx) => emit(tx, ctx, ticketCreated, ticket.id, { ticket }));
    await eventually(async () => {
      const [email] = await ownDb.forTenant(ctx, (tx) => tx.selectFrom('emails').selectAll().execute());
      expect(email).toMatchObject({ state: 'failed', last_error: expect.stringContaining('554') as string });
    });
    await own.close();
    smtp.server.close();
  });
});
