import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type pg from 'pg';

/** The part of pg's connection that COPY needs and its types leave out. */
interface CopyConnection {
  stream: { pause(): void; resume(): void; write(data: Uint8Array): boolean } & NodeJS.EventEmitter;
  query(text: string): void;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** A COPY as pg runs it: the client calls these methods with the server's messages. */
abstract class Copy {
  readonly #done = Promise.withResolvers<number>();
  #failure: Error | undefined;
  #rows = 0;

  constructor(private readonly text: string) {
    this.#done.promise.catch(() => undefined); // reported by `run`
  }

  /** Returns the number of rows. */
  run(client: pg.Client): Promise<number> {
    client.query(this as unknown as pg.Submittable);
    return this.#done.promise;
  }

  submit(connection: CopyConnection): void {
    connection.query(this.text);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#rows = Number(text.replace('COPY ', ''));
  }

  handleError(error: Error): void {
    this.#failure ??= error;
    this.#done.reject(this.#failure);
  }

  handleReadyForQuery(_connection: CopyConnection): void {
    if (!this.#failure) this.#done.resolve(this.#rows);
  }

  protected fail(error: Error): void {
    this.#failure ??= error;
  }
}

class CopyOut extends Copy {
  #isPaused = false;

  constructor(
    text: string,
    private readonly target: Writable,
  ) {
    super(text);
  }

  override handleReadyForQuery(connection: CopyConnection): void {
    // A stream that is ended before it has drained emits no `drain`.
    connection.stream.resume();
    super.handleReadyForQuery(connection);
  }

  handleCopyData({ chunk }: { chunk: Buffer }, connection: CopyConnection): void {
    // A copy, because pg reuses its buffer. Messages that it has already received still arrive after the pause.
    if (this.target.write(Buffer.from(chunk)) || this.#isPaused) return;
    this.#isPaused = true;
    connection.stream.pause();
    this.target.once('drain', () => {
      this.#isPaused = false;
      connection.stream.resume();
    });
  }
}

class CopyIn extends Copy {
  constructor(
    text: string,
    private readonly source: Readable,
  ) {
    super(text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#send(connection).catch((error: unknown) => {
      const reason = error instanceof Error ? error : new Error(String(error));
      this.fail(reason);
      connection.sendCopyFail(reason.message);
    });
  }

  async #send(connection: CopyConnection): Promise<void> {
    for await (const chunk of this.source as AsyncIterable<Buffer>) {
      connection.sendCopyFromChunk(chunk);
      const { stream } = connection as { stream: { writableNeedDrain?: boolean } & NodeJS.EventEmitter };
      if (stream.writableNeedDrain) await once(stream, 'drain');
    }
    connection.endCopyFrom();
  }
}

/** Writes the rows of a query to the stream, in PostgreSQL's text format, and leaves the stream open. */
export const copyTo = (client: pg.Client, query: string, target: Writable): Promise<number> =>
  new CopyOut(`copy (${query}) to stdout`, target).run(client);

/** Inserts rows in PostgreSQL's text format. `table` includes the columns and is escaped. */
export const copyFrom = (client: pg.Client, table: string, source: Readable): Promise<number> =>
  new CopyIn(`copy ${table} from stdin`, source).run(client);
