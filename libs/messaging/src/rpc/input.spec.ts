import { AppError, operation } from '@tandem/contracts';
import * as z from 'zod';
import { parseInput } from './input';

const change = operation({
  name: 'x.change',
  summary: '',
  owner: 'tickets',
  method: 'PATCH',
  path: '/x/:id',
  allow: 'public',
  input: {
    params: z.object({ id: z.string().regex(/^\d+$/, 'Must be a number') }),
    query: z.strictObject({ limit: z.coerce.number().int().max(10).default(5) }),
    body: z.strictObject({ text: z.string().min(1, 'Write something') }),
  },
  output: z.object({}),
});
const good = { params: { id: '7' }, query: {}, body: { text: 'hello' } };
const refused = (request: Parameters<typeof parseInput>[1], ifMatch?: string) => {
  try {
    parseInput(change, request, ifMatch);
  } catch (error) {
    return { code: (error as AppError).code, fields: (error as AppError).fields?.map(({ path }) => path) };
  }
  return undefined;
};

describe('parseInput', () => {
  it('returns every declared part as its schema transforms it', () => {
    expect(parseInput(change, { ...good, query: { limit: '3' } }, undefined)).toEqual({ ...good, query: { limit: 3 } });
    expect(parseInput(change, good, undefined).query).toEqual({ limit: 5 });
  });

  it('leaves out parts that the operation does not declare', () => {
    const read = operation({ ...change, etag: undefined, name: 'x.read', method: 'GET', input: { params: change.input.params } });
    expect(parseInput(read, good, undefined)).toEqual({ params: { id: '7' } });
  });

  it('reports the problems of all parts together', () => {
    expect(refused({ params: { id: 'x' }, query: { limit: 99 }, body: { text: '' } })).toEqual({
      code: 'request.invalid',
      fields: ['id', 'limit', 'text'],
    });
  });

  it('names unknown members', () => {
    expect(refused({ ...good, body: { text: 'x', extra: 1 } })).toEqual({ code: 'request.invalid', fields: ['extra'] });
  });

  it.each([undefined, null, [], 'text', 7])('refuses the body %j', (body) => {
    expect(refused({ ...good, body })?.code).toBe('request.invalid');
  });
});

describe('If-Match', () => {
  const versionOf = (header?: string) => parseInput(change, good, header).if_match;

  it('is the version without its quotes', () => expect([versionOf('"v1"'), versionOf('  "v2" ')]).toEqual(['v1', 'v2']));

  it('matches any version if it is missing or *', () =>
    expect([versionOf(), versionOf('*'), versionOf(' * ')]).toEqual([undefined, undefined, undefined]));

  it.each(['v1', 'W/"v1"', '"v1", "v2"', '"v1', ''])('refuses %j: it names no single version', (header) => {
    expect(refused(good, header)).toEqual({ code: 'request.invalid', fields: ['If-Match'] });
  });
});
