import { failureOf } from '@tandem/notifications/src/mail-server/mail-server-failure';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SMTPConnection from 'nodemailer/lib/smtp-connection';

/** The installation's mail server did not accept a step. The message says why and what to do. */
export class SmtpFailed extends Error {}

export interface Envelope {
  from: string;
  to: string;
}

/** One connection to the installation's mail server, used step by step so that the failing step is known. */
export class SmtpSession {
  readonly #connection: SMTPConnection;
  readonly #server: { host: string; port: number; from_address: string };
  readonly #auth: { user: string; pass: string } | undefined;

  constructor(url: string, from_address: string) {
    const options = parseConnectionUrl(url);
    const { user, pass } = (options.auth ?? {}) as { user?: string; pass?: string };
    this.#auth = user === undefined ? undefined : { user, pass: pass ?? '' };
    this.#connection = new SMTPConnection({ ...options, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 });
    this.#server = { host: options.host ?? '', port: this.#connection.port, from_address };
  }

  get host(): string {
    return this.#server.host;
  }

  get address(): string {
    return `${this.#server.host}:${this.#server.port}`;
  }

  /** Connects, with TLS if the server offers it. Returns whether the connection is encrypted. */
  async connect(): Promise<boolean> {
    await this.#step((done) => {
      this.#connection.once('error', done);
      this.#connection.connect((error) => done(error));
    });
    return this.#connection.secure;
  }

  /** Signs in with the user and the password of the URL. Returns the user, or undefined if the URL has none. */
  async signIn(): Promise<string | undefined> {
    const credentials = this.#auth;
    if (!credentials) return undefined;
    await this.#step((done) => this.#connection.login({ credentials }, (error) => done(error)));
    return credentials.user;
  }

  /** Sends an email. Returns the server's response. */
  send(envelope: Envelope, message: Buffer): Promise<string> {
    return this.#step((done) => this.#connection.send(envelope, message, (error, info) => done(error, info?.response)));
  }

  close(): void {
    this.#connection.close();
  }

  #step(work: (done: (error?: Error | null, result?: string) => void) => void): Promise<string> {
    return new Promise((resolve, reject) => {
      work((error, result = '') =>
        error ? reject(new SmtpFailed(failureOf(error, this.#server).message, { cause: error })) : resolve(result),
      );
    });
  }
}
