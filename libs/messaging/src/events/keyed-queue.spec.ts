import { BatchQueue, KeyedQueue } from './keyed-queue';

/** Work that runs until the test finishes it. */
function controlledWork() {
  const started: string[] = [];
  const finish = new Map<string, () => void>();
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<void>((resolve) => finish.set(name, resolve));
  };
  return { started, work, finish: (name: string) => finish.get(name)!() };
}
const microtasks = () => new Promise((resolve) => setImmediate(resolve));

describe('KeyedQueue', () => {
  it('runs work with the same key one at a time, in the order in which it was added', async () => {
    const queue = new KeyedQueue(10);
    const { started, work, finish } = controlledWork();
    await queue.add('a', work('first'));
    await queue.add('a', work('second'));
    await microtasks();
    expect(started).toEqual(['first']);
    finish('first');
    await microtasks();
    expect(started).toEqual(['first', 'second']);
    finish('second');
    await queue.idle();
  });

  it('runs work with different keys concurrently', async () => {
    const queue = new KeyedQueue(10);
    const { started, work, finish } = controlledWork();
    for (const key of ['a', 'b', 'c']) await queue.add(key, work(key));
    await microtasks();
    expect(started).toEqual(['a', 'b', 'c']);
    for (const key of started) finish(key);
    await queue.idle();
  });

  it('accepts no more work than its limit, and the next as soon as one is done', async () => {
    const queue = new KeyedQueue(2);
    const { started, work, finish } = controlledWork();
    await queue.add('a', work('a'));
    await queue.add('b', work('b'));
    let accepted = false;
    const third = queue.add('c', work('c')).then(() => (accepted = true));
    await microtasks();
    expect([accepted, started]).toEqual([false, ['a', 'b']]);
    finish('b');
    await third;
    await microtasks();
    expect(started).toEqual(['a', 'b', 'c']);
    finish('a');
    finish('c');
    await queue.idle();
  });

  it('is idle only after work that was added while it was waiting', async () => {
    const queue = new KeyedQueue(2);
    const { work, finish } = controlledWork();
    await queue.add('a', work('first'));
    let idle = false;
    const done = queue.idle().then(() => (idle = true));
    await queue.add('a', work('second'));
    finish('first');
    await microtasks();
    expect(idle).toBe(false);
    finish('second');
    await done;
  });

  it('is idle immediately without work', async () => {
    await expect(new KeyedQueue(1).idle()).resolves.toBeUndefined();
  });
});

describe('BatchQueue', () => {
  function batches(limits: Partial<ConstructorParameters<typeof BatchQueue>[0]> = {}) {
    const started: string[][] = [];
    const finish: (() => void)[] = [];
    const queue = new BatchQueue<string>({ concurrency: 2, maxBatch: 3, maxAccepted: 100, ...limits }, (items) => {
      started.push(items);
      return new Promise<void>((resolve) => finish.push(resolve));
    });
    const finishNext = async () => {
      finish.shift()!();
      await microtasks();
    };
    return { queue, started, finishNext };
  }

  it('runs the items of a key that have accumulated at once and in order, up to the maximum', async () => {
    const { queue, started, finishNext } = batches();
    for (const item of ['1', '2', '3', '4']) await queue.add('a', item);
    await microtasks();
    expect(started).toEqual([['1', '2', '3']]);
    await queue.add('a', '5');
    await finishNext();
    expect(started).toEqual([
      ['1', '2', '3'],
      ['4', '5'],
    ]);
    await finishNext();
    await queue.idle();
  });

  it('runs different keys concurrently, up to its limit, and one key never twice', async () => {
    const { queue, started, finishNext } = batches();
    for (const key of ['a', 'b', 'c']) await queue.add(key, key);
    await microtasks();
    await queue.add('a', 'again');
    await microtasks();
    expect(started).toEqual([['a'], ['b']]);
    await finishNext();
    expect(started).toEqual([['a'], ['b'], ['c']]);
    await finishNext();
    expect(started).toEqual([['a'], ['b'], ['c'], ['again']]);
    await finishNext();
    await finishNext();
    await queue.idle();
  });

  it('accepts no more items than its limit until some are done', async () => {
    const { queue, started, finishNext } = batches({ maxAccepted: 2 });
    await queue.add('a', '1');
    await queue.add('a', '2');
    let isAccepted = false;
    const third = queue.add('a', '3').then(() => (isAccepted = true));
    await microtasks();
    expect([started, isAccepted]).toEqual([[['1', '2']], false]);
    await finishNext();
    await third;
    await microtasks();
    expect(started).toEqual([['1', '2'], ['3']]);
    await finishNext();
    await queue.idle();
  });

  describe('with an interval', () => {
    beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
    afterEach(() => {
      jest.useRealTimers();
      jest.restoreAllMocks();
    });
    const addAll = async (queue: BatchQueue<string>, items: string[]) => {
      for (const item of items) await queue.add('a', item);
      await microtasks();
    };

    it('runs the first item of a key immediately, and later ones together once the interval has ended', async () => {
      const { queue, started, finishNext } = batches({ intervalMs: 100 });
      await addAll(queue, ['1']);
      expect(started).toEqual([['1']]);
      await finishNext();
      await addAll(queue, ['2']);
      await addAll(queue, ['3']);
      jest.advanceTimersByTime(49);
      await microtasks();
      expect(started).toEqual([['1']]);
      jest.advanceTimersByTime(51);
      await microtasks();
      expect(started).toEqual([['1'], ['2', '3']]);
      await finishNext();
      jest.advanceTimersByTime(100);
      await addAll(queue, ['4']);
      expect(started.at(-1)).toEqual(['4']);
    });

    it('waits for a random time between half of the interval and all of it, from the beginning of the last batch', async () => {
      const random = jest.spyOn(Math, 'random');
      for (const [value, waitMs] of [
        [0, 50],
        [0.5, 75],
        [1, 100],
      ] as const) {
        random.mockReturnValue(value);
        const { queue, started, finishNext } = batches({ intervalMs: 100 });
        await addAll(queue, ['1']);
        jest.advanceTimersByTime(40);
        await finishNext();
        await addAll(queue, ['2']);
        jest.advanceTimersByTime(waitMs - 41);
        await microtasks();
        expect(started).toEqual([['1']]);
        jest.advanceTimersByTime(1);
        await microtasks();
        expect(started).toEqual([['1'], ['2']]);
        await finishNext();
        await queue.idle();
      }
    });

    it('does not wait for the interval once a batch is full, no more items are accepted, or it must become idle', async () => {
      const { queue, started, finishNext } = batches({ intervalMs: 100, maxAccepted: 4 });
      await addAll(queue, ['1']);
      await finishNext();
      await addAll(queue, ['2', '3', '4']);
      expect(started.at(-1)).toEqual(['2', '3', '4']);
      await finishNext();
      await addAll(queue, ['5']);
      await queue.add('b', 'b1');
      await queue.add('c', 'c1');
      await queue.add('d', 'd1');
      await microtasks();
      expect(started.slice(2)).toEqual([['5'], ['b1']]);
      for (let i = 0; i < 4; i += 1) await finishNext();
      await addAll(queue, ['6', '7', '8', '9']);
      await finishNext();
      expect(started.at(-1)).toEqual(['6', '7', '8']);
      const idle = queue.idle();
      await microtasks();
      expect(started.at(-1)).toEqual(['9']);
      await finishNext();
      await idle;
    });
  });
});
