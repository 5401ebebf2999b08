import type { AddressInfo, Socket } from 'node:net';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { MailMarks, type Logger, type ServiceConfig } from '@tandem/platform';
import { SMTPServer, type SMTPServerAddress, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { recipientOf } from './mail';
import { MailIntake } from './mail-intake';
import { spfClientOf } from './sender-checks';
import { mostTelling, Receiving, smtpLimits, type KnownRecipient } from './smtp-receiving';
import { mailInTlsOf, type MailInConfig } from './variables';

type Answer = (error?: Error | null) => void;

/** What a sender hears instead of 250: the code, to which the server adds the extended one (RFC 3463), and a sentence. */
const refusal = (responseCode: number, sentence: string): Error => Object.assign(new Error(sentence), { responseCode });
const unknownRecipient = () => refusal(550, 'There is no such address here');
const tryLater = () => refusal(451, 'Not possible at the moment, please try again later');
/** What a sender with more recipients of another organization does anyway: a transaction of its own for them (RFC 5321, 4.5.3.1.10). */
const anotherTime = () => refusal(452, 'Recipients of one organization at a time, please');
const leaving = () => refusal(421, 'Shutting down, please try again in a moment');

/**
 * Takes mail by SMTP for the addresses of organizations, and passes none on. 250 is a promise: it is said once the mail is in the database;
 * while that is away senders are told to come again, which is what they do. Nothing that a sender does ends the process.
 */
@Injectable()
export class SmtpListener implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #server: SMTPServer | undefined;
  readonly #receiving = new Receiving();
  /** By session: its recipients so far. */
  readonly #recipients = new WeakMap<SMTPServerSession, Map<string, KnownRecipient>>();
  #leaving = false;

  constructor(
    @Inject('CONFIG') private readonly config: ServiceConfig & MailInConfig,
    @Inject('LOG') private readonly log: Logger,
    private readonly intake: MailIntake,
    private readonly marks: MailMarks,
  ) {
    const tls = mailInTlsOf(config);
    if (config.MAIL_IN_PORT !== undefined && config.RUN.includes('jobs')) this.#server = this.#serverWith(tls);
  }

  /** Undefined where no mail is taken. */
  get port(): number | undefined {
    return (this.#server?.server.address() as AddressInfo | null | undefined)?.port;
  }

  async onApplicationBootstrap(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.config.MAIL_IN_PORT, this.config.MAIL_IN_HOST, () => {
        server.off('error', reject);
        resolve();
      });
    });
    this.log.info({ host: this.config.MAIL_IN_HOST, port: this.port }, 'Takes mail');
  }

  /** Whoever is sending a mail may end it; everybody else is told to come again, and nobody new is let in. */
  async beforeApplicationShutdown(): Promise<void> {
    const server = this.#server;
    if (!server?.server.listening) return;
    this.#leaving = true;
    server.server.close();
    await this.#receiving.untilDone(this.config.SHUTDOWN_GRACE_MS);
    // Those that are left are told 421 and closed: at once, instead of after the server's own half minute.
    server.options.closeTimeout = 1;
    await new Promise<void>((resolve) => server.close(resolve));
  }

  #serverWith(tls: ReturnType<typeof mailInTlsOf>): SMTPServer {
    const server = new SMTPServer({
      ...tls,
      name: this.config.MAIL_DOMAIN,
      banner: 'Tandem',
      disabledCommands: tls ? ['AUTH'] : ['AUTH', 'STARTTLS'],
      authOptional: true,
      disableReverseLookup: true,
      hideENHANCEDSTATUSCODES: false,
      size: smtpLimits.bytes,
      rejectOversized: true,
      maxClients: smtpLimits.clients,
      maxRecipients: smtpLimits.recipients,
      socketTimeout: smtpLimits.idleMs,
      onConnect: (session, done) => this.#connect(session, done),
      onClose: (session) => this.#receiving.leave(session.id),
      onMailFrom: (_address, session, done) => {
        this.#recipients.delete(session);
        done(this.#leaving ? leaving() : null);
      },
      onRcptTo: (address, session, done) => void this.#recipient(address, session).then(done, done),
      onData: (stream, session, done) => void this.#receiving.track(this.#data(stream, session)).then(() => done(), done),
    });
    // A client whose connection broke, or who speaks no SMTP.
    server.on('error', (error) => this.log.debug({ err: error }, 'Mail in'));
    server.server.on('connection', (socket) => {
      const timer = setTimeout(() => socket.destroy(), smtpLimits.longestMs).unref();
      socket.once('close', () => clearTimeout(timer));
    });
    return server;
  }

  #connect(session: SMTPServerSession, done: Answer): void {
    if (this.#leaving) return done(leaving());
    if (!this.#receiving.enter(session.id, session.remoteAddress)) return done(refusal(421, 'Too many connections from your address'));
    done();
  }

  async #recipient({ address }: SMTPServerAddress, session: SMTPServerSession): Promise<null> {
    if (this.#leaving) throw leaving();
    const label = this.marks.labelOf(address);
    const organization_id = label === undefined ? undefined : await this.#orLater(this.intake.labelOwner(label));
    const recipient = organization_id === undefined ? undefined : recipientOf(this.marks, organization_id, address);
    if (organization_id === undefined || recipient === undefined) throw unknownRecipient();
    const known = this.#recipients.get(session) ?? new Map<string, KnownRecipient>();
    // A mail is kept once for each organization: hundreds of megabytes for one that came, if there were many.
    if ([...known.values()].some((other) => other.organization_id !== organization_id)) throw anotherTime();
    known.set(address.toLowerCase(), { organization_id, to_address: address, for: recipient.for });
    this.#recipients.set(session, known);
    return null;
  }

  /** Whatever keeps the database from answering: the sender comes again. */
  async #orLater<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      this.log.warn({ err: error }, 'A mail could not be taken: its sender was told to try again');
      throw tryLater();
    }
  }

  async #data(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const recipient = mostTelling([...(this.#recipients.get(session)?.values() ?? [])]);
    this.#recipients.delete(session);
    if (!recipient) throw tryLater();
    const { organization_id, to_address } = recipient;
    const envelope = { to_address, envelope_from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address };
    const client = { address: session.remoteAddress, name: session.hostNameAppearsAs || '' };
    await this.#receiving.receive(stream, session.remoteAddress, async (raw) => {
      if (raw === 'late') return this.#hangUp(session);
      if (raw === 'no_room') throw refusal(452, 'Too much mail at once, please try again later');
      // The server itself then answers 552.
      const kept =
        raw === 'too_large'
          ? this.intake.refuse(organization_id, { ...envelope, size: stream.byteLength })
          : this.intake.take(organization_id, { ...envelope, raw, client: spfClientOf(client, this.config.MAIL_IN_RELAYS) });
      await this.#orLater(kept);
    });
  }

  /** At once: whoever is polite waits for the other side, and this one has had its time. Nothing is said, and least of all 250. */
  #hangUp({ id }: SMTPServerSession): never {
    for (const connection of (this.#server?.connections ?? []) as Iterable<OpenConnection>) {
      if (connection.id === id) connection._socket.destroy();
    }
    throw tryLater();
  }
}

/** What the library has of a connection; it has no way of its own to end one without a farewell. */
interface OpenConnection {
  id: string;
  _socket: Socket;
}
