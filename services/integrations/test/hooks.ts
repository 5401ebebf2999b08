import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemContext } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { signContext } from '@tandem/platform';

/** Replaces the gateway for task tools: accepts raw webhooks under `/api/v1` and forwards them to the service as the gateway does. */
export class Hooks {
  /** The service's address, set after it has started, because the service is configured with ours. */
  target: { url: string; secret: string } | undefined;

  private constructor(
    readonly url: string,
    readonly close: () => Promise<void>,
  ) {}

  static async open(): Promise<Hooks> {
    const server = createServer((request, response) => {
      void bytesOf(request)
        .then((raw) => hooks.pass(request, raw))
        .catch(() => 502)
        .then((status) => response.writeHead(status).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const close = async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    };
    const hooks: Hooks = new Hooks(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, close);
    return hooks;
  }

  private async pass({ url = '/', method = 'POST', headers }: IncomingMessage, raw: Buffer): Promise<number> {
    if (!this.target) return 503;
    const response = await fetch(`${this.target.url}${url.replace(/^\/api\/v1/, '')}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'x-tandem-context': signContext(systemContext(null, newId()), this.target.secret),
      },
      body: JSON.stringify({ headers, body_base64: raw.toString('base64') }),
    });
    await response.arrayBuffer();
    return response.status;
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
