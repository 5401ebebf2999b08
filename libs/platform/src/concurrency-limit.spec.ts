import { ConcurrencyLimit } from './concurrency-limit';

/** Work that ends when the test says so. */
function someWork() {
  const limit = new ConcurrencyLimit({ maxConcurrent: 3, maxWaitMs: 1_000 });
  const started: string[] = [];
  const ends = new Map<string, { end: () => void; fail: () => void }>();
  const begin = (name: string, key = 'one') =>
    limit.run(key, () => {
      started.push(name);
      return new Promise<string>((resolve, reject) =>
        ends.set(name, { end: () => resolve(name), fail: () => reject(new Error('no disk')) }),
      );
    });
  const of = (name: string) => ends.get(name)!;
  return { begin, started, of };
}

describe('the limit of concurrent work', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('starts three of a key, and the others in the order of the calls as those before them end', async () => {
    const { begin, started, of } = someWork();
    const results = ['a', 'b', 'c', 'd', 'e'].map((name) => begin(name));
    await jest.advanceTimersByTimeAsync(10);
    expect(started).toEqual(['a', 'b', 'c']);
    of('b').end();
    await jest.advanceTimersByTimeAsync(10);
    expect(started).toEqual(['a', 'b', 'c', 'd']);
    of('a').end();
    await jest.advanceTimersByTimeAsync(10);
    expect(started).toEqual(['a', 'b', 'c', 'd', 'e']);
    for (const name of ['c', 'd', 'e']) of(name).end();
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('starts the next one after one that failed', async () => {
    const { begin, started, of } = someWork();
    const [failing] = ['a', 'b', 'c', 'd'].map((name) => begin(name));
    await jest.advanceTimersByTimeAsync(10);
    of('a').fail();
    await expect(failing).rejects.toThrow('no disk');
    await jest.advanceTimersByTimeAsync(0);
    expect(started).toEqual(['a', 'b', 'c', 'd']);
  });

  it('does not delay the work of another key', async () => {
    const { begin, started } = someWork();
    for (const name of ['a', 'b', 'c', 'd']) void begin(name);
    void begin('e', 'two');
    await jest.advanceTimersByTimeAsync(10);
    expect(started).toEqual(['a', 'b', 'c', 'e']);
  });

  it('starts one that has waited for a second although the ones before it still run', async () => {
    const { begin, started, of } = someWork();
    for (const name of ['a', 'b', 'c', 'd']) void begin(name);
    await jest.advanceTimersByTimeAsync(999);
    expect(started).toEqual(['a', 'b', 'c']);
    await jest.advanceTimersByTimeAsync(1);
    expect(started).toEqual(['a', 'b', 'c', 'd']);
    void begin('e');
    of('a').end();
    await jest.advanceTimersByTimeAsync(10);
    expect(started).toEqual(['a', 'b', 'c', 'd']);
    of('b').end();
    await jest.advanceTimersByTimeAsync(10);
    expect(started).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('starts three again once all have ended', async () => {
    const { begin, started, of } = someWork();
    const results = ['a', 'b', 'c', 'd'].map((name) => begin(name));
    await jest.advanceTimersByTimeAsync(1_000);
    for (const name of ['a', 'b', 'c', 'd']) of(name).end();
    await Promise.all(results);
    for (const name of ['e', 'f', 'g', 'h']) void begin(name);
    await jest.advanceTimersByTimeAsync(10);
    expect(started).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });
});
