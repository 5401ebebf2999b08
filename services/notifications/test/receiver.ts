import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
  /** When it arrived, in milliseconds since the process started. */
  at: number;
}
type Responder = (request: Received, response: ServerResponse) => void;

/** A receiver of webhooks on this machine. Answers 200 unless a test sets `respond`. */
export class Receiver {
  readonly received: Received[] = [];
  /** Requests to other paths are answered and not recorded: retries of an earlier test. */
  #prefix = '/';
  /** Maximum number of requests that were open at once. */
  maxOpen = 0;
  #open = new Set<ServerResponse>();
  respond: Responder = (_, response) => void response.writeHead(200).end('ok');

  private constructor(
    private readonly server: Server,
    readonly host: string,
  ) {}

  static async start(): Promise<Receiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const receiver = new Receiver(server, `127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => void receiver.receive(request, response));
    return receiver;
  }

  get url(): string {
    return `http://${this.host}${this.#prefix}`;
  }

  /** Forgets all requests, and uses a new URL for the next test. */
  reset(): void {
    this.#prefix = `/${randomUUID()}`;
    this.received.length = 0;
    this.maxOpen = 0;
    // An earlier test may have left requests open; they end when their sender gives up.
    this.#open = new Set();
    this.respond = (_, response) => void response.writeHead(200).end('ok');
  }

  /** The requests to a path below `url`. */
  to(path: string): Received[] {
    return this.received.filter((request) => request.path === `${this.#prefix}${path}`);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.url?.startsWith(this.#prefix)) return void response.writeHead(200).end();
    const open = this.#open.add(response);
    this.maxOpen = Math.max(this.maxOpen, open.size);
    response.on('close', () => open.delete(response));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const received = { path: request.url, headers, body: Buffer.concat(chunks).toString(), at: performance.now() };
    this.received.push(received);
    this.respond(received, response);
  }
}
