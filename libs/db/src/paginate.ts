import { AppError, totalCap, type Page } from '@tandem/contracts';
import { sql, type SelectQueryBuilder } from 'kysely';
import type { Tx } from './database';

/** Beyond this row, an offset would make the database read too many rows: callers continue with the cursor. */
export const offsetCap = 10_000;

type CursorValue = string | number | null;

/** Encodes an opaque list position for `decodeCursor`. Not a secret, and not a permission: the query that continues from it checks both. */
export const encodeCursor = (values: CursorValue[]): string => Buffer.from(JSON.stringify(values)).toString('base64url');

/** The `n` values of a cursor; anything else is `request.invalid` for the field `cursor`. */
export function decodeCursor(cursor: string, n: number): CursorValue[] {
  let values: unknown;
  try {
    values = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch (error) {
    throw invalid('cursor', 'This cursor belongs to another list', error);
  }
  const isCursor =
    Array.isArray(values) &&
    values.length === n &&
    values.every((value) => value === null || typeof value === 'string' || typeof value === 'number');
  if (!isCursor) throw invalid('cursor', 'This cursor belongs to another list');
  return values as CursorValue[];
}

export interface PageOptions {
  /** From `PageQuery`: `cursor` takes precedence over `page`; without both, page 1 is returned. */
  page?: number | undefined;
  cursor?: string | undefined;
  limit: number;
  /** Columns that are never null and together unique, qualified where the query joins; default `['created_at', 'id']`. */
  orderBy?: readonly string[];
  /** The direction of all `orderBy` columns; default `desc`. */
  direction?: 'asc' | 'desc';
  /** The query's row count, if the caller knows or reads it; then no count query runs. */
  total?: number | Promise<number> | undefined;
}

/**
 * Returns one page of a query that has no order, limit or offset yet, with the total (exact to `totalCap`) and the cursor of the
 * next page. Paging by cursor never skips or repeats a row while rows are added and deleted, at any depth; page numbers work down to row 10,000.
 */
export async function paginate<S, DB, TB extends keyof DB, O>(
  tx: Tx<S>,
  query: SelectQueryBuilder<DB, TB, O>,
  options: PageOptions,
): Promise<Page<O>> {
  const read = (rows: number, offset: number) => pageQuery(query, options).limit(rows).offset(offset).execute();
  return readPage(read, () => countToCap(tx, query), options);
}

type PageRow<O> = O & Record<string, unknown>;
const columnsOf = ({ orderBy = ['created_at', 'id'] }: Pick<PageOptions, 'orderBy'>) => orderBy.map((column) => sql.ref(column));

/** The query of `paginate`, without its limit and offset. */
export function pageQuery<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  options: Pick<PageOptions, 'cursor' | 'orderBy' | 'direction'>,
): SelectQueryBuilder<DB, TB, PageRow<O>> {
  const { cursor, direction = 'desc' } = options;
  const columns = columnsOf(options);
  let selected = query as SelectQueryBuilder<DB, TB, O & Record<string, unknown>>;
  if (cursor !== undefined) {
    const values = decodeCursor(cursor, columns.length);
    // A comparison with null matches no row, so a wrong cursor would look like the end of the list.
    if (values.includes(null)) throw invalid('cursor', 'This cursor belongs to another list');
    selected = selected.where(after(columns, direction, values));
  }
  // Selected as text: timestamps are read with milliseconds only, and a cursor must not lose the microseconds.
  columns.forEach((column, i) => (selected = selected.select(sql<string>`${column}::text`.as(cursorColumn(i))) as typeof selected));
  for (const column of columns) selected = selected.orderBy(column, direction);
  return selected;
}

/** Like `paginate`, for a page whose rows `read` returns: those of `pageQuery`. `count` is called only if `total` is not set. */
export async function readPage<O>(
  read: (rows: number, offset: number) => Promise<PageRow<O>[]>,
  count: () => Promise<number>,
  options: PageOptions,
): Promise<Page<O>> {
  const { limit, cursor } = options;
  const page = cursor === undefined ? (options.page ?? 1) : null;
  const offset = page === null ? 0 : (page - 1) * limit;
  if (offset + limit > offsetCap && offset > 0) throw invalid('page', 'Page too deep. Continue with the cursor of the previous page.');
  const columns = columnsOf(options);
  const rows = await run(cursor, () => read(limit + 1, offset) as Promise<Record<string, unknown>[]>);

  const last = rows.length > limit ? rows[limit - 1] : undefined;
  const next_cursor = last ? encodeCursor(columns.map((_, i) => last[cursorColumn(i)] as string)) : null;
  const items = rows.slice(0, limit).map((row) => {
    columns.forEach((_, i) => delete row[cursorColumn(i)]);
    return row as O;
  });
  // A last page that was requested by its number implies the total.
  const isLast = page !== null && rows.length <= limit && (rows.length > 0 || offset === 0);
  const total = isLast ? { total: offset + rows.length } : capped((await options.total) ?? (await count()));
  return { items, pagination: { page, limit, ...total, next_cursor } };
}

const cursorColumn = (i: number) => `_cursor_${i}`;

function after(columns: ReturnType<typeof sql.ref>[], direction: 'asc' | 'desc', values: CursorValue[]) {
  // A row comparison, which PostgreSQL runs as one range of the index that leads with these columns.
  return sql<boolean>`(${sql.join(columns)}) ${sql.raw(direction === 'desc' ? '<' : '>')} (${sql.join(values)})`;
}

const capped = (count: number) => (count > totalCap ? { total: totalCap, total_is_capped: true } : { total: count });

/** The number of rows of the query, counted to at most one beyond the cap. */
async function countToCap<S, DB, TB extends keyof DB, O>(tx: Tx<S>, query: SelectQueryBuilder<DB, TB, O>): Promise<number> {
  const rows = query
    .clearSelect()
    .select(sql`1`.as('one'))
    .limit(totalCap + 1);
  const { rows: counted } = await sql<{ count: number }>`select count(*) as count from ${rows.as('counted')}`.execute(tx);
  return counted[0]?.count ?? 0;
}

// PostgreSQL's error codes for values that this list's columns cannot have: not a date, not a UUID, not a number, a NUL byte.
const unreadable = new Set(['22007', '22008', '22P02', '22003', '22021']);

async function run<T>(cursor: string | undefined, query: () => Promise<T>): Promise<T> {
  try {
    return await query();
  } catch (error) {
    if (cursor !== undefined && unreadable.has((error as { code?: string }).code ?? ''))
      throw invalid('cursor', 'This cursor belongs to another list', error);
    throw error;
  }
}

const invalid = (path: string, message: string, cause?: unknown) =>
  new AppError('request.invalid', { fields: [{ path, code: 'invalid', message }], cause });
