import { matchesTag, splitAnswer } from '../src/answer';

describe('splitAnswer', () => {
  const body = (data: unknown, meta: object) => Buffer.from(JSON.stringify({ success: true, data, meta }));

  it('cuts the bytes of the data out of an answer, whatever texts it holds', () => {
    const data = { text: '","meta":{"request_id":"x"}}', meta: { request_id: 'y' }, list: [1, null, 'ü€😀'] };
    const split = splitAnswer(body(data, { request_id: 'r' }));
    expect(JSON.parse(split.data.toString('utf8'))).toEqual(data);
    expect(split.pagination).toBe('null');
  });

  it('cuts out the pagination of a list', () => {
    const pagination = { page: 1, limit: 20, total: 0, next_cursor: 'c' };
    const split = splitAnswer(body([], { request_id: '","meta":{"request_id":"', pagination }));
    expect([split.data.toString(), JSON.parse(split.pagination)]).toEqual(['[]', pagination]);
  });

  it('refuses what is no answer of ours', () => {
    expect(() => splitAnswer(Buffer.from('<html>'))).toThrow('Not an answer of one of our services');
    expect(() => splitAnswer(Buffer.from('{"success":false,"code":"x"}'))).toThrow('Not an answer of one of our services');
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
