import { Readable } from 'node:stream';
import { AppError, type Operation } from '@tandem/contracts';
import { Pool } from '@tandem/platform';

export interface StreamRequest {
  path: string;
  /** With a body, `content-length` is required. */
  headers: Record<string, string>;
  body?: Readable;
  signal?: AbortSignal;
}
export interface StreamResponse {
  status: number;
  headers: Record<string, string>;
  /** The caller must read it to the end or destroy it. */
  body: Readable;
}

/** Maximum number of connections for files from one process to each service. */
const connections = 128;
/** The owner may need this long to respond after the last byte, because it writes the file to disk. */
const responseTimeoutMs = 60_000;
/** A response that receives no data for this long is aborted. */
const stalledMs = 30_000;
/** Shorter than our servers keep an idle connection. */
const keepAliveMs = 4_000;

/** Requests and responses of any size between our processes; used by `Services.stream`. */
export class FileStreams {
  readonly #pools = new Map<Operation['owner'], Pool>();

  constructor(
    private readonly urls: Partial<Record<Operation['owner'], string>>,
    private readonly connectTimeoutMs: number,
  ) {}

  async send(
    op: Operation,
    headers: Record<string, string>,
    { path, headers: given, body, signal }: StreamRequest,
  ): Promise<StreamResponse> {
    const source = body && watched(body);
    const length = given['content-length'];
    try {
      const response = await this.#pool(op.owner).request({
        method: op.method,
        path,
        headers: length === undefined ? headers : { ...headers, 'content-length': length },
        body: source ? Readable.from(source.bytes(), { objectMode: false }) : null,
        ...(signal ? { signal } : {}),
      });
      return { status: response.statusCode, headers: textsOf(response.headers), body: response.body };
    } catch (error) {
      if (source?.isBroken() || signal?.aborted) throw new AppError('request.malformed', { detail: 'Upload incomplete', cause: error });
      throw error;
    }
  }

  async close(): Promise<void> {
    const open = [...this.#pools.values()].filter((pool) => !pool.closed && !pool.destroyed);
    await Promise.all(open.map((pool) => pool.close()));
  }

  /** Created at first use: most processes transfer no files. */
  #pool(owner: Operation['owner']): Pool {
    let pool = this.#pools.get(owner);
    if (!pool) {
      pool = new Pool(this.urls[owner]!, {
        connections,
        connect: { timeout: this.connectTimeoutMs },
        keepAliveTimeout: keepAliveMs,
        keepAliveMaxTimeout: keepAliveMs,
        headersTimeout: responseTimeoutMs,
        bodyTimeout: stalledMs,
      });
      this.#pools.set(owner, pool);
    }
    return pool;
  }
}

/**
 * The request body as a generator. The body stays open when the owner refuses it: destroying it would make a response to the client
 * impossible. Also reports whether the upload was aborted.
 */
function watched(body: Readable) {
  let broken = false;
  async function* bytes(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of body.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
    } catch (error) {
      broken = true;
      throw error;
    }
  }
  return { bytes, isBroken: () => broken };
}

function textsOf(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat().join(', ')] as const])),
  );
}
