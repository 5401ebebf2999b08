import { IdSet, mapConcurrently, readRows, type Row } from './api-pages';

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};
const ids = async (rows: AsyncIterable<Row>) => (await collect(rows)).map(({ id }) => id).sort((a, b) => a - b);
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** A list of pages of 10. `change` runs before each request. */
function list(rows: number[], change: (requests: number, rows: number[]) => void = () => undefined) {
  let requests = 0;
  return {
    rows,
    get requests() {
      return requests;
    },
    read: async (page: number): Promise<Row[]> => {
      requests += 1;
      change(requests, rows);
      return rows.slice((page - 1) * 10, page * 10).map((id) => ({ id }));
    },
  };
}

it('reads an unchanged list once, in its order', async () => {
  const source = list(range(1, 35));
  expect((await collect(readRows(source.read))).map(({ id }) => id)).toEqual(range(1, 35));
  // 4 pages, the empty one, and the last one again.
  expect(source.requests).toBe(6);
});

it('loses no row of an ascending list when rows before it are deleted', async () => {
  for (const deleted of [1, 5, 10, 12]) {
    const source = list(range(1, 95), (requests, rows) => {
      if (requests % 2 === 0) rows.splice(rows.indexOf(requests), requests === 4 ? deleted : 1);
    });
    expect(await ids(readRows(source.read))).toEqual(expect.arrayContaining(source.rows));
  }
  const atEnd = list(range(1, 11), (requests, rows) => {
    if (requests === 2) rows.shift();
  });
  expect(await ids(readRows(atEnd.read))).toEqual(range(1, 11));
});

it('loses no row of a list in another order when rows move to its front, and yields none twice', async () => {
  const source = list(range(1, 95).reverse(), (requests, rows) => {
    if (requests < 12) rows.unshift(...rows.splice(Math.min(requests * 7, rows.length - 1), 1));
  });
  expect(await ids(readRows(source.read))).toEqual(range(1, 95));
});

it('ends if the server ignores the page', async () => {
  expect(await ids(readRows(async () => [{ id: 1 }, { id: 2 }]))).toEqual([1, 2]);
});

it('keeps the order of items and the number of concurrent calls, and passes on the first failure', async () => {
  async function* numbers() {
    yield* range(1, 20);
  }
  let running = 0;
  let max = 0;
  const double = async (each: number) => {
    max = Math.max(max, (running += 1));
    await new Promise((done) => setImmediate(done));
    running -= 1;
    if (each === 15) throw new Error('fifteen');
    return each * 2;
  };
  const found: number[] = [];
  const all = (async () => {
    for await (const each of mapConcurrently(numbers(), 3, double)) found.push(each);
  })();
  await expect(all).rejects.toThrow('fifteen');
  expect(found).toEqual(range(1, 14).map((each) => each * 2));
  expect(max).toBe(3);
});

it('remembers ids of any size', () => {
  const set = new IdSet();
  const some = [0, 31, 32, 32_767, 32_768, 5_000_000, 2 ** 40];
  expect(some.map((id) => set.add(id))).toEqual(some.map(() => true));
  expect(some.map((id) => set.add(id))).toEqual(some.map(() => false));
  expect(set.size).toBe(some.length);
});
