import type { AddressInfo, Socket } from 'node:net';
import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { EmailTokens, type Logger, type ServiceConfig } from '@tandem/platform';
import { SMTPServer, type SMTPServerAddress, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { bouncedDomainOf, parseRecipient } from './mail';
import { MailIntake } from './mail-intake';
import { spfClientOf } from './spf-client';
import { mostSpecific, MailReceiver, smtpLimits, type KnownRecipient } from './mail-receiver';
import { mailInTlsOf, type MailInConfig } from './variables';

type Callback = (error?: Error | null) => void;

/** An SMTP error reply: the server adds the enhanced status code (RFC 3463) to this code and sentence. */
const refusal = (responseCode: number, sentence: string): Error => Object.assign(new Error(sentence), { responseCode });
const unknownRecipient = () => refusal(550, 'There is no such address here');
const tryLater = () => refusal(451, 'Not possible at the moment, please try again later');
/** 452 makes the sender deliver to the remaining recipients in another transaction (RFC 5321, 4.5.3.1.10). */
const oneOrganizationAtATime = () => refusal(452, 'Recipients of one organization at a time, please');
const shuttingDown = () => refusal(421, 'Shutting down, please try again in a moment');

/**
 * Receives mail by SMTP for the addresses of organizations, and relays none. Replies 250 only once the email is in the database. While the
 * database is unavailable, replies with a temporary error, so that senders try again. No input from a sender may end the process.
 */
@Injectable()
export class SmtpListener implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #server: SMTPServer | undefined;
  readonly #receiver = new MailReceiver();
  /** Recipients so far, by session. */
  readonly #recipients = new WeakMap<SMTPServerSession, Map<string, KnownRecipient>>();
  #isShuttingDown = false;

  constructor(
    @Inject('CONFIG') private readonly config: ServiceConfig & MailInConfig,
    @Inject('LOG') private readonly log: Logger,
    private readonly intake: MailIntake,
    private readonly tokens: EmailTokens,
  ) {
    const tls = mailInTlsOf(config);
    if (config.MAIL_IN_PORT !== undefined && config.RUN.includes('jobs')) this.#server = this.#serverWith(tls);
  }

  /** Undefined if this process receives no email. */
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
    this.log.info({ host: this.config.MAIL_IN_HOST, port: this.port }, 'Receiving email');
  }

  /** Lets running transmissions finish; replies 421 to all other clients and accepts no new connections. */
  async beforeApplicationShutdown(): Promise<void> {
    const server = this.#server;
    if (!server?.server.listening) return;
    this.#isShuttingDown = true;
    server.server.close();
    await this.#receiver.waitForRunning(this.config.SHUTDOWN_GRACE_MS);
    // Close the remaining connections with 421 immediately, instead of after the server's default of 30 seconds.
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
      maxClients: smtpLimits.connections,
      maxRecipients: smtpLimits.recipients,
      socketTimeout: smtpLimits.idleMs,
      onConnect: (session, done) => this.#connect(session, done),
      onClose: (session) => this.#receiver.disconnect(session.id),
      onMailFrom: (_address, session, done) => {
        this.#recipients.delete(session);
        done(this.#isShuttingDown ? shuttingDown() : null);
      },
      onRcptTo: (address, session, done) => void this.#recipient(address, session).then(done, done),
      onData: (stream, session, done) => void this.#receiver.track(this.#data(stream, session)).then(() => done(), done),
    });
    // Broken connections, and clients that do not speak SMTP.
    server.on('error', (error) => this.log.debug({ err: error }, 'SMTP connection failed'));
    server.server.on('connection', (socket) => {
      const timer = setTimeout(() => socket.destroy(), smtpLimits.maxConnectionMs).unref();
      socket.once('close', () => clearTimeout(timer));
    });
    return server;
  }

  #connect(session: SMTPServerSession, done: Callback): void {
    if (this.#isShuttingDown) return done(shuttingDown());
    if (!this.#receiver.connect(session.id, session.remoteAddress)) return done(refusal(421, 'Too many connections from your address'));
    done();
  }

  async #recipient({ address }: SMTPServerAddress, session: SMTPServerSession): Promise<null> {
    if (this.#isShuttingDown) throw shuttingDown();
    const organization_id = await this.#orTryLater(this.#ownerOf(address));
    const recipient = organization_id === undefined ? undefined : parseRecipient(this.tokens, organization_id, address);
    if (organization_id === undefined || recipient === undefined) throw unknownRecipient();
    const known = this.#recipients.get(session) ?? new Map<string, KnownRecipient>();
    // One organization per email: an email is stored once per organization, which for many of them would take hundreds of megabytes.
    if ([...known.values()].some((other) => other.organization_id !== organization_id)) throw oneOrganizationAtATime();
    known.set(address.toLowerCase(), { organization_id, to_address: address, for: recipient.for });
    this.#recipients.set(session, known);
    return null;
  }

  async #ownerOf(address: string): Promise<string | undefined> {
    const label = this.tokens.labelOf(address);
    if (label !== undefined) return this.intake.labelOwner(label);
    const domain = bouncedDomainOf(address);
    return domain === undefined ? undefined : this.intake.bounceOwner(address, domain);
  }

  /** Any failure of the database becomes a temporary error, so that the sender tries again. */
  async #orTryLater<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      this.log.warn({ err: error }, 'Could not accept an email; the sender will try again');
      throw tryLater();
    }
  }

  async #data(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const recipient = mostSpecific([...(this.#recipients.get(session)?.values() ?? [])]);
    this.#recipients.delete(session);
    if (!recipient) throw tryLater();
    const { organization_id, to_address } = recipient;
    const envelope = { to_address, envelope_from: session.envelope.mailFrom === false ? '' : session.envelope.mailFrom.address };
    const client = { address: session.remoteAddress, name: session.hostNameAppearsAs || '' };
    await this.#receiver.receive(stream, session.remoteAddress, async (raw) => {
      if (raw === 'timed_out') return this.#destroyConnection(session);
      if (raw === 'over_limit') throw refusal(452, 'Too many emails right now, please try again later');
      // For `too_large` the server itself replies 552.
      const stored =
        raw === 'too_large'
          ? this.intake.recordTooLarge(organization_id, { ...envelope, size: stream.byteLength })
          : this.intake.accept(organization_id, { ...envelope, raw, client: spfClientOf(client, this.config.MAIL_IN_RELAYS) });
      await this.#orTryLater(stored);
    });
  }

  /** Closes the socket without a reply: a graceful close would wait for the client, which has used up its time, and 250 would be wrong. */
  #destroyConnection({ id }: SMTPServerSession): never {
    for (const connection of (this.#server?.connections ?? []) as Iterable<OpenConnection>) {
      if (connection.id === id) connection._socket.destroy();
    }
    throw tryLater();
  }
}

/** The library's connection. The library has no public way to close one without a reply. */
interface OpenConnection {
  id: string;
  _socket: Socket;
}
