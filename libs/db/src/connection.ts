import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely';
import type pg from 'pg';
import { translated, translatedWrite } from './errors';
import { configOf } from './prepared';
import type { Statement, StatementResult } from './statement-batch';
import { hasWritten, queryAsTenant, sendBatch, type Frame, type Queued } from './tenant-query';

const adapter = new PostgresAdapter();
const compiler = new PostgresQueryCompiler();

const hasEnded = () => new Error('This transaction has ended. One of its queries was not awaited.');

function resultOf<R>({ command, rowCount, rows }: StatementResult): QueryResult<R> {
  const changes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE';
  return { rows: rows as R[], ...(changes ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) };
}

/** A connection for the queries of one caller; after `end()` none is accepted. */
export abstract class WorkConnection implements DatabaseConnection {
  #last: Promise<unknown> = Promise.resolve();
  #ended = false;
  #sent = 0;

  constructor(protected readonly client: pg.PoolClient) {}

  /** Sends the statement by the end of the current microtasks; the connection is pipelined, so it runs after the ones before it. */
  protected abstract send(statement: Statement): Promise<StatementResult>;

  protected isPrepared(asked: boolean): boolean {
    return asked;
  }

  protected translated(error: unknown): unknown {
    return translated(error);
  }

  /** Number of queries so far. */
  get sent(): number {
    return this.#sent;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.execute(query, false);
  }

  /** Counts a query; throws after the work, because the connection may already serve another organization. */
  protected count(): void {
    if (this.#ended) throw hasEnded();
    this.#sent += 1;
  }

  async execute<R>(query: CompiledQuery, isPrepared: boolean): Promise<QueryResult<R>> {
    this.count();
    const result = this.send(configOf(this.client, query, this.isPrepared(isPrepared)));
    this.#last = result.catch(() => undefined);
    try {
      return resultOf(await result);
    } catch (error) {
      throw this.translated(error);
    }
  }

  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not supported: read pages');
  }

  /** Accepts no more queries; resolves when the pending ones have settled. */
  async end(): Promise<void> {
    this.#ended = true;
    await this.#last;
  }
}

/** The connection of one transaction, which begins with its first query. */
export class TransactionConnection extends WorkConnection {
  #queue: Queued[] = [];
  /** Statements that are sent with the next one. */
  #deferred: Queued[] = [];
  #failure: unknown;
  #isBeginSent = false;

  constructor(
    client: pg.PoolClient,
    private readonly frame: Frame,
  ) {
    super(client);
  }

  /** Whether there is a transaction to roll back: the server has received a statement. */
  get hasBegun(): boolean {
    return this.#isBeginSent;
  }

  /** Whether there is a transaction to commit. */
  get hasStatements(): boolean {
    return this.#isBeginSent || this.#queue.length > 0 || this.#deferred.length > 0;
  }

  /** The error of a deferred statement; those behind it fail because of it. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Sends the statement in front of the next one, or of the commit. It is never sent if the work fails before. */
  defer(query: CompiledQuery): void {
    this.count();
    const statement = configOf(this.client, query, true);
    const fail = (error: unknown) => (this.#failure ??= this.translated(error));
    (this.#queue.length > 0 ? this.#queue : this.#deferred).push({ statement, resolve: () => undefined, reject: fail });
  }

  /** Sent together with the last queries. Returns the server's answer: `ROLLBACK` if an earlier statement has failed. */
  async commit(): Promise<string> {
    return (await this.send(this.frame.commit)).command;
  }

  /** Commits, and returns whether the transaction may have changed rows. */
  async commitDetectingWrites(): Promise<boolean> {
    const [{ rows }] = await Promise.all([this.send(hasWritten), this.commit()]);
    return (rows[0] as { has_written: boolean }).has_written;
  }

  protected override translated(error: unknown): unknown {
    return translatedWrite(error);
  }

  /** Statements of the same microtasks share one packet and one `Sync`, so that the server answers with one packet, too. */
  protected send(statement: Statement): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      if (this.#queue.length === 0) process.nextTick(() => this.#sendQueue());
      this.#queue.push(...this.#deferred.splice(0), { statement, resolve, reject });
    });
  }

  #sendQueue(): void {
    const queue = this.#queue.splice(0);
    const leading = this.#isBeginSent ? [] : this.frame.begin;
    this.#isBeginSent = true;
    sendBatch(this.client, leading, queue);
  }
}

/** A connection whose queries of the same microtasks are a transaction without a `begin`, for one organization and read-only. */
export class ReadConnection extends WorkConnection {
  #queue: Queued[] = [];

  constructor(
    client: pg.PoolClient,
    private readonly organization_id: string,
    private readonly arePrepared: boolean,
  ) {
    super(client);
  }

  protected override isPrepared(asked: boolean): boolean {
    return asked || this.arePrepared;
  }

  protected send(statement: Statement): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      if (this.#queue.length === 0) process.nextTick(() => queryAsTenant(this.client, this.organization_id, this.#queue.splice(0)));
      this.#queue.push({ statement, resolve, reject });
    });
  }
}

/** A Kysely dialect over exactly one connection, whose transaction is begun and ended by `Database`. */
export function dialectOf(connection: WorkConnection): Dialect {
  const refuse = async (): Promise<never> => {
    throw new Error('Nested transactions are not supported: Database begins and ends the transaction');
  };
  const driver: Driver = {
    init: async () => undefined,
    acquireConnection: async () => connection,
    releaseConnection: async () => undefined,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: refuse,
  };
  return {
    createDriver: () => driver,
    createAdapter: () => adapter,
    createQueryCompiler: () => compiler,
    createIntrospector: (db) => new PostgresIntrospector(db),
  };
}
