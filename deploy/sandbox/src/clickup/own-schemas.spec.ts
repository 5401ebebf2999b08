import { checkSource, referencePath } from './openapi';
import { ownSource } from './own-schemas';
import type { Operation } from './request-check';

const own = ownSource().operations;

it('our schemas cover each call of this sandbox', () => {
  expect(own.size).toBe(32);
});

// If ClickUp's reference is available, our schemas are compared with it: everything they allow must be allowed there too.
const path = referencePath();

if (path) {
  const reference = checkSource(path).operations;

  describe.each([...own])('%s', (key, operation) => {
    const theirs = reference.get(key) as Operation;

    it('is a call of ClickUp’s reference with the same parameters', () => {
      expect(theirs).toBeDefined();
      expect(Object.keys(theirs.params)).toEqual(Object.keys(operation.params));
      expect(Object.keys(theirs.query)).toEqual(expect.arrayContaining(Object.keys(operation.query)));
      expect([theirs.wantsContentType, theirs.body !== undefined]).toEqual([operation.wantsContentType, operation.body !== undefined]);
    });

    it('has ids and queries of the same types', () => {
      for (const part of ['params', 'query'] as const)
        for (const [name, { type }] of Object.entries(operation[part])) expect([name, theirs[part][name]?.type]).toEqual([name, type]);
    });
  });
}
