import { readdir } from 'node:fs/promises';
import { request, type ClientRequest } from 'node:http';
import type { ChaosApp } from './chaos-app.ts';
import { untilPasses } from './ticketing.ts';

/**
 * Locks the rows that the query selects: processes that want to change them wait, and can be killed at that point. Returns a function that
 * releases the locks.
 */
export async function lockRows(app: ChaosApp, query: string, values: unknown[], database = 'tickets'): Promise<() => Promise<void>> {
  const client = await app.connect(database);
  await client.query('begin');
  await client.query(query, values);
  return async () => {
    await client.query('rollback');
    await client.end();
  };
}

/** Waits until this many statements in a service's database wait for a lock. */
export const untilStatementsWait = (app: ChaosApp, statements: number, database = 'tickets'): Promise<void> =>
  untilPasses(async () => {
    const [found] = await app.rows<{ waiting: string }>(
      database,
      `select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      [],
    );
    expect(Number(found!.waiting)).toBeGreaterThanOrEqual(statements);
  });

/** A file that was announced and whose first half has been uploaded. */
export class PartialUpload {
  private constructor(
    readonly id: string,
    private readonly sending: ClientRequest,
    private readonly rest: Buffer,
    /** The response status; undefined if the connection failed. */
    readonly answered: Promise<number | undefined>,
  ) {}

  static async begin(app: ChaosApp, headers: Record<string, string>, bytes: Buffer): Promise<PartialUpload> {
    const { attachment_id, upload_url } = await app.mustCreate<{ attachment_id: string; upload_url: string }>(
      '/attachments',
      { file_name: 'half.bin', size: bytes.length },
      headers,
    );
    const sending = request(new URL(upload_url, app.api), {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream', 'content-length': bytes.length },
    });
    const answered = new Promise<number | undefined>((resolve) => {
      sending.on('response', (answer) => resolve(answer.resume().statusCode));
      sending.on('error', () => resolve(undefined));
    });
    const half = Math.floor(bytes.length / 2);
    sending.write(bytes.subarray(0, half));
    return new PartialUpload(attachment_id, sending, bytes.subarray(half), answered);
  }

  finish(): Promise<number | undefined> {
    this.sending.end(this.rest);
    return this.answered;
  }
}

export async function upload(app: ChaosApp, headers: Record<string, string>, bytes: Buffer): Promise<string> {
  const sent = await PartialUpload.begin(app, headers, bytes);
  expect(await sent.finish()).toBe(200);
  return sent.id;
}

/** The names of all files in the service's directory, complete or not. */
export async function filesOnDisk(app: ChaosApp): Promise<string[]> {
  const entries = await readdir(app.files, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort();
}

/** Every row with a content type has a file on disk, and every file has such a row. */
export async function expectRowsAndBytesAgree(app: ChaosApp): Promise<void> {
  const rows = await app.rows<{ id: string }>('tickets', 'select id from attachments where content_type is not null', []);
  expect(await filesOnDisk(app)).toEqual(rows.map(({ id }) => id).sort());
}

/** Makes unused files older than the retention time. */
export const aging = "update attachments set created_at = now() - interval '25 hours' where id = any($1)";

/** An open event stream, as in a browser. */
export interface Stream {
  status: number;
  text: string;
  ended: boolean;
  close(): void;
}

export async function openStream(app: ChaosApp, headers: Record<string, string>): Promise<Stream> {
  const controller = new AbortController();
  const answer = await fetch(`${app.api}/events`, { headers: { ...headers, accept: 'text/event-stream' }, signal: controller.signal });
  const stream: Stream = { status: answer.status, text: '', ended: false, close: () => controller.abort() };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) stream.text += decoder.decode(chunk, { stream: true });
  };
  // A stream counts as ended if its connection fails or is closed by us.
  void read()
    .catch(() => undefined)
    .then(() => (stream.ended = true));
  return stream;
}
