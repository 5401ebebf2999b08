import type { Dispatcher, Pool } from 'undici';

export interface ForwardResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Headers that belong to one connection only (RFC 9110, 7.6.1), or that the owner must not set. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
]);
/** `name` in lower case. */
export const isOfConnection = (name: string): boolean => ofConnection.has(name);

/**
 * Sends a request and collects its response. It implements undici's handler itself because `request` would wrap each body in a stream. Fails
 * at `until` (as `performance.now()`), wherever the request is then: waiting for a connection, for headers or for the rest of the body.
 */
export function exchange(pool: Pool, options: Dispatcher.DispatchOptions, until: number): Promise<ForwardResponse> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let timedOut: Error | undefined;
    let status = 0;
    let headers: ForwardResponse['headers'] = {};
    const chunks: Buffer[] = [];
    const timer = setTimeout(
      () => {
        timedOut = new Error('The request took too long');
        reject(timedOut);
        controller?.abort(timedOut);
      },
      Math.max(0, until - performance.now()),
    );
    pool.dispatch(options, {
      onRequestStart(started) {
        controller = started;
        if (timedOut !== undefined) started.abort(timedOut);
      },
      onResponseStart(_controller, statusCode, received) {
        status = statusCode;
        headers = passedOn(received);
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        clearTimeout(timer);
        resolve({ status, headers, body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks) });
      },
      onResponseError(_controller, error) {
        clearTimeout(timer);
        reject(error);
      },
    });
  });
}

function passedOn(received: Record<string, string | string[] | undefined>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name in received) {
    const value = received[name];
    if (value !== undefined && !isOfConnection(name)) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}
