import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ClickUpSandbox } from './sandbox';
import type { ClickUpSandboxOptions } from './options';

/** Parsed JSON without any checks. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Answer {
  status: number;
  headers: Headers;
  body: Json;
}

/** A plain client for tests of the sandbox: it sends exactly what the test specifies. */
export class Caller {
  constructor(
    readonly sandbox: ClickUpSandbox,
    public token: string,
  ) {}

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(`${this.sandbox.apiUrl}${path}`, {
      method,
      headers: { authorization: this.token, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : undefined };
  }

  get = (path: string) => this.call('GET', path);
  post = (path: string, body: unknown) => this.call('POST', path, body);
  put = (path: string, body: unknown) => this.call('PUT', path, body);
  delete = (path: string) => this.call('DELETE', path);
}

/** By default webhooks have a short timeout and there is no rate limit. */
export async function openSandbox(options: ClickUpSandboxOptions = {}): Promise<Caller> {
  const quick = { timeoutMs: 300, retryDelayMs: 5, ...options.deliveries };
  const sandbox = await ClickUpSandbox.start({ rateLimitPerMinute: Infinity, ...options, deliveries: quick });
  return new Caller(sandbox, `Bearer ${sandbox.issueToken()}`);
}

export interface Received {
  event: string;
  body: Json;
  raw: Buffer;
  signature: string;
}

/** A receiver of webhooks. `answer` returns the response to each; undefined means no response. */
export class Receiver {
  readonly received: Received[] = [];
  answer: (received: Received) => number | undefined = () => 200;

  private constructor(private readonly server: Server) {}

  static async open(): Promise<Receiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const raw = Buffer.concat(chunks);
        const body = JSON.parse(raw.toString('utf8'));
        const received = { event: body.event, body, raw, signature: String(request.headers['x-signature']) };
        receiver.received.push(received);
        const status = receiver.answer(received);
        if (status !== undefined) response.writeHead(status).end();
      });
    });
    const receiver = new Receiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  get events(): string[] {
    return this.received.map(({ event }) => event);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

export const signatureOf = (raw: Buffer, secret: string): string => createHmac('sha256', secret).update(raw).digest('hex');
