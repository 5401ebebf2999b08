import { listComments, type Comment, type Ticket } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { EmailTokens } from '@tandem/platform';
import { eventually } from '@tandem/testing';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { SmtpListener } from '../src/mail-in/smtp-listener';
import type { InboundMailRow } from '../src/schema';
import { asStaff, TicketsUnderTest, type TestOrganization } from './tickets';

export const mailDomain = 'mail.test';
/** Variables for a service that receives mail on a free port. */
export const takesMail = { MAIL_IN_PORT: '0', MAIL_DOMAIN: mailDomain, SWEEP_MS: '200' };

export interface Sent {
  messageId: string;
  response: string;
  rejected: string[];
  rejectedErrors?: Error[];
}
/** The SMTP error reply as the sender's library reports it. */
export interface Refusal extends Error {
  responseCode: number;
  response: string;
}

/** Sends an email as a mail server does: real SMTP, one connection. */
export async function sendMail(port: number, mail: SendMailOptions): Promise<Sent> {
  const transport = createTransport({ host: '127.0.0.1', port, secure: false, ignoreTLS: true });
  try {
    return await transport.sendMail({ subject: 'The printer is on fire', text: 'It began at noon.', ...mail });
  } finally {
    transport.close();
  }
}
export const expectRefusal = (sending: Promise<Sent>): Promise<Refusal> =>
  sending.then(
    () => Promise.reject(new Error('The mail was accepted')),
    (error: Refusal) => error,
  );

/** `raw` is null once the bytes have been deleted. */
type StoredMail = InboundMailRow & { raw: Buffer | null };

/** The tickets service with helpers for sending mail to it. */
export class MailInUnderTest {
  readonly tokens: EmailTokens;
  constructor(readonly tickets: TicketsUnderTest) {
    this.tokens = new EmailTokens([tickets.linkSecret], mailDomain);
  }
  static async start(overrides: Record<string, string> = {}): Promise<MailInUnderTest> {
    return new MailInUnderTest(await TicketsUnderTest.start({ ...takesMail, ...overrides }));
  }

  get port(): number {
    return this.tickets.app.get(SmtpListener).port!;
  }
  support = (organization: Pick<TestOrganization, 'id'>) =>
    this.tokens.supportAddress({ organization_id: organization.id, subdomain: null });
  reply = (organization: Pick<TestOrganization, 'id'>, ticket_id: string) =>
    this.tokens.replyAddress({ organization_id: organization.id, subdomain: null }, ticket_id);
  bounce = (organization: Pick<TestOrganization, 'id'>, email_id: string, host?: string) =>
    this.tokens.bounceAddress({ organization_id: organization.id, subdomain: null }, email_id, host);
  send = (mail: SendMailOptions) => sendMail(this.port, mail);

  /** The emails of an organization, or one of them, with the bytes that are still stored. */
  rows(organization: Pick<TestOrganization, 'id'>, id?: string): Promise<StoredMail[]> {
    return this.tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
      const mails = await tx
        .selectFrom('inbound_mails')
        .selectAll()
        .$if(id !== undefined, (query) => query.where('id', '=', id!))
        .orderBy('received_at')
        .orderBy('id')
        .execute();
      const pieces = await tx
        .selectFrom('inbound_mail_pieces')
        .selectAll()
        .$if(id !== undefined, (query) => query.where('inbound_id', '=', id!))
        .orderBy('position')
        .execute();
      const stored = Map.groupBy(pieces, ({ inbound_id }) => inbound_id);
      const rawOf = (id: string) => (stored.has(id) ? Buffer.concat(stored.get(id)!.map(({ bytes }) => bytes)) : null);
      return mails.map((mail) => ({ ...mail, raw: rawOf(mail.id) }));
    });
  }
  /** Sends an email and returns its row once it is processed. */
  async become(organization: Pick<TestOrganization, 'id'>, mail: SendMailOptions): Promise<StoredMail> {
    const before = new Set((await this.#results(organization)).map(({ id }) => id));
    await this.send({ to: this.support(organization), from: 'carla@example.com', messageId: `<${newId()}@example.com>`, ...mail });
    const processed = await eventually(async () => {
      const result = (await this.#results(organization)).find(({ id, outcome }) => !before.has(id) && outcome !== null);
      if (!result) throw new Error('The email is still unprocessed');
      return result;
    });
    return (await this.rows(organization, processed.id))[0]!;
  }
  async outcomes(organization: Pick<TestOrganization, 'id'>): Promise<(string | null)[]> {
    return (await this.#results(organization)).map(({ outcome, reason }) => (reason === null ? outcome : `${outcome} ${reason}`));
  }
  /** Without the bytes, because tests poll it. */
  #results({ id: organization_id }: Pick<TestOrganization, 'id'>) {
    return this.tickets.db.forTenant({ organization_id }, (tx) =>
      tx.selectFrom('inbound_mails').select(['id', 'outcome', 'reason']).orderBy('received_at').orderBy('id').execute(),
    );
  }

  ticketsOf = (organization: Pick<TestOrganization, 'id'>) =>
    this.tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.selectFrom('tickets').selectAll().orderBy('created_at').execute(),
    );
  async ticket(organization: Pick<TestOrganization, 'id'>, id: string): Promise<Omit<Ticket, 'assignee'>> {
    return (await this.ticketsOf(organization)).find((ticket) => ticket.id === id)!;
  }
  async comments(organization: TestOrganization, ticket_id: string): Promise<Comment[]> {
    return (await this.tickets.call<Comment[]>(listComments, asStaff(organization), { params: { id: ticket_id } })).data;
  }
  originals = (organization: Pick<TestOrganization, 'id'>) =>
    this.tickets.db.forTenant({ organization_id: organization.id }, (tx) => tx.selectFrom('mail_originals').selectAll().execute());
  files = (organization: Pick<TestOrganization, 'id'>) =>
    this.tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.selectFrom('attachments').selectAll().orderBy('id').execute(),
    );
}
