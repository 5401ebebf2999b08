import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pieceSizes } from './export';
import { jsonLine, withoutFormulas } from './json-line';
import { LineFile } from './line-file';
import { createFolder, removeAbandonedFolders, removeFolder } from './temporary-folder';

describe('a line', () => {
  it.each([
    [{ a: '=1' }],
    [{ a: 'x,=1; +2|-3, @4' }],
    [['=1', '  =2', '-3', 'a"=b', '\\', '",=x']],
    [{ '=key': { n: -5, list: [1, -2] } }],
    [{ a: 'plain, text' }],
  ])('is the same value when it is parsed, and has no formula: %j', (value) => {
    const line = jsonLine(value);
    expect(JSON.parse(line)).toEqual(value);
    expect(line.replaceAll(/[[,:]-\d/g, '')).not.toMatch(/(?<!\\)["',;|] *[=+\-@]/);
  });

  it('without such a character is unchanged', () =>
    expect(withoutFormulas('{"a":"1=1","b":"x@y.test"}')).toBe('{"a":"1=1","b":"x@y.test"}'));
});

it('has pieces of at most the maximum, which add up to its size', () => {
  expect([pieceSizes(0, 10), pieceSizes(10, 10), pieceSizes(25, 10)]).toEqual([[], [10], [10, 10, 5]]);
});

describe('temporary files', () => {
  let parent: string;
  beforeAll(async () => (parent = await mkdtemp(join(tmpdir(), 'tandem-archive-spec-'))));
  afterAll(() => rm(parent, { recursive: true }));

  it('count and hash what they contain', async () => {
    const file = await LineFile.create(join(parent, 'a.jsonl'));
    for (let n = 0; n < 30_000; n += 1) await file.write(`{"ü":${n}}`);
    const { lines, bytes, sha256 } = await file.finish();
    const content = await readFile(join(parent, 'a.jsonl'));
    expect({ lines, bytes }).toEqual({ lines: 30_000, bytes: content.length });
    expect(content.toString('utf8').split('\n')).toHaveLength(30_001);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('of processes that were killed are removed, but not those of running ones, or of other machines', async () => {
    const own = await createFolder(parent);
    const host = hostname().replace(/[^a-zA-Z0-9]/g, '_');
    const [killed, running, elsewhere] = [`${host}-999999999-x`, `${host}-${process.ppid}-x`, 'another-7-x'].map(
      (name) => `tandem-export-${name}`,
    );
    for (const name of [killed, running, elsewhere]) await mkdir(join(parent, name!));
    await removeAbandonedFolders(parent);
    expect((await readdir(parent)).filter((name) => name.startsWith('tandem-export-')).sort()).toEqual(
      [elsewhere, own.slice(parent.length + 1), running].sort(),
    );
    await removeFolder(own);
    expect(await readdir(parent)).not.toContain(own.slice(parent.length + 1));
  });
});
