import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Keys {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

/** Signature of a request (AWS Signature Version 4, header form), implemented independently of the client under test. */
function signatureOf(request: IncomingMessage, { secretAccessKey, region }: Keys, signedHeaders: string[], datetime: string): string {
  const url = new URL(request.url!, 'http://x');
  const headers = signedHeaders.map((name) => `${name}:${[request.headers[name]].flat().join(',').trim().replace(/ +/g, ' ')}\n`).join('');
  const payload = request.headers['x-amz-content-sha256'] as string;
  const canonical = [request.method, url.pathname, '', headers, signedHeaders.join(';'), payload].join('\n');
  const scope = `${datetime.slice(0, 8)}/${region}/s3/aws4_request`;
  const key = scope.split('/').reduce<string | Buffer>((current, part) => hmac(current, part), `AWS4${secretAccessKey}`);
  return hmac(key, ['AWS4-HMAC-SHA256', datetime, scope, sha256(canonical)].join('\n')).toString('hex');
}

/** Faults to apply to the next requests. */
interface Faults {
  /** Replies with this status as soon as the request headers have arrived. */
  status?: number;
  /** Accepts the request and never responds. */
  silent?: boolean;
  /** Closes the connection after this many bytes of a response. */
  cutAfter?: number;
  delayMs?: number;
}

/** A minimal S3 server: path-style objects of one bucket in memory. Refuses requests that are unsigned, too old, or without a length. */
export class S3Sandbox {
  readonly objects = new Map<string, Buffer>();
  readonly bucket = 'files';
  readonly keys: Keys = { accessKeyId: 'AKSANDBOX', secretAccessKey: 'kept-in-this-test-only', region: 'eu-central-1' };
  faults: Faults = {};
  #server: Server | undefined;

  async start(): Promise<this> {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => this.#server!.listen(0, '127.0.0.1', resolve));
    return this;
  }
  get endpoint(): string {
    return `http://127.0.0.1:${(this.#server!.address() as AddressInfo).port}`;
  }
  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.faults.delayMs) await new Promise((resolve) => setTimeout(resolve, this.faults.delayMs));
    if (this.faults.silent) return void request.resume();
    if (this.faults.status) return refuse(response, this.faults.status, 'InternalError');
    const wrong = this.#wrongWith(request);
    if (wrong) return refuse(response, 403, wrong);
    const [, bucket, key] = /^\/([^/]+)\/(.+)$/.exec(request.url!) ?? [];
    if (bucket !== this.bucket || !key) return refuse(response, 404, 'NoSuchBucket');
    if (request.method === 'PUT') return this.#put(key, request, response);
    if (request.method === 'GET') return this.#get(key, response);
    if (request.method !== 'DELETE') return refuse(response, 405, 'MethodNotAllowed');
    this.objects.delete(key);
    response.writeHead(204).end();
  }

  #wrongWith(request: IncomingMessage): string | undefined {
    const form =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/;
    const [, accessKeyId, date, region, signed = '', signature = ''] = form.exec(request.headers.authorization ?? '') ?? [];
    const datetime = request.headers['x-amz-date'] as string | undefined;
    const names = signed.split(';');
    if (!datetime?.startsWith(date ?? '-') || region !== this.keys.region || accessKeyId !== this.keys.accessKeyId) return 'AccessDenied';
    const at = Date.parse(datetime.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
    if (!(Math.abs(Date.now() - at) < 15 * 60_000)) return 'RequestTimeTooSkewed';
    if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.includes(name))) return 'AccessDenied';
    const expected = signatureOf(request, this.keys, names, datetime);
    return timingSafeEqual(Buffer.from(expected), Buffer.from(signature)) ? undefined : 'SignatureDoesNotMatch';
  }

  async #put(key: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers['content-length'] === undefined) return refuse(response, 411, 'MissingContentLength');
    const chunks: Buffer[] = [];
    // Throws if the client disconnects: then no object is stored, as in S3.
    for await (const chunk of request) chunks.push(chunk as Buffer);
    this.objects.set(key, Buffer.concat(chunks));
    response.writeHead(200).end();
  }

  #get(key: string, response: ServerResponse): void {
    const object = this.objects.get(key);
    if (!object) return refuse(response, 404, 'NoSuchKey');
    response.writeHead(200, { 'content-length': object.length });
    if (this.faults.cutAfter === undefined) return void response.end(object);
    response.write(object.subarray(0, this.faults.cutAfter), () => response.destroy());
  }
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`);
}
