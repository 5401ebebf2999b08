/** Lists of another product's API, read page by page while people keep working in it. */

export interface Row {
  id: number;
}

/** A page by its number, from 1; empty after the last one. */
export type ReadPage<T> = (page: number) => Promise<T[]>;

const maxPasses = 4;
const maxRepeats = 3;

/** Ids that were read: a bit per id in blocks of 4 KB, because the ids of millions of tickets in a `Set` take hundreds of megabytes. */
export class IdSet {
  readonly #blocks = new Map<number, Uint32Array>();
  size = 0;

  /** Whether it was not in the set. `id`: an integer, 0 or greater. */
  add(id: number): boolean {
    const number = Math.floor(id / 32_768);
    let block = this.#blocks.get(number);
    if (!block) this.#blocks.set(number, (block = new Uint32Array(1_024)));
    const bit = id % 32_768;
    const mask = 1 << (bit % 32);
    const word = block[bit >> 5]!;
    if ((word & mask) !== 0) return false;
    block[bit >> 5] = word | mask;
    this.size += 1;
    return true;
  }
}

/**
 * The pages of a list; the next one is requested while the caller works with the current one. Ends after an empty page, or after the same
 * page three times in a row: the server does not know the parameter `page`. (Twice can happen if rows move by exactly one page.)
 */
export async function* readPages<T extends Row>(read: ReadPage<T>): AsyncGenerator<T[]> {
  let next = read(1);
  let previous: T[] = [];
  let repeats = 0;
  for (let page = 1; ; page += 1) {
    const rows = await next;
    repeats = isSamePage(rows, previous) ? repeats + 1 : 1;
    if (rows.length === 0 || repeats >= maxRepeats) return;
    next = read(page + 1);
    // It is awaited in the next round, unless the caller stops earlier.
    next.catch(() => undefined);
    yield rows;
    previous = rows;
  }
}

const isSamePage = (rows: Row[], previous: Row[]): boolean =>
  rows.length === previous.length && rows.every(({ id }, index) => id === previous[index]!.id);

/**
 * Each row of a list once, even if rows move between pages in the meantime.
 *
 * - If pages are in ascending order of ids, only a deletion moves rows, to the page before. A row that was missed that way has an id between
 *   those of two pages. Where two pages do not follow each other, the page before is read again.
 * - In any other order, the whole list is read again until it has no new row, at most 4 times.
 */
export async function* readRows<T extends Row>(read: ReadPage<T>): AsyncGenerator<T> {
  const seen = new IdSet();
  for (let pass = 1; pass <= maxPasses; pass += 1) {
    const before = seen.size;
    const isAscending = yield* readOnce(read, seen);
    if (isAscending || seen.size === before) return;
  }
}

/** One pass. Returns whether the pages were in ascending order. */
async function* readOnce<T extends Row>(read: ReadPage<T>, seen: IdSet): AsyncGenerator<T, boolean> {
  let isAscending = true;
  let last: number | undefined;
  let page = 0;
  for await (const rows of readPages(read)) {
    page += 1;
    const first = Math.min(...rows.map(({ id }) => id));
    isAscending &&= rows.length === 1 || rows[0]!.id < rows.at(-1)!.id;
    isAscending &&= last === undefined || first > last;
    if (isAscending && last !== undefined && first !== last + 1) yield* readAgain(read, page - 1, seen);
    for (const row of rows) if (seen.add(row.id)) yield row;
    last = Math.max(...rows.map(({ id }) => id));
  }
  // The last row can have moved from the page after the last one.
  if (isAscending && page > 0) yield* readAgain(read, page, seen);
  return isAscending;
}

/** New rows of a page; if all of its rows are new, those of the page before as well. */
async function* readAgain<T extends Row>(read: ReadPage<T>, from: number, seen: IdSet): AsyncGenerator<T> {
  for (let page = from; page >= 1; page -= 1) {
    const rows = await read(page);
    const fresh = rows.filter(({ id }) => seen.add(id));
    yield* fresh;
    if (fresh.length < rows.length || rows.length === 0) return;
  }
}

/** Maps items with up to `concurrency` calls at a time. Yields the results in the order of the items; memory is bounded by `concurrency`. */
export async function* mapConcurrently<T, R>(
  items: AsyncGenerator<T>,
  concurrency: number,
  map: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const pending: Promise<R>[] = [];
  let isDone = false;
  try {
    for (;;) {
      while (!isDone && pending.length < concurrency) {
        const next = await items.next();
        isDone = next.done === true;
        if (next.done) break;
        const result = map(next.value);
        // It is awaited below, unless an earlier one fails.
        result.catch(() => undefined);
        pending.push(result);
      }
      const first = pending.shift();
      if (!first) return;
      yield await first;
    }
  } finally {
    await items.return(undefined);
  }
}
