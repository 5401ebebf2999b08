import type { AddressInfo } from 'node:net';
import hoodiecrow from 'hoodiecrow-imap';

interface Message {
  raw: string;
  flags: string[];
}
interface Inside {
  server: { address(): AddressInfo; close(done: () => void): void; on(event: 'connection', listener: (socket: Socket) => void): void };
  storage: Record<string, { messages?: Message[] }>;
  getCommandHandler(name: string): unknown;
  commandHandlers: Record<string, unknown>;
  listen(port: number, host: string, done: () => void): void;
  appendMessage(path: string, flags: string[], date: string | null, raw: string): void;
}
interface Socket {
  destroy(): void;
  on(event: 'close', listener: () => void): void;
}

/** One of the parts of an email that a client requests. */
interface FetchItem {
  value: string;
  partial?: number[];
}
const isBody = ({ value }: FetchItem): boolean => value.toUpperCase().startsWith('BODY');

/** A local IMAP server with one user and an INBOX. */
export class ImapServer {
  readonly #server: Inside;
  readonly #sockets = new Set<Socket>();
  /** Total number of connections so far. */
  connections = 0;

  private constructor(readonly options: { secure: boolean }) {
    this.#server = hoodiecrow({
      secureConnection: options.secure,
      plugins: options.secure ? [] : ['STARTTLS'],
      users: { 'desk@acme.test': { password: 'right' } },
      storage: { INBOX: { messages: [] } },
    }) as Inside;
    this.#server.server.on('connection', (socket) => {
      this.connections++;
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(options = { secure: false }): Promise<ImapServer> {
    const server = new ImapServer(options);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return this.#server.server.address().port;
  }
  put(raw: string): void {
    this.#server.appendMessage('INBOX', [], null, raw);
  }
  /** Flags of each message, in the order of `put`. */
  flags(): string[][] {
    return (this.#server.storage.INBOX?.messages ?? []).map(({ flags }) => [...flags].filter((flag) => flag !== '\\Recent').sort());
  }
  /** Closes the connections instead of setting flags, `times` times. */
  loseMarks(times: number): void {
    const usual = this.#server.getCommandHandler('UID STORE');
    let left = times;
    this.#server.commandHandlers['UID STORE'] = (...given: unknown[]) => {
      if (left-- > 0) return this.#sockets.forEach((socket) => socket.destroy());
      return (usual as (...given: unknown[]) => void)(...given);
    };
  }
  /** Leaves the bytes of emails out of the response, `times` times. */
  omitBodies(times: number): void {
    let left = times;
    this.#changeFetches((items) => (items.some(isBody) && left-- > 0 ? items.filter((item) => !isBody(item)) : items));
  }
  /** Sends whole emails instead of the requested parts, as Tencent Exmail does (postalsys/imapflow, `lib/download.js`). */
  ignorePartial(): void {
    this.#changeFetches((items) => items.map(({ partial: _, ...item }) => item));
  }
  #changeFetches(change: (items: FetchItem[]) => FetchItem[]): void {
    const usual = this.#server.getCommandHandler('UID FETCH') as (...given: unknown[]) => void;
    this.#server.commandHandlers['UID FETCH'] = (connection: unknown, parsed: { attributes: unknown[] }, ...rest: unknown[]) => {
      const [range, items] = parsed.attributes as [unknown, FetchItem | FetchItem[]];
      return usual(connection, { ...parsed, attributes: [range, change([items].flat())] }, ...rest);
    };
  }
  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.server.close(resolve));
  }
}
