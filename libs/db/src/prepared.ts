import { createHash } from 'node:crypto';
import type { CompiledQuery } from 'kysely';
import type pg from 'pg';
import type { Statement } from './statement-batch';

/** A backend keeps the plan of each prepared statement, about 100 KB for a list, until its connection is closed. */
const maxPrepared = 50;

/** Names by text; the text of another statement with the same name would be rejected by pg. */
const names = new Map<string, string>();
const maxNames = 1_000;

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `tandem_${createHash('sha256').update(text).digest('hex').slice(0, 40)}`;
    if (names.size < maxNames) names.set(text, name);
  }
  return name;
}

/** The statements that this connection has prepared. */
const preparedBy = (client: pg.ClientBase): Record<string, string> =>
  (client as unknown as { connection: { parsedStatements: Record<string, string> } }).connection.parsedStatements;

/** Connections to a pooler, behind which each transaction may run on another connection to the server. */
const unprepared = new WeakSet<pg.ClientBase>();

export const sendUnprepared = (client: pg.ClientBase): void => void unprepared.add(client);

export const isNeverPrepared = (client: pg.ClientBase): boolean => unprepared.has(client);

/**
 * The query as it is sent. If it is prepared, PostgreSQL parses it once per connection, and plans it once if a plan for all values is not worse.
 * Only for statements with a fixed text. A connection that has prepared many sends the others unprepared.
 */
export function configOf(client: pg.ClientBase, { sql, parameters }: CompiledQuery, isPrepared: boolean): Statement {
  const query = { text: sql, values: [...parameters] };
  if (!isPrepared || unprepared.has(client)) return query;
  const name = nameOf(sql);
  const prepared = preparedBy(client);
  return name in prepared || Object.keys(prepared).length < maxPrepared ? { ...query, name } : query;
}
