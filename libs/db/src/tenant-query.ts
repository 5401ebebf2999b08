import pg from 'pg';
import { isUnavailable } from './errors';
import { isNeverPrepared } from './prepared';
import { StatementBatch, type Statement, type StatementResult } from './statement-batch';

/** The parts of pg's connection that its types do not declare. */
interface Wire {
  /** Names and texts of the statements that the connection has prepared. */
  parsedStatements: Record<string, string>;
  parse(config: { name: string; text: string; types: number[] }): void;
  sync(): void;
}

const readOrganization = {
  name: 'tandem_read_organization',
  text: `select set_config('app.organization_id', $1, true), set_config('transaction_read_only', 'on', true)`,
};
const begin = { name: 'tandem_begin', text: 'begin' };
const enterOrganization = {
  name: 'tandem_enter_organization',
  text: `select set_config('app.organization_id', $1, true)`,
};
const enterSystem = { name: 'tandem_enter_system', text: `select set_config('app.system', 'on', true)` };
/** A transaction that wrote or locked a row has an id. */
export const hasWritten = {
  name: 'tandem_has_written',
  text: 'select pg_current_xact_id_if_assigned() is not null as has_written',
};
const commit = { name: 'tandem_commit', text: 'commit' };
const prepared = [readOrganization, begin, enterOrganization, enterSystem, hasWritten, commit];

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

/** The statements before those of a transaction, and the last one. */
export interface Frame {
  begin: readonly Statement[];
  commit: Statement;
}

export const tenantFrame = (organization_id: string): Frame => ({
  begin: [begin, { ...enterOrganization, values: [organization_id] }],
  commit,
});

/** `comment` appears in the server's log. */
export const systemFrame = (comment: string): Frame => ({
  begin: [{ text: `begin /* ${comment} */` }, enterSystem],
  commit: { text: commit.text },
});

export interface Queued {
  statement: Statement;
  resolve: (result: StatementResult) => void;
  reject: (error: unknown) => void;
}

/** An error like the server's for a statement after one that has failed. */
const skipped = () => Object.assign(new Error('Skipped, because an earlier statement of the transaction failed'), { code: '25P02' });

/** Sends statements with one `Sync`, after `leading` ones without a result. After one that fails, the server skips the others. */
export function sendBatch(client: pg.ClientBase, leading: readonly Statement[], queued: readonly Queued[]): void {
  const all = [...leading, ...queued.map(({ statement }) => statement)];
  const statements = isNeverPrepared(client) ? all.map(({ text, values = [] }) => ({ text, values })) : all;
  const batch = new StatementBatch(statements, (results, error) => {
    const done = Math.max(0, results.length - leading.length);
    queued.slice(0, done).forEach(({ resolve }, i) => resolve(results[leading.length + i]!));
    const [failed, ...others] = queued.slice(done);
    failed?.reject(error);
    for (const { reject } of others) reject(error instanceof pg.DatabaseError && !isUnavailable(error) ? skipped() : error);
  });
  client.query(batch);
}

/** Queries of one organization in one round trip, as one read-only transaction. */
export const queryAsTenant = (client: pg.ClientBase, organization_id: string, queued: readonly Queued[]): void =>
  sendBatch(client, [{ ...readOrganization, values: [organization_id] }], queued);
