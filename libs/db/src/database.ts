import { AppError } from '@tandem/contracts';
import { Kysely, type CompiledQuery, type QueryResult, type RawBuilder } from 'kysely';
import pg from 'pg';
import { dialectOf, ReadConnection, TransactionConnection } from './connection';
import { DatabaseFull, DatabaseUnavailable, isUnavailable, translated } from './errors';
import type { PlatformTables } from './tables';
import { sendUnprepared } from './prepared';
import { ServerWatch } from './server-watch';
import { isUnprepared, prepareForTenants, systemFrame, tenantFrame, type Frame } from './tenant-query';
import { types } from './values';

declare const transaction: unique symbol;
/**
 * An open transaction on the service's tables `S` and the platform's. Only `Database` creates one, so a query outside
 * a transaction, or outside an organization, does not compile. It accepts no queries once the work that received it has ended.
 */
export type Tx<S = object> = Kysely<S & PlatformTables> & { readonly [transaction]: true };

export interface DatabaseOptions {
  /**
   * Connection string with the service's login role, which owns nothing. With `?pgbouncer=true`, transactions may run on different connections
   * to the server: nothing is prepared, and no parameter is set at the start of a connection.
   */
  url: string;
  /** Maximum number of connections; default 10. */
  max?: number;
  /** Shown in `pg_stat_activity`. */
  applicationName?: string;
  /** Statements are canceled after this many milliseconds; default 10,000. */
  statementTimeoutMs?: number;
  /** Called with errors that have no caller: a lost idle connection, a listener that threw. Default: a process warning. */
  onError?: (what: string, error: unknown) => void;
  /** Called when PostgreSQL refuses a write because its disk is full. */
  onFull?: () => void;
  /**
   * Called, and awaited, after each transaction that has written rows of an organization, before its caller continues, and also after one
   * whose commit may have succeeded although its response was lost. It must not throw.
   */
  afterTenantWrite?: (organization_id: string) => Promise<void>;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
interface OpenTransaction {
  connection: TransactionConnection;
  /** Sent together with the commit. */
  statements: { query: CompiledQuery; onRows: ((rows: never[]) => void) | undefined; isVisible: boolean }[];
  hooks: (() => void)[];
  /** Called if the transaction does not commit. */
  undo: (() => void)[];
  /** Whether the transaction may have changed rows. Set by the commit, and only if `afterTenantWrite` needs it. */
  hasWritten: boolean;
  /** The number of statements, from the first, whose changes no client can see. */
  ignored: number;
}
const openTransactions = new WeakMap<object, OpenTransaction>();

function openTransaction(tx: object): OpenTransaction {
  const open = openTransactions.get(tx);
  if (!open) throw new Error('This needs an open transaction of Database');
  return open;
}

/**
 * Declares that the transaction has changed nothing yet that a client can see, although it may have written, such as the inbox row of an event
 * that needs no work: `afterTenantWrite` is called only if other statements follow.
 */
export function ignoreWritesSoFar<S>(tx: Tx<S>): void {
  const open = openTransaction(tx);
  open.ignored = open.connection.sent;
}

const changesNothingVisible = ({ ignored, connection, statements }: OpenTransaction): boolean =>
  ignored === connection.sent && !statements.some(({ isVisible }) => isVisible);

/** Runs `work` once the transaction has committed; on rollback `work` is dropped. Errors thrown by `work` go to `onError` only. */
export function afterCommit<S>(tx: Tx<S>, work: () => void): void {
  openTransaction(tx).hooks.push(work);
}

/** Runs `work` if the transaction does not commit, or if it is not known whether it has. Errors thrown by `work` go to `onError` only. */
export function afterRollback<S>(tx: Tx<S>, work: () => void): void {
  openTransaction(tx).undo.push(work);
}

/**
 * Runs the statement at the end of the transaction, in the same round trip as its commit: rows that it locks are locked for no longer than
 * the server takes. If it fails, so does the transaction. `onRows` must not throw: the commit has been sent then. The statement is prepared,
 * see `executePrepared`. With `isVisible: false`, it changes nothing that a client can see (`ignoreWritesSoFar`).
 */
export function beforeCommit<S, R>(
  tx: Tx<S>,
  statement: RawBuilder<R>,
  { onRows, isVisible = true }: { onRows?: (rows: R[]) => void; isVisible?: boolean } = {},
): void {
  openTransaction(tx).statements.push({ query: statement.compile(tx), onRows, isVisible });
}

/**
 * Runs a statement with a fixed text that PostgreSQL parses once per connection, and plans once for all values if that is not worse. Only
 * for statements whose best plan is the same for small and large organizations.
 */
export async function executePrepared<S, R>(tx: Tx<S>, statement: CompiledQuery<R>): Promise<QueryResult<R>> {
  return openTransaction(tx).connection.execute<R>(statement, true);
}

/**
 * Runs a statement whose result is not used, in the same round trip as the next one of the transaction, or as its commit. Later statements
 * see its changes. If it fails, so does the transaction, with its error. The statement is prepared, see `executePrepared`.
 */
export function withNext<S>(tx: Tx<S>, statement: CompiledQuery): void {
  openTransaction(tx).connection.defer(statement);
}

/** The only way to query a service's database. Every statement runs in a transaction for one organization, or as the system. */
export class Database<S = object> {
  readonly #pool: pg.Pool;
  readonly #listeners = new Set<(tx: object) => void>();
  readonly #onError: (what: string, error: unknown) => void;
  readonly #onFull: () => void;
  readonly #afterTenantWrite: DatabaseOptions['afterTenantWrite'];
  readonly #watch: ServerWatch;
  #closing: Promise<void> | undefined;

  constructor(options: DatabaseOptions) {
    const statementTimeoutMs = options.statementTimeoutMs ?? 10_000;
    this.#afterTenantWrite = options.afterTenantWrite;
    this.#onError =
      options.onError ?? ((what, error) => process.emitWarning(`${what}: ${error instanceof Error ? error.message : String(error)}`));
    this.#onFull = options.onFull ?? (() => undefined);
    const isPooled = isPooledUrl(options.url);
    const connection: pg.PoolConfig = {
      connectionString: options.url,
      application_name: options.applicationName ?? 'tandem',
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // The server's error response to a statement that timed out can itself be lost: do not wait forever.
      query_timeout: statementTimeoutMs + 5_000,
      // A pooler refuses these: its connections have the timeouts of the role (`provision`).
      ...(isPooled
        ? {}
        : {
            statement_timeout: statementTimeoutMs,
            // A process that hangs inside a transaction must not hold its locks.
            idle_in_transaction_session_timeout: 60_000,
          }),
    };
    this.#pool = new pg.Pool({
      ...connection,
      max: options.max ?? 10,
      // A caller that waits longer for a connection should rather get a 503.
      connectionTimeoutMillis: 5_000,
      // A new connection costs several milliseconds of both processors, and has to parse and plan all statements again: not at every burst. One
      // that is kept needs 4 to 8 MB of PostgreSQL, mostly for the plans of its statements.
      min: 2,
      idleTimeoutMillis: 15_000,
      // Queries are sent without waiting for the results of the ones before them.
      pipeline: true,
      types,
    });
    // Without these two listeners a killed PostgreSQL would end the process. The first receives errors of idle connections,
    // the second of connections in use, whose error also reaches the running query. The next call opens a new connection.
    this.#pool.on('error', (error) => this.#onError('An idle database connection was lost', error));
    this.#pool.on('connect', (client) => {
      client.on('error', () => undefined);
      if (isPooled) sendUnprepared(client);
      else prepareForTenants(client);
    });
    this.#watch = new ServerWatch(this.#pool, connection);
  }

  /**
   * Runs `work` in a transaction that sees and writes rows of `ctx`'s organization only. Commits when it resolves, rolls
   * back when it throws. Throws `organization.required` without an organization, `DatabaseUnavailable` without PostgreSQL.
   */
  async forTenant<T>(ctx: { organization_id: string | null }, work: (tx: Tx<S>) => Promise<T>): Promise<T> {
    const id = organizationOf(ctx);
    const afterWrite = this.#afterTenantWrite && (() => this.#afterTenantWrite!(id));
    return this.#run(tenantFrame(id), work, afterWrite);
  }

  /**
   * Runs `work`, whose queries see rows of `ctx`'s organization only and may not write. Concurrent queries (`Promise.all`) are one transaction
   * and one round trip, in which those behind one that fails fail too; each query that follows a result is another one. Like in `forTenant`, a
   * query sees what has been committed before it began, so two queries may see different states. `isPrepared`: PostgreSQL keeps the plans of the queries, possibly one for all organizations. Only for queries
   * whose best plan is the same for small and large organizations.
   */
  async readTenant<T>(
    ctx: { organization_id: string | null },
    work: (tx: Tx<S>) => Promise<T>,
    { isPrepared = false }: { isPrepared?: boolean } = {},
  ): Promise<T> {
    const id = organizationOf(ctx);
    const client = await this.#connect();
    const connection = new ReadConnection(client, id, isPrepared);
    let isBroken = false;
    try {
      return await work(new Kysely<S & PlatformTables>({ dialect: dialectOf(connection) }) as Tx<S>);
    } catch (error) {
      isBroken = isUnavailable(error) || isLost(error) || isUnprepared(error);
      this.#reportFull(error);
      throw error;
    } finally {
      await connection.end();
      client.release(isBroken);
    }
  }

  /**
   * Runs `work` in a transaction without an organization: it sees the tables outside tenancy, and rows of those tenant
   * tables that a migration declared with `system_readable`. `reason` documents the call and appears in the server's log.
   */
  async asSystem<T>(reason: string, work: (tx: Tx<S>) => Promise<T>): Promise<T> {
    const comment = reason.replace(/[^\w .,:-]/g, ' ').trim();
    if (comment === '') throw new Error('asSystem needs a reason');
    return this.#run(systemFrame(comment), work);
  }

  /** Resolves when PostgreSQL responds; throws `DatabaseUnavailable` otherwise. */
  async ping(): Promise<void> {
    try {
      await this.#pool.query('select 1');
    } catch (error) {
      throw translated(error);
    }
  }

  /** The connections of the pool, and the callers that wait for one. */
  get connections(): { used: number; idle: number; max: number; waiting: number } {
    const { totalCount, idleCount, waitingCount, options } = this.#pool;
    // The pool queues callers for idle connections until the next tick, such as the queries of the scrape that reads this.
    return { used: totalCount - idleCount, idle: idleCount, max: options.max, waiting: Math.max(0, waitingCount - idleCount) };
  }

  /** `listener` is called with the (ended) transaction after each commit, before `afterCommit` work. Returns a function that unsubscribes. */
  onCommit(listener: (tx: object) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Waits for running transactions, then closes all connections. Repeated calls are fine. */
  close(): Promise<void> {
    this.#closing ??= Promise.all([this.#watch.close(), this.#pool.end()]).then(() => undefined);
    return this.#closing;
  }

  async #run<T>(frame: Frame, work: (tx: Tx<S>) => Promise<T>, afterWrite?: () => Promise<void>): Promise<T> {
    const client = await this.#connect();
    const connection = new TransactionConnection(client, frame);
    const tx = new Kysely<S & PlatformTables>({ dialect: dialectOf(connection) }) as Tx<S>;
    const open: OpenTransaction = { connection, statements: [], hooks: [], undo: [], hasWritten: false, ignored: 0 };
    openTransactions.set(tx, open);
    let result: T;
    try {
      result = await work(tx);
      await finish(open, afterWrite === undefined || changesNothingVisible(open) ? commit : commitAfterWrites);
    } catch (thrown) {
      const error = translated(connection.failure ?? thrown);
      openTransactions.delete(tx);
      await connection.end();
      if (!connection.hasBegun) client.release();
      else if (isLost(error) || isUnprepared(error)) client.release(true);
      else await this.#rollBack(client);
      this.#runAll(open.undo, 'Work after a rollback failed');
      if (open.hasWritten) await afterWrite?.();
      this.#reportFull(error);
      throw error;
    }
    openTransactions.delete(tx);
    client.release();
    const listeners = [...this.#listeners].map((listener) => () => listener(tx));
    this.#runAll([...listeners, ...open.hooks], 'Work after a commit failed');
    if (open.hasWritten) await afterWrite?.();
    return result;
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      throw translated(error);
    }
  }

  async #rollBack(client: pg.PoolClient): Promise<void> {
    try {
      await client.query('rollback');
      client.release();
    } catch (error) {
      // The work's own error is the one to report; a connection in an unknown state must not be used again.
      client.release(true);
      if (!isUnavailable(error)) this.#onError('A rollback failed', error);
    }
  }

  #reportFull(error: unknown): void {
    if (error instanceof DatabaseFull) this.#onFull();
  }

  #runAll(hooks: (() => void)[], failed: string): void {
    for (const hook of hooks) {
      try {
        hook();
      } catch (error) {
        this.#onError(failed, error);
      }
    }
  }
}

/** Whether the connection must not be used again. The server rolls back when it is closed. */
const isLost = (error: unknown): boolean => error instanceof DatabaseUnavailable && !(error instanceof DatabaseFull);

const isPooledUrl = (url: string): boolean => new URL(url).searchParams.get('pgbouncer') === 'true';

function organizationOf({ organization_id: id }: { organization_id: string | null }): string {
  if (id === null) throw new AppError('organization.required');
  if (typeof id !== 'string' || !uuid.test(id)) throw new Error('The organization of a context is not a UUID');
  return id;
}

type Commit = (open: OpenTransaction) => Promise<void>;

/** Sends the last statements and the commit together. Throws the error of a statement rather than the one that it causes in the commit. */
async function finish(open: OpenTransaction, commit: Commit): Promise<void> {
  const { connection, statements } = open;
  const last = statements.map(async ({ query, onRows }) => {
    const { rows } = await connection.execute(query, true);
    onRows?.(rows as never[]);
  });
  const ended = connection.end();
  const outcomes = await Promise.allSettled([...last, ended, connection.hasStatements ? commit(open) : undefined]);
  const failure = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
  if (failure) throw failure.reason;
}

const rolledBack = () => new Error('Rolled back: a statement of the transaction failed and its error was swallowed');

async function commit({ connection }: OpenTransaction): Promise<void> {
  // PostgreSQL answers ROLLBACK, without an error, when an earlier statement had failed.
  if ((await connection.commit()) !== 'COMMIT') throw rolledBack();
}

/** Statements of `beforeCommit` are writes, so PostgreSQL is asked only about transactions without them. */
async function commitAfterWrites(open: OpenTransaction): Promise<void> {
  const isWritten = open.statements.some(({ isVisible }) => isVisible);
  try {
    if (isWritten) await commit(open);
    open.hasWritten = isWritten || (await open.connection.commitDetectingWrites());
  } catch (error) {
    // 25P02: PostgreSQL has skipped the commit because an earlier statement had failed.
    if ((error as { code?: unknown }).code === '25P02') throw rolledBack();
    open.hasWritten = true; // the commit may have succeeded
    throw error;
  }
}
