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
import { queryAsTenant, sendTogether } from './tenant-query';
import { configOf } from './prepared';

const adapter = new PostgresAdapter();
const compiler = new PostgresQueryCompiler();

const hasEnded = () => new Error('This transaction has ended. One of its queries was not awaited.');

function resultOf<R>({ command, rowCount, rows }: pg.QueryResult): QueryResult<R> {
  const changes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE';
  return { rows: rows as R[], ...(changes ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) };
}

/** A connection for the queries of one caller; after `end()` none is accepted. */
export abstract class WorkConnection implements DatabaseConnection {
  #last: Promise<unknown> = Promise.resolve();
  #ended = false;
  #sent = 0;

  constructor(protected readonly client: pg.PoolClient) {}

  /** Sends the query; the connection is pipelined, so it runs after the ones before it. */
  protected abstract send(query: CompiledQuery, isPrepared: boolean): Promise<pg.QueryResult>;

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

  /** Sends the query before it returns. */
  async execute<R>(query: CompiledQuery, isPrepared: boolean): Promise<QueryResult<R>> {
    // After the work, the connection may already serve another organization, so a late query must not run on it.
    if (this.#ended) throw hasEnded();
    this.#sent += 1;
    sendTogether(this.client);
    const result = this.send(query, isPrepared);
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

/** Sends the statements that begin a transaction together with its first query. */
export type Begin = (client: pg.PoolClient, query: pg.QueryConfig) => Promise<pg.QueryResult>;

/** The connection of one transaction, which begins with its first query. */
export class TransactionConnection extends WorkConnection {
  #hasBegun = false;

  constructor(
    client: pg.PoolClient,
    private readonly begin: Begin,
  ) {
    super(client);
  }

  /** Whether there is a transaction to commit or to roll back. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  protected override translated(error: unknown): unknown {
    return translatedWrite(error);
  }

  protected send(query: CompiledQuery, isPrepared: boolean): Promise<pg.QueryResult> {
    const config = configOf(this.client, query, isPrepared);
    if (this.#hasBegun) return this.client.query(config);
    this.#hasBegun = true;
    return this.begin(this.client, config);
  }
}

/** A connection on which each query is a separate transaction, for one organization and read-only. */
export class ReadConnection extends WorkConnection {
  constructor(
    client: pg.PoolClient,
    private readonly organization_id: string,
    private readonly arePrepared: boolean,
  ) {
    super(client);
  }

  protected send(query: CompiledQuery, isPrepared: boolean): Promise<pg.QueryResult> {
    return queryAsTenant(this.client, this.organization_id, configOf(this.client, query, isPrepared || this.arePrepared));
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
