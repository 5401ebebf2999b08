import pg from 'pg';
import { serialize } from 'pg-protocol';
import { types } from './values';

/** A statement as it is sent. With a name, it is prepared on the connection at its first use. */
export interface Statement {
  name?: string | undefined;
  text: string;
  values?: unknown[];
}

export interface StatementResult {
  command: string;
  rowCount: number | null;
  rows: unknown[];
}

/** The parts of pg's connection and query that its types do not declare. */
interface Connection {
  stream: { writable: boolean; write(bytes: Buffer): boolean };
  /** Texts of the statements that the connection has prepared, by name, and of those whose preparation was sent. */
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
}
interface QueryInternals {
  name: string | undefined;
  text: string;
  callback: ((error: unknown) => void) | undefined;
}
const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;
const empty = {};

/** How to read the rows of a statement. */
class Columns {
  readonly #names: string[];
  readonly #parsers: ((text: string) => unknown)[];
  /** A row of nulls. */
  readonly #template: Record<string, unknown>;

  constructor(fields: { name: string; dataTypeID: number }[]) {
    this.#names = fields.map(({ name }) => name);
    this.#parsers = fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID) as (text: string) => unknown);
    this.#template = Object.fromEntries(this.#names.map((name) => [name, null]));
  }

  rowOf(texts: readonly (string | null)[]): Record<string, unknown> {
    const row = { ...this.#template };
    for (let i = 0; i < texts.length; i += 1) {
      const text = texts[i];
      if (typeof text === 'string') row[this.#names[i]!] = this.#parsers[i]!(text);
    }
    return row;
  }
}

/** The columns of the statements that a connection has prepared: the server rejects a statement whose columns have changed. */
const columnsOf = new WeakMap<Connection, Map<string, Columns | undefined>>();

function knownColumns(connection: Connection): Map<string, Columns | undefined> {
  let known = columnsOf.get(connection);
  if (known === undefined) columnsOf.set(connection, (known = new Map<string, Columns | undefined>()));
  return known;
}

/** `submitted` are the statements that this batch prepares. */
function messagesOf({ name = '', text, values = [] }: Statement, connection: Connection, submitted: Map<string, string>): Buffer[] {
  const messages: Buffer[] = [];
  const isKnown = name in connection.parsedStatements || name in connection.submittedNamedStatements || submitted.has(name);
  if (name === '' || !isKnown) messages.push(serialize.parse({ name, text }));
  if (name !== '' && !isKnown) submitted.set(name, text);
  messages.push(serialize.bind({ statement: name, values, valueMapper: prepareValue }));
  if (!knownColumns(connection).has(name)) messages.push(serialize.describe({ type: 'P' }));
  messages.push(serialize.execute(empty));
  return messages;
}

/**
 * Statements that share one `Sync`: one packet in each direction. In PostgreSQL's extended protocol, they are one implicit transaction, unless
 * one of them is `begin`. If one fails, the server skips the others.
 */
export class StatementBatch extends pg.Query {
  readonly #results: StatementResult[] = [];
  #columns: Columns | undefined;
  #rows: unknown[] = [];
  #connection: Connection | undefined;
  #failure: unknown;

  constructor(
    private readonly statements: readonly Statement[],
    /** Called once with the results of the first statements, up to one that failed, and the error of that one. */
    settle: (results: readonly StatementResult[], error: unknown) => void,
  ) {
    super('', undefined, ((error: unknown) => settle(this.#failure === undefined ? this.#results : [], error)) as never);
    // 'extended' even for statements without values, which pg would otherwise send with another protocol.
    Object.assign(this, { queryMode: 'extended' });
  }

  get #internals(): QueryInternals {
    return this as unknown as QueryInternals;
  }

  /** Called by pg to send the statements. */
  prepare(connection: Connection): void {
    this.#connection = connection;
    const submitted = new Map<string, string>();
    const messages: Buffer[] = [];
    try {
      for (const statement of this.statements) messages.push(...messagesOf(statement, connection, submitted));
      Object.assign(connection.submittedNamedStatements, Object.fromEntries(submitted));
    } catch (error) {
      // A value cannot be sent. The server answers the `Sync`, as pg expects.
      this.#failure = error;
      messages.length = 0;
    }
    messages.push(serialize.sync());
    if (connection.stream.writable) connection.stream.write(Buffer.concat(messages));
    this.#next();
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#columns = new Columns(fields);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#failure !== undefined) return;
    try {
      this.#rows.push(this.#columns!.rowOf(fields));
    } catch (error) {
      this.#failure = error;
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { name } = this.#internals;
    if (name) knownColumns(this.#connection!).set(name, this.#columns);
    const words = text.split(' ');
    const count = words.length > 1 ? Number(words.at(-1)) : null;
    this.#results.push({ command: words[0]!, rowCount: count, rows: this.#rows });
    this.#next();
  }

  handleError(error: unknown): void {
    for (const { name } of this.statements.slice(this.#results.length)) if (name) delete this.#connection?.submittedNamedStatements[name];
    this.#settle(error);
  }

  handleReadyForQuery(): void {
    this.#settle(this.#failure);
  }

  /** Expects the messages of the next statement. pg notes the preparation of the query's name. */
  #next(): void {
    const { name, text = '' } = this.statements[this.#results.length] ?? {};
    this.#rows = [];
    this.#columns = name ? knownColumns(this.#connection!).get(name) : undefined;
    Object.assign(this.#internals, { name, text });
  }

  #settle(error: unknown): void {
    const { callback } = this.#internals;
    this.#internals.callback = () => undefined;
    callback?.(error);
  }
}
