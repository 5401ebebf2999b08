import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface SandboxRequest {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface SandboxAnswer {
  status: number;
  /** A string and bytes are sent unchanged, any other value as JSON, undefined as an empty body. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** The result of a request: a response, no response until the client gives up, or a closed connection. */
export type Outcome = SandboxAnswer | 'hang' | 'disconnect';

const LARGEST_BODY = 2_000_000;

/** An HTTP server that can be stopped and started again on the same port. */
export class SandboxServer {
  private server: Server;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly handle: (request: SandboxRequest) => Outcome | Promise<Outcome>,
    private readonly host: string,
    public port: number,
  ) {
    this.server = this.build();
  }

  static async listen(
    handle: (request: SandboxRequest) => Outcome | Promise<Outcome>,
    { host = '127.0.0.1', port = 0 }: { host?: string; port?: number } = {},
  ): Promise<SandboxServer> {
    const server = new SandboxServer(handle, host, port);
    await server.open();
    return server;
  }

  /** The URL for programs on this machine, even if the server listens on all addresses. */
  get url(): string {
    return `http://${this.host === '0.0.0.0' || this.host === '::' ? '127.0.0.1' : this.host}:${this.port}`;
  }

  /** Refuses new connections and closes the existing ones. */
  async away(): Promise<void> {
    if (!this.server.listening) return;
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  async back(): Promise<void> {
    if (this.server.listening) return;
    this.server = this.build();
    await this.open();
  }

  private build(): Server {
    const server = createServer((request, response) => void this.serve(request, response));
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    return server;
  }

  private async open(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(this.port, this.host, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
    this.port = (this.server.address() as AddressInfo).port;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const body = await readBody(request);
      if (!body) return answer(response, { status: 413, body: 'Too large', headers: { connection: 'close' } });
      const { method = 'GET', headers } = request;
      const url = new URL(request.url ?? '/', 'http://sandbox');
      const outcome = await this.handle({ method, url, headers, body });
      if (outcome === 'hang') return;
      if (outcome === 'disconnect') return void request.socket.destroy();
      answer(response, outcome);
    } catch (error) {
      // A client that disconnected during its request is not our error; all others must be visible.
      if (request.destroyed && !request.complete) return;
      console.error(error);
      if (!response.headersSent) answer(response, { status: 500, body: { err: 'Internal server error', ECODE: 'SANDBOX_BROKEN' } });
    }
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function answer(response: ServerResponse, { status, body, headers }: SandboxAnswer): void {
  const isRaw = typeof body === 'string' || Buffer.isBuffer(body);
  const content = isRaw ? body : body === undefined ? '' : JSON.stringify(body);
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': contentType(body) };
  response.writeHead(status, { ...type, 'cache-control': 'no-store', ...headers }).end(content);
}

function contentType(body: unknown): string {
  if (Buffer.isBuffer(body)) return 'application/octet-stream';
  return typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
}

/** Whether the Host header names this machine; a foreign host name that resolves to 127.0.0.1 does not (DNS rebinding). */
export const asksForLocalhost = ({ headers }: SandboxRequest): boolean =>
  /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(headers.host ?? '');

/** Whether the request cannot come from another site: its origin is ours, or it has a header that other sites cannot send. */
export function comesFromOwnPage({ headers }: SandboxRequest): boolean {
  if (headers.origin !== undefined) return headers.origin === `http://${headers.host ?? ''}`;
  return headers['x-sandbox'] !== undefined;
}
