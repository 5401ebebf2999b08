import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** When the server becomes slow: it never completes its greeting, or it sends an email byte by byte. */
export type Slowness = 'greeting' | 'mail';

/** An IMAP server that from some point on sends one byte every 50 ms, so that it is never silent and never finishes. */
export class SlowImapServer {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** Total number of connections so far. */
  connections = 0;

  private constructor(readonly slowness: Slowness) {
    this.#server = createServer((socket) => this.#serve(socket));
  }

  static async start(slowness: Slowness): Promise<SlowImapServer> {
    const server = new SlowImapServer(slowness);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }
  /** Currently open connections. */
  get open(): number {
    return this.#sockets.size;
  }
  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #serve(socket: Socket): void {
    this.connections++;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => undefined);
    if (this.slowness === 'greeting') return trickle(socket, '* OK ');
    socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n');
    let rest = '';
    socket.on('data', (data) => {
      const lines = `${rest}${data.toString('latin1')}`.split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) answer(socket, line);
    });
  }
}

const selected = '* FLAGS (\\Seen)\r\n* 1 EXISTS\r\n* 0 RECENT\r\n* OK [UIDVALIDITY 1]\r\n* OK [UIDNEXT 2]\r\n';

function answer(socket: Socket, line: string): void {
  const [tag = '', ...words] = line.split(' ');
  const command = words.join(' ').toUpperCase();
  const done = (before = '') => socket.write(`${before}${tag} OK done\r\n`);
  if (command.startsWith('CAPABILITY')) return void done('* CAPABILITY IMAP4rev1\r\n');
  if (command.startsWith('SELECT')) return void done(selected);
  if (command.startsWith('LIST') || command.startsWith('LSUB')) return void done('* LIST (\\HasNoChildren) "/" "INBOX"\r\n');
  if (command.startsWith('UID SEARCH')) return void done('* SEARCH 1\r\n');
  if (!command.startsWith('UID FETCH')) return void done();
  if (!command.includes('BODY')) return void done('* 1 FETCH (UID 1 RFC822.SIZE 20000)\r\n');
  trickle(socket, '* 1 FETCH (UID 1 BODY[] {20000}\r\n');
}

function trickle(socket: Socket, begin: string): void {
  socket.write(begin);
  const timer = setInterval(() => socket.write('x'), 50);
  socket.on('close', () => clearInterval(timer));
}
