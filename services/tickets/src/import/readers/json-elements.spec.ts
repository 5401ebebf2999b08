import { jsonElements } from './lines';

async function* chunked(text: string, size: number) {
  await Promise.resolve();
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}
const format = { lists: ['tickets', 'users', 'articles.items', '_embedded.conversations'], maxLength: 1_000_000 };
const read = async (text: string, size = 64 * 1024, maxLength = format.maxLength) => {
  const pieces = [];
  for await (const piece of jsonElements(chunked(text, size), { ...format, maxLength })) pieces.push(piece);
  return pieces.map((piece) => ('error' in piece ? `${piece.error} ${piece.line}` : [piece.list, piece.value]));
};

describe('elements of JSON', () => {
  const tricky = { id: 1, text: 'a "quoted" \\ [brace} \n \u2028 é 😀', tickets: [{ x: 1 }], deep: { tickets: [1] } };
  const forms: [string, string, unknown[]][] = [
    ['an object per line', `{"id":1}\n\n{"id":2,"tags":["a"]}\r\n{"id":3}`, [['', { id: 1 }], ['', { id: 2, tags: ['a'] }], ['', { id: 3 }]]],
    ['one object', '{"id":1}', [['', { id: 1 }]]],
    ['an array', '[{"id":1}, {"id":2}]', [['', { id: 1 }], ['', { id: 2 }]]],
    ['an indented array', JSON.stringify([{ id: 1 }, { id: 2 }], null, 2), [['', { id: 1 }], ['', { id: 2 }]]],
    ['indented objects after each other', `${JSON.stringify({ id: 1 }, null, 2)}\n${JSON.stringify({ id: 2 }, null, 2)}`, [['', { id: 1 }], ['', { id: 2 }]]],
    ['a wrapper', '{"count":2,"tickets":[{"id":1},{"id":2}],"x":{"a":[1]},"users":[{"id":3}],"next":null}', [['tickets', { id: 1 }], ['tickets', { id: 2 }], ['users', { id: 3 }]]],
    ['a wrapper of two levels', '{"articles":{"page":1,"items":[{"id":1}]}}', [['articles.items', { id: 1 }]]],
    ['pages after each other', '{"_embedded":{"conversations":[{"id":1}]},"page":{}}\n{"_embedded":{"conversations":[{"id":2}]}}', [['_embedded.conversations', { id: 1 }], ['_embedded.conversations', { id: 2 }]]],
    ['an array of pages', '[{"_embedded":{"conversations":[{"id":1}]}},{"_embedded":{"conversations":[]}},{"id":9}]', [['_embedded.conversations', { id: 1 }], ['', { id: 9 }]]],
    ['an element with a member like a list of the format', JSON.stringify([{ id: 1, _embedded: { threads: [{ id: 2 }] } }]), [['', { id: 1, _embedded: { threads: [{ id: 2 }] } }]]],
    ['brackets and quotes in strings', JSON.stringify({ tickets: [tricky, tricky] }), [['tickets', tricky], ['tickets', tricky]]],
    ['values that are not objects', '[1, "a]" ,null,[2]]', [['', 1], ['', 'a]'], ['', null], ['', [2]]]],
    ['nothing', '', []],
    ['an empty list', '{"tickets":[]}', []],
  ]; // prettier-ignore
  it.each(forms)('reads %s, wherever a chunk ends', async (_form, text, expected) => {
    for (const size of [1, 2, 3, 7, 64 * 1024]) expect(await read(text, size)).toEqual(expected);
  });

  it('continues after a damaged line, a line that is too long and one that is nested too deeply', async () => {
    const deep = `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
    const lines = ['{"id":1}', '{"id":', `{"id":"${'x'.repeat(50_000)}"}`, deep, '{"id":]}', '{"id":2}'];
    const expected = [['', { id: 1 }], 'line.unreadable 2', 'line.too_long 3', 'line.unreadable 4', 'line.unreadable 5', ['', { id: 2 }]];
    for (const size of [1, 5, 1_000_000]) expect(await read(lines.join('\n'), size, 40_000)).toEqual(expected);
  });

  it('continues after an element of an array that is nested too deeply, too long or damaged inside', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const text = `{"tickets":[\n{"id":1},\n${deep},\n{"a":"${'x'.repeat(50_000)}"},\n{"id":tru},\n{"id":2}]}`;
    const expected = [['tickets', { id: 1 }], 'line.unreadable 3', 'line.too_long 4', 'line.unreadable 5', ['tickets', { id: 2 }]];
    for (const size of [1, 100, 1_000_000]) expect(await read(text, size, 40_000)).toEqual(expected);
  });

  it.each([
    ['a file that is cut off', '{"tickets":[{"id":1},{"id":2', [['tickets', { id: 1 }], 'line.unreadable 1']],
    ['a string that is cut off', '[{"id":1},{"id":"2', [['', { id: 1 }], 'line.unreadable 1']],
    ['brackets that do not match', '[{"id":1}},{"id":2}]', [['', { id: 1 }], 'line.unreadable 1']],
    ['another kind of file', '<html>\n<body>\n</html>', ['line.unreadable 1']],
    ['a lone bracket', ']', ['line.unreadable 1']],
  ])('reports %s once', async (_what, text, expected) => {
    for (const size of [1, 4, 1_000]) expect(await read(text, size)).toEqual(expected);
  });

  it('reads members with dangerous names as values', async () => {
    const [[, value]] = (await read('[{"__proto__":{"admin":true},"constructor":1}]')) as [[string, Record<string, unknown>]];
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
  });

  it('takes time proportional to the text', async () => {
    const started = performance.now();
    const hostile = [`["${'\\\\'.repeat(200_000)}"]`, `["${'\\"'.repeat(200_000)}"]`, `[${'[],'.repeat(100_000)}1]`, '['.repeat(400_000)];
    for (const text of hostile) await read(text, 64 * 1024, 8_000_000);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
