import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@tandem/contracts';
import { AwsV4Signer } from 'aws4fetch';
import type { Storage } from './storage-interface';

export interface S3Options {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** A request without traffic for this long is aborted; 20 s by default. */
  idleMs?: number;
}

/** Maximum length read from an error response: enough for the error code. */
const maxErrorBytes = 4_096;

/**
 * Stores files in a bucket of any S3-compatible server, with path-style addresses. Requests are signed with AWS Signature Version 4. The
 * bytes are not signed (`UNSIGNED-PAYLOAD`), because their hash would have to be known before the first byte is sent. Uses Node's HTTP
 * client, because `fetch` cannot send a stream with the `content-length` that S3 requires.
 */
export class S3Storage implements Storage {
  readonly #agent: http.Agent;
  readonly #idleMs: number;

  constructor(private readonly options: S3Options) {
    const pool = { keepAlive: true, maxSockets: 64 };
    this.#agent = options.endpoint.startsWith('https:') ? new https.Agent(pool) : new http.Agent(pool);
    this.#idleMs = options.idleMs ?? 20_000;
  }

  async open(): Promise<void> {
    // No check: a temporary S3 outage must not keep the service from starting, since everything else works without files.
  }

  async put(key: string, bytes: Readable, size: number, signal: AbortSignal): Promise<void> {
    try {
      const answer = await this.#send('PUT', key, { headers: { 'content-length': String(size) }, bytes, signal });
      await expect(answer, [200, 201]);
    } catch (error) {
      bytes.destroy();
      throw error;
    }
  }

  async get(key: string, signal?: AbortSignal): Promise<Readable | undefined> {
    const answer = await this.#send('GET', key, signal ? { signal } : {});
    if (answer.statusCode === 404) {
      answer.resume();
      return undefined;
    }
    if (answer.statusCode !== 200) await expect(answer, [200]);
    return answer;
  }

  async remove(key: string): Promise<void> {
    await expect(await this.#send('DELETE', key, {}), [200, 204, 404]);
  }

  /** Called by Nest: open keep-alive connections would keep the process running. */
  onApplicationShutdown(): void {
    this.#agent.destroy();
  }

  async #send(
    method: string,
    key: string,
    { headers = {}, bytes, signal }: { headers?: Record<string, string>; bytes?: Readable; signal?: AbortSignal },
  ): Promise<IncomingMessage> {
    const { endpoint, bucket, region, accessKeyId, secretAccessKey } = this.options;
    const url = new URL(`${endpoint.replace(/\/+$/, '')}/${bucket}/${key}`);
    const signer = new AwsV4Signer({ method, url: url.href, headers, service: 's3', region, accessKeyId, secretAccessKey });
    const signed = await signer.sign();
    const options: RequestOptions = {
      method,
      headers: { ...Object.fromEntries(signed.headers), ...headers },
      agent: this.#agent,
      timeout: this.#idleMs,
      ...(signal ? { signal } : {}),
    };
    return exchange(url, options, bytes);
  }
}

/** Sends one request and resolves with the response head. Errors become `service.unavailable`, unless the source threw an `AppError`. */
function exchange(url: URL, options: RequestOptions, bytes: Readable | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, options);
    request.on('timeout', () => request.destroy(new Error('S3 timed out')));
    // An error response can arrive before the last byte is sent; the caller that reads it destroys the source.
    request.on('response', resolve);
    request.on('error', (error) => reject(unavailable(error)));
    if (bytes) pipeline(bytes, request).catch((error: unknown) => reject(error instanceof AppError ? error : unavailable(error)));
    else request.end();
  });
}

const unavailable = (cause: unknown): AppError =>
  new AppError('service.unavailable', { retryAfterSeconds: 5, cause: new Error('file storage is unavailable', { cause }) });

/** Reads the whole response; throws unless it has one of these statuses, with the S3 error code for the log. */
async function expect(answer: IncomingMessage, statuses: number[]): Promise<void> {
  let text = '';
  for await (const chunk of answer) if (text.length < maxErrorBytes) text += String(chunk);
  if (statuses.includes(answer.statusCode ?? 0)) return;
  const code = /<Code>([\w.]{1,100})<\/Code>/.exec(text)?.[1] ?? 'no code';
  throw unavailable(new Error(`S3 answered ${answer.statusCode}: ${code}`));
}
