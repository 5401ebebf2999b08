import { settledWithin } from './settled-within';

const never = new Promise<never>(() => undefined);

describe('settledWithin', () => {
  it('is true once all promises have settled, including rejected ones', async () => {
    await expect(settledWithin(10_000, [Promise.resolve(1), Promise.reject(new Error('failed'))])).resolves.toBe(true);
  });

  it('is true without promises', async () => {
    await expect(settledWithin(10_000, [])).resolves.toBe(true);
  });

  it('is false if one of them takes longer', async () => {
    await expect(settledWithin(10, [Promise.resolve(), never])).resolves.toBe(false);
  });

  it('leaves no timer behind that would keep the process from exiting', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
    const before = timers();
    await settledWithin(60_000, [Promise.resolve()]);
    expect(timers()).toBeLessThanOrEqual(before);
  });
});
