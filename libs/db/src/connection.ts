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
import { translated } from './errors';

const adapter = new PostgresAdapter();
const compiler = new PostgresQueryCompiler();

/** The connection of one transaction. Queries run one after another; after `end()` none is accepted. */
export class TransactionConnection implements DatabaseConnection {
  #queue: Promise<unknown> = Promise.resolve();
  #ended = false;

  constructor(private readonly client: pg.PoolClient) {}

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // After the transaction the connection may already serve another organization, so a late query must not run on it.
    if (this.#ended) throw new Error('This transaction has ended. One of its queries was not awaited.');
    // pg accepts one query at a time per connection, so queries are queued; callers may still use `Promise.all` inside a transaction.
    const result = this.#queue.then(() => this.client.query(query.sql, [...query.parameters]));
    this.#queue = result.catch(() => undefined);
    try {
      const { command, rowCount, rows } = await result;
      const changes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE' || command === 'MERGE';
      return { rows: rows as R[], ...(changes ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}) };
    } catch (error) {
      throw translated(error);
    }
  }

  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not supported: read pages');
  }

  /** Accepts no more queries; resolves when the pending ones have settled. */
  async end(): Promise<void> {
    this.#ended = true;
    await this.#queue;
  }
}

/** A Kysely dialect over exactly one connection, whose transaction is begun and ended by `Database`. */
export function dialectOf(connection: TransactionConnection): Dialect {
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
