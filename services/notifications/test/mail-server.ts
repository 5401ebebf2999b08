import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  user: string | undefined;
  /** The envelope's sender. */
  from: string;
  content: string;
}

/** A mail server that records what it accepts by recipient. It accepts the password `right` only, and emails without authentication. */
export class TestMailServer {
  readonly mails = new Map<string, ReceivedMail>();
  #server: SMTPServer | undefined;
  port = 0;
  /** Number of connections so far. */
  connections = 0;

  constructor(private readonly options: SMTPServerOptions = {}) {}

  async start(): Promise<this> {
    this.#server = new SMTPServer({
      authOptional: true,
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      closeTimeout: 100,
      onAuth: ({ username, password }, _, done) =>
        password === 'right' ? done(null, { user: username }) : done(Object.assign(new Error('Bad credentials'), { responseCode: 535 })),
      onConnect: (_, done) => {
        this.connections += 1;
        done();
      },
      onData: (stream, { envelope, user }, done) => {
        let content = '';
        stream.on('data', (chunk: Buffer) => (content += chunk.toString()));
        stream.on('end', () => {
          const from = envelope.mailFrom ? envelope.mailFrom.address : '';
          this.mails.set(envelope.rcptTo[0]!.address, { user: user as string | undefined, from, content });
          done();
        });
      },
      ...this.options,
    });
    this.#server.on('error', () => undefined);
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server.server, 'listening');
    this.port = (this.#server.server.address() as AddressInfo).port;
    return this;
  }

  stop = () => new Promise<void>((resolve) => (this.#server ? this.#server.close(resolve) : resolve()));
}
