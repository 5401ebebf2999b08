import pg from 'pg';
import { isNeverPrepared } from './prepared';

/** The parts of pg's connection and query that its types do not declare. */
interface Wire {
  stream: { cork(): void; uncork(): void };
  parse(config: { name: string; text: string; types: number[] }): void;
  bind(config: { portal: string; statement: string; values: string[] }): void;
  execute(config: { portal: string; rows: number }): void;
}
interface QueryInternals {
  prepare(connection: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
}
const inherited = pg.Query.prototype as unknown as QueryInternals;
const wireOf = (client: pg.ClientBase): Wire => (client as unknown as { connection: Wire }).connection;

/** Sends what is written until the end of the current microtasks in one packet: all queries of a `Promise.all`, for example. */
export function sendTogether(client: pg.ClientBase): void {
  const { stream } = wireOf(client);
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Sets the organization, and makes the transaction read-only, until the transaction ends. */
const enterOrganization = {
  name: 'tandem_enter_organization',
  text: `select set_config('app.organization_id', $1, true), set_config('transaction_read_only', 'on', true)`,
};

/** Prepares a new connection for `TenantQuery`. Queries that are submitted later run after it. */
export function prepareForTenants(client: pg.ClientBase): void {
  // If it fails, the first `TenantQuery` fails too, and its caller discards the connection.
  client.query({ ...enterOrganization, values: [''] }).catch(() => undefined);
}

/** The error of a connection whose prepared statements no longer exist. */
export const isUnprepared = (error: unknown): boolean => (error as { code?: unknown }).code === '26000';

/**
 * A query of one organization in one round trip. In PostgreSQL's extended protocol, everything before a `Sync` is one implicit transaction:
 * this sends the organization and the query before the same `Sync`. If either fails, the server skips the rest and rolls back.
 */
class TenantQuery extends pg.Query {
  #hasEntered = false;

  constructor(
    private readonly organization_id: string,
    private readonly isNeverPrepared: boolean,
    query: pg.QueryConfig,
    callback: (error: Error | undefined, result: pg.QueryResult) => void,
  ) {
    // 'extended' even for queries without values, which pg would otherwise send with another protocol.
    super({ ...query, queryMode: 'extended' } as pg.QueryConfig, callback as never);
  }

  prepare(connection: Wire): void {
    const statement = this.isNeverPrepared ? '' : enterOrganization.name;
    if (this.isNeverPrepared) connection.parse({ name: statement, text: enterOrganization.text, types: [] });
    connection.bind({ portal: '', statement, values: [this.organization_id] });
    connection.execute({ portal: '', rows: 0 });
    inherited.prepare.call(this, connection);
  }

  handleDataRow(message: unknown): void {
    if (this.#hasEntered) inherited.handleDataRow.call(this, message);
  }

  handleCommandComplete(message: unknown, connection: Wire): void {
    if (this.#hasEntered) inherited.handleCommandComplete.call(this, message, connection);
    this.#hasEntered = true;
  }
}

export function queryAsTenant(client: pg.ClientBase, organization_id: string, query: pg.QueryConfig): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const settle = (error: Error | undefined, result: pg.QueryResult) => (error ? reject(error) : resolve(result));
    client.query(new TenantQuery(organization_id, isNeverPrepared(client), query, settle));
  });
}
