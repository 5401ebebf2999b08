import pg from 'pg';
import { isNeverPrepared } from './prepared';

/** The parts of pg's connection and query that its types do not declare. */
interface Wire {
  stream: { cork(): void; uncork(): void };
  /** Names and texts of the statements that the connection has prepared. */
  parsedStatements: Record<string, string>;
  parse(config: { name: string; text: string; types: number[] }): void;
  bind(config: { portal: string; statement: string; values: string[] }): void;
  execute(config: { portal: string; rows: number }): void;
  sync(): void;
}
interface QueryInternals {
  prepare(connection: Wire): void;
  handleDataRow(message: DataRow): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
}
interface DataRow {
  fields: (string | null)[];
}
const inherited = pg.Query.prototype as unknown as QueryInternals;
const wireOf = (client: pg.ClientBase): Wire => (client as unknown as { connection: Wire }).connection;

/** Sends what is written until the end of the current microtasks in one packet: all queries of a `Promise.all`, for example. */
export function sendTogether(client: pg.ClientBase): void {
  const { stream } = wireOf(client);
  stream.cork();
  process.nextTick(() => stream.uncork());
}

interface Statement {
  name: string;
  text: string;
}
const readOrganization: Statement = {
  name: 'tandem_read_organization',
  text: `select set_config('app.organization_id', $1, true), set_config('transaction_read_only', 'on', true)`,
};
const begin: Statement = { name: 'tandem_begin', text: 'begin' };
const enterOrganization: Statement = {
  name: 'tandem_enter_organization',
  text: `select set_config('app.organization_id', $1, true)`,
};
/** A transaction that wrote or locked a row has an id. */
const hasWritten: Statement = {
  name: 'tandem_has_written',
  text: 'select pg_current_xact_id_if_assigned() is not null',
};
const commit: Statement = { name: 'tandem_commit', text: 'commit' };
const prepared = [readOrganization, begin, enterOrganization, hasWritten, commit];

/** Prepares statements without running them. */
class Preparation extends pg.Query {
  constructor(callback: (error: Error | undefined) => void) {
    super({ text: '', queryMode: 'extended' } as pg.QueryConfig, callback as never);
  }

  prepare(connection: Wire): void {
    for (const { name, text } of prepared) {
      connection.parse({ name, text, types: [] });
      connection.parsedStatements[name] = text;
    }
    connection.sync();
  }
}

/** Prepares a new connection for the queries of organizations. Queries that are submitted later run after it. */
export function prepareForTenants(client: pg.ClientBase): void {
  // If it fails, the first query fails too, and its caller discards the connection.
  client.query(new Preparation(() => undefined));
}

/** The error of a connection whose prepared statements no longer exist. */
export const isUnprepared = (error: unknown): boolean => (error as { code?: unknown }).code === '26000';

type Leading = [statement: Statement, ...values: string[]];

/**
 * A query with statements that are sent before it, before the same `Sync`. If one of them fails, the server skips the rest. In PostgreSQL's
 * extended protocol, everything before a `Sync` is one implicit transaction, unless one of the statements is `begin`.
 */
class LedQuery extends pg.Query {
  #skipped = 0;
  /** The first column of the last row of the leading statements. */
  leadingValue: string | null = null;

  constructor(
    private readonly leading: readonly Leading[],
    private readonly isNeverPrepared: boolean,
    query: pg.QueryConfig,
    callback: (error: Error | undefined, result: pg.QueryResult) => void,
  ) {
    // Not as one object: pg would copy its property descriptors, which takes longer than the rest of the constructor.
    super(query.text as never, query.values as never, callback as never);
    // 'extended' even for queries without values, which pg would otherwise send with another protocol.
    Object.assign(this, { name: query.name, queryMode: 'extended' });
  }

  prepare(connection: Wire): void {
    for (const [{ name, text }, ...values] of this.leading) {
      const statement = this.isNeverPrepared ? '' : name;
      if (this.isNeverPrepared) connection.parse({ name: statement, text, types: [] });
      connection.bind({ portal: '', statement, values });
      connection.execute({ portal: '', rows: 0 });
    }
    inherited.prepare.call(this, connection);
  }

  handleDataRow(message: DataRow): void {
    if (this.#skipped === this.leading.length) inherited.handleDataRow.call(this, message);
    else this.leadingValue = message.fields[0] ?? null;
  }

  handleCommandComplete(message: unknown, connection: Wire): void {
    if (this.#skipped === this.leading.length) inherited.handleCommandComplete.call(this, message, connection);
    else this.#skipped += 1;
  }
}

function send(
  client: pg.ClientBase,
  leading: Leading[],
  query: pg.QueryConfig,
): Promise<{ result: pg.QueryResult; leadingValue: string | null }> {
  return new Promise((resolve, reject) => {
    const led: LedQuery = new LedQuery(leading, isNeverPrepared(client), query, (error, result) =>
      error ? reject(error) : resolve({ result, leadingValue: led.leadingValue }),
    );
    client.query(led);
  });
}

/** A query of one organization in one round trip, as a read-only transaction of its own. */
export const queryAsTenant = async (client: pg.ClientBase, organization_id: string, query: pg.QueryConfig): Promise<pg.QueryResult> =>
  (await send(client, [[readOrganization, organization_id]], query)).result;

/** Begins a transaction of one organization with its first query. */
export const beginAsTenant = async (client: pg.ClientBase, organization_id: string, query: pg.QueryConfig): Promise<pg.QueryResult> =>
  (await send(client, [[begin], [enterOrganization, organization_id]], query)).result;

/** Commits, and returns whether the transaction may have changed rows, from the same round trip. */
export async function commitDetectingWrites(client: pg.ClientBase): Promise<boolean> {
  const query = isNeverPrepared(client) ? { text: commit.text } : commit;
  const { leadingValue } = await send(client, [[hasWritten]], query);
  return leadingValue === 't';
}
