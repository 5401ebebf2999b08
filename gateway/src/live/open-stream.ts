import type { ServerResponse } from 'node:http';
import type { GatewayReply, GatewayRequest } from '../request';

export const heartbeatMs = 15_000;
/** A client this far behind has failed or sleeps; it is disconnected, and reloads its lists when it reconnects. */
const backlogBytes = 256 * 1024;
const retryMs = 3_000;

/** Sends the headers of an event stream. For `HEAD` it ends the response and returns undefined. */
export function beginStream(request: GatewayRequest, reply: GatewayReply): ServerResponse | undefined {
  const headers = {
    ...reply.getHeaders(),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  };
  reply.hijack();
  reply.raw.writeHead(200, headers as Record<string, string>);
  if (request.method !== 'HEAD') return reply.raw;
  reply.raw.end();
  return undefined;
}

/** One server-sent events connection, until the client disconnects or it is closed; the headers have been sent. */
export class OpenStream {
  private readonly closing: (() => void)[] = [];
  isOpen = true;

  constructor(private readonly response: ServerResponse) {
    response.once('close', () => this.close());
  }

  begin(): void {
    this.write(`retry: ${retryMs}\n: connected\n\n`);
  }

  write(text: string): void {
    if (this.response.writableLength > backlogBytes) this.close();
    else if (this.isOpen) this.response.write(text);
  }

  /** Resolves when the client has read enough for more, or has disconnected. */
  async drained(): Promise<void> {
    if (!this.isOpen || this.response.writableLength <= backlogBytes / 4) return;
    await new Promise<void>((resolve) => {
      this.response.once('drain', resolve);
      this.onClose(resolve);
    });
  }

  beat(): void {
    this.write(': heartbeat\n\n');
  }

  /** Runs `work` when the stream closes, or immediately if it is already closed. */
  onClose(work: () => void): void {
    if (this.isOpen) this.closing.push(work);
    else work();
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    for (const work of this.closing) work();
    this.response.end();
  }
}
