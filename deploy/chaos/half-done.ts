import { readdir } from 'node:fs/promises';
import { request, type ClientRequest } from 'node:http';
import type { HouseUnderFire } from './house-under-fire.ts';
import { untilHolds } from './desk.ts';

/**
 * Keeps the rows that the query locks to itself: whoever wants to change them waits, and can be killed just there. Answers how to let them
 * go.
 */
export async function hold(house: HouseUnderFire, query: string, values: unknown[]): Promise<() => Promise<void>> {
  const client = await house.connect('tickets');
  await client.query('begin');
  await client.query(query, values);
  return async () => {
    await client.query('rollback');
    await client.end();
  };
}

/** Until so many statements of the tickets service's database wait for a lock. */
export const untilWaiting = (house: HouseUnderFire, statements: number): Promise<void> =>
  untilHolds(async () => {
    const [found] = await house.rows<{ waiting: string }>(
      'tickets',
      `select count(*) as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      [],
    );
    expect(Number(found!.waiting)).toBeGreaterThanOrEqual(statements);
  });

/** A file that is announced and of which the first half has been sent. */
export class HalfSent {
  private constructor(
    readonly id: string,
    private readonly sending: ClientRequest,
    private readonly rest: Buffer,
    /** The answer's status; undefined when the connection died. */
    readonly answered: Promise<number | undefined>,
  ) {}

  static async begin(house: HouseUnderFire, headers: Record<string, string>, bytes: Buffer): Promise<HalfSent> {
    const announced = await house.create<{ attachment_id: string; upload_url: string }>(
      '/attachments',
      { file_name: 'half.bin', size: bytes.length },
      headers,
    );
    const { attachment_id, upload_url } = announced!;
    const sending = request(new URL(upload_url, house.api), {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream', 'content-length': bytes.length },
    });
    const answered = new Promise<number | undefined>((resolve) => {
      sending.on('response', (answer) => resolve(answer.resume().statusCode));
      sending.on('error', () => resolve(undefined));
    });
    const half = Math.floor(bytes.length / 2);
    sending.write(bytes.subarray(0, half));
    return new HalfSent(attachment_id, sending, bytes.subarray(half), answered);
  }

  finish(): Promise<number | undefined> {
    this.sending.end(this.rest);
    return this.answered;
  }
}

export async function upload(house: HouseUnderFire, headers: Record<string, string>, bytes: Buffer): Promise<string> {
  const sent = await HalfSent.begin(house, headers, bytes);
  expect(await sent.finish()).toBe(200);
  return sent.id;
}

/** The names of all files that lie where the service keeps them, whole or not. */
export async function filesOnDisk(house: HouseUnderFire): Promise<string[]> {
  const entries = await readdir(house.files, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort();
}

/** There is a row that claims to have its bytes for each file on the disk, and a file for each such row. */
export async function expectRowsAndBytesAgree(house: HouseUnderFire): Promise<void> {
  const rows = await house.rows<{ id: string }>('tickets', 'select id from attachments where content_type is not null', []);
  expect(await filesOnDisk(house)).toEqual(rows.map(({ id }) => id).sort());
}

/** Nobody has used these for longer than files are kept. */
export const aging = "update attachments set created_at = now() - interval '25 hours' where id = any($1)";

/** The stream of events, as a browser keeps it open. */
export interface Stream {
  status: number;
  text: string;
  ended: boolean;
  close(): void;
}

export async function openStream(house: HouseUnderFire, headers: Record<string, string>): Promise<Stream> {
  const controller = new AbortController();
  const answer = await fetch(`${house.api}/events`, { headers: { ...headers, accept: 'text/event-stream' }, signal: controller.signal });
  const stream: Stream = { status: answer.status, text: '', ended: false, close: () => controller.abort() };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) stream.text += decoder.decode(chunk, { stream: true });
  };
  // A connection that dies, or that we close, has ended like any other.
  void read()
    .catch(() => undefined)
    .then(() => (stream.ended = true));
  return stream;
}
