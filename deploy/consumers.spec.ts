import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { consumerNamesModule, consumersPage, findConsumers } from './consumers';

describe('durable consumers', () => {
  const consumers = findConsumers();

  it('have unique names', () => {
    const names = consumers.map(({ durable }) => durable);
    expect(names.length).toBeGreaterThan(40);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  it.each([
    ['docs/consumers.md', consumersPage],
    ['deploy/local/cli/consumer-names.ts', consumerNamesModule],
  ])('agree with %s (npm run docs writes it again)', (name, render) => {
    const file = join(__dirname, '..', name);
    const text = render(consumers);
    if (process.env.UPDATE_DOCS) writeFileSync(file, text);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});
