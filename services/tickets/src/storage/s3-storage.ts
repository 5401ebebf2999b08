import http, { type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '@tandem/contracts';
import { AwsV4Signer } from 'aws4fetch';
import type { Storage } from './storage';

export interface S3Options {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Without a byte for so long, a request is over; 20 s unless said. */
  idleMs?: number;
}

/** Of an answer that says what is wrong: enough for the code of the error. */
const longestErrorBytes = 4_096;

/**
 * Files in a bucket of any server that speaks S3, addressed path-style. Requests are signed with AWS Signature 4; the bytes stay unsigned
 * (`UNSIGNED-PAYLOAD`), for their hash would have to be known before the first of them is sent. Sent by Node's own client and not by
 * `fetch`, which cannot say how long a stream is, and S3 wants to know.
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
    // A server that is away for a moment must not keep the service from starting: everything else works without it.
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

  /** Nest calls this: connections that are kept alive would keep the process. */
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

/** One request; resolves with the head of its answer. What goes wrong on the way there is the storage's fault, unless the source failed. */
function exchange(url: URL, options: RequestOptions, bytes: Readable | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, options);
    request.on('timeout', () => request.destroy(new Error('S3 does not answer in time')));
    // A refusal can come before the last byte has been sent: whoever reads it ends the source.
    request.on('response', resolve);
    request.on('error', (error) => reject(away(error)));
    if (bytes) pipeline(bytes, request).catch((error: unknown) => reject(error instanceof AppError ? error : away(error)));
    else request.end();
  });
}

const away = (cause: unknown): AppError =>
  new AppError('service.unavailable', { retryAfterSeconds: 5, cause: new Error('The storage of files does not answer', { cause }) });

/** Reads the answer to its end; throws unless its status is one of these, with what the server says of it for the log. */
async function expect(answer: IncomingMessage, statuses: number[]): Promise<void> {
  let text = '';
  for await (const chunk of answer) if (text.length < longestErrorBytes) text += String(chunk);
  if (statuses.includes(answer.statusCode ?? 0)) return;
  const code = /<Code>([\w.]{1,100})<\/Code>/.exec(text)?.[1] ?? 'no code';
  throw away(new Error(`S3 answered ${answer.statusCode}: ${code}`));
}
