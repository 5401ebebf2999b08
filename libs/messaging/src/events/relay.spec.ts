import { restAfter } from './relay';

describe('the rest of the relay after a batch', () => {
  it('is twice as long as the batch took', () => expect(restAfter(4, 0)).toBe(8));

  it('is at most 60 ms, however long the batch took', () => expect(restAfter(900, 0)).toBe(60));

  it('lasts until the interval between the beginnings of batches has passed', () => {
    expect(restAfter(10, 100)).toBe(90);
    expect(restAfter(45, 100)).toBe(60);
  });
});
