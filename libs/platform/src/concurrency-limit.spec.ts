import { CreateLimit } from './create-limit';

/** Creates that end when the test says so. */
function creates() {
  const limit = new CreateLimit();
  const started: string[] = [];
  const ends = new Map<string, { end: () => void; fail: () => void }>();
  const create = (name: string, organization_id = 'one') =>
    limit.run(organization_id, () => {
      started.push(name);
      return new Promise<string>((resolve, reject) =>
        ends.set(name, { end: () => resolve(name), fail: () => reject(new Error('no disk')) }),
      );
    });
  const of = (name: string) => ends.get(name)!;
  return { create, started, of };
}

describe('the limit of concurrent creates', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('starts three of an organization, and the others in the order of the calls as those before them end', async () => {
    const { create, started, of } = creates();
    const results = ['a', 'b', 'c', 'd', 'e'].map((name) => create(name));
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
    const { create, started, of } = creates();
    const [failing] = ['a', 'b', 'c', 'd'].map((name) => create(name));
    await jest.advanceTimersByTimeAsync(10);
    of('a').fail();
    await expect(failing).rejects.toThrow('no disk');
    await jest.advanceTimersByTimeAsync(0);
    expect(started).toEqual(['a', 'b', 'c', 'd']);
  });

  it('does not delay those of another organization', async () => {
    const { create, started } = creates();
    for (const name of ['a', 'b', 'c', 'd']) void create(name);
    void create('e', 'two');
    await jest.advanceTimersByTimeAsync(10);
    expect(started).toEqual(['a', 'b', 'c', 'e']);
  });

  it('starts one that has waited for a second although the ones before it still run', async () => {
    const { create, started, of } = creates();
    for (const name of ['a', 'b', 'c', 'd']) void create(name);
    await jest.advanceTimersByTimeAsync(999);
    expect(started).toEqual(['a', 'b', 'c']);
    await jest.advanceTimersByTimeAsync(1);
    expect(started).toEqual(['a', 'b', 'c', 'd']);
    void create('e');
    of('a').end();
    await jest.advanceTimersByTimeAsync(10);
    expect(started).toEqual(['a', 'b', 'c', 'd']);
    of('b').end();
    await jest.advanceTimersByTimeAsync(10);
    expect(started).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('starts three again once all have ended', async () => {
    const { create, started, of } = creates();
    const results = ['a', 'b', 'c', 'd'].map((name) => create(name));
    await jest.advanceTimersByTimeAsync(1_000);
    for (const name of ['a', 'b', 'c', 'd']) of(name).end();
    await Promise.all(results);
    for (const name of ['e', 'f', 'g', 'h']) void create(name);
    await jest.advanceTimersByTimeAsync(10);
    expect(started).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  });
});
