import { normalized } from './example-shape';

describe('an example of a long list', () => {
  it('has the last days, which have figures, and otherwise the first items', () => {
    const numbers = Array.from({ length: 30 }, (_, n) => n);
    const example = normalized({ figures: numbers, per_day: numbers.map((day) => ({ day })), items: numbers.map((n) => ({ n })) });
    expect(example).toEqual({ figures: [28, 29], per_day: [{ day: 28 }, { day: 29 }], items: [{ n: 0 }, { n: 1 }] });
  });
});
