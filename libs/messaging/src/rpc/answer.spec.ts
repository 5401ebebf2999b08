import { operation, systemContext } from '@tandem/contracts';
import * as z from 'zod';
import { answerOf, matchesTag, notModified, splitAnswer } from './answer';

const read = operation({
  name: 'x.read',
  summary: '',
  owner: 'tickets',
  method: 'GET',
  path: '/x',
  allow: 'public',
  output: z.object({ id: z.string(), tags: z.array(z.object({ name: z.string() })) }),
  etag: ({ id }) => `v${id}`,
});
const ctx = systemContext(null, 'request-1');
const data = { id: '7', tags: [{ name: 'a' }] };

describe('answerOf', () => {
  it('wraps the result in the envelope, with status, request id and entity tag', () => {
    const answer = answerOf({ ...read, status: 201 }, ctx, data, true);
    expect([answer.status, answer.headers]).toEqual([201, { etag: '"v7"' }]);
    expect(JSON.parse(answer.body)).toEqual({ success: true, data, meta: { request_id: 'request-1' } });
  });

  it('puts the pagination of a list into the metadata', () => {
    const pagination = { page: 1, limit: 20, total: 1, next_cursor: null };
    const list = operation({ ...read, etag: undefined, paginated: true });
    const answer = answerOf(list, ctx, { items: [data], pagination }, true);
    expect(JSON.parse(answer.body)).toEqual({ success: true, data: [data], meta: { request_id: 'request-1', pagination } });
  });

  it('derives the weak tag of `content` from the data and the pagination, not from the request', () => {
    const list = operation({ ...read, etag: 'content', paginated: true });
    const pagination = { page: 1, limit: 20, total: 1, next_cursor: null };
    const tagOf = (request_id: string, items: object[], total: number) =>
      answerOf(list, systemContext(null, request_id), { items, pagination: { ...pagination, total } }, true).headers['etag'];
    const tag = tagOf('request-1', [data], 1);
    expect(tag).toMatch(/^W\/"[\w-]+"$/);
    expect(tagOf('request-2', [data], 1)).toBe(tag);
    expect([tagOf('request-1', [data], 2), tagOf('request-1', [{ ...data, id: '8' }], 1)]).not.toContain(tag);
    expect(notModified(answerOf(list, ctx, { items: [data], pagination }, true), tag)).toBe(true);
  });

  it('has no body with status 204, and null for an operation that returns nothing', () => {
    const nothing = operation({ ...read, etag: undefined, output: z.undefined() });
    expect(answerOf({ ...nothing, status: 204 }, ctx, undefined, true)).toEqual({ status: 204, headers: {}, body: '' });
    expect(JSON.parse(answerOf(nothing, ctx, undefined, true).body)).toMatchObject({ data: null });
  });

  it.each([
    ['an undeclared member', { ...data, password_hash: 'x' }],
    ['an undeclared member in a list', { ...data, tags: [{ name: 'a', secret: 'x' }] }],
    ['a missing member', { id: '7' }],
  ])('throws on %s, except in production', (_case, result) => {
    expect(() => answerOf(read, ctx, result, true)).toThrow('x.read');
    expect(answerOf(read, ctx, result, false).status).toBe(200);
  });
});

it('a response is not modified if its tag matches', () => {
  const answer = answerOf(read, ctx, data, true);
  expect([notModified(answer, '"v7"'), notModified(answer, '"v8"'), notModified(answer, undefined)]).toEqual([true, false, false]);
  expect(notModified({ ...answer, headers: {} }, '*')).toBe(false);
});

describe('splitAnswer', () => {
  const body = (data: unknown, meta: object) => Buffer.from(JSON.stringify({ success: true, data, meta }));

  it('extracts the bytes of the data, even if they contain the separator', () => {
    const data = { text: '","meta":{"request_id":"x"}}', meta: { request_id: 'y' }, list: [1, null, 'ü€😀'] };
    const split = splitAnswer(body(data, { request_id: 'r' }));
    expect(JSON.parse(split.data.toString('utf8'))).toEqual(data);
    expect(split.pagination).toBe('null');
  });

  it('extracts the pagination of a list', () => {
    const pagination = { page: 1, limit: 20, total: 0, next_cursor: 'c' };
    const split = splitAnswer(body([], { request_id: '","meta":{"request_id":"', pagination }));
    expect([split.data.toString(), JSON.parse(split.pagination)]).toEqual(['[]', pagination]);
  });

  it('refuses a response that is not from one of our services', () => {
    expect(() => splitAnswer(Buffer.from('<html>'))).toThrow('Not a response of one of our services');
    expect(() => splitAnswer(Buffer.from('{"success":false,"code":"x"}'))).toThrow('Not a response of one of our services');
  });
});

describe('matchesTag', () => {
  it.each([
    [undefined, false],
    ['"a"', true],
    ['W/"a"', true],
    ['"b", W/"a"', true],
    ['*', true],
    ['"b"', false],
    ['a', false],
  ])('If-None-Match: %s: %s', (header, matches) => expect(matchesTag('"a"', header)).toBe(matches));
});
