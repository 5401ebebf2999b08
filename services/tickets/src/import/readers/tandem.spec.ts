import { createHash } from 'node:crypto';
import { exportVersion } from '@tandem/contracts';
import { openArchiveEntry } from './archive';
import { tandemReader } from './tandem';
import { inputOf, readAll, TestUploads } from './testing';

const uploads = new TestUploads();
afterAll(() => uploads.remove());

const teammate = { key: 't1', email: 'a@b.co', first_name: 'A', last_name: null, role: 'agent', is_active: true };
const category = { key: 'c1', name: 'FAQ', description: null, position: 1 };
const exported = (
  files: Record<string, string>,
  changes: { version?: number; files?: (file: { name: string; sha256: string }) => object } = {},
  more: Record<string, string> = {},
) => {
  const listed = Object.entries(files).map(([name, content]) => ({
    name, schema: `schemas/${name}.json`, lines: content.split('\n').length - 1, bytes: Buffer.byteLength(content), sha256: createHash('sha256').update(content).digest('hex'), imported: name !== 'members.jsonl',
  })); // prettier-ignore
  const manifest = {
    format: 'tandem-export', version: changes.version ?? exportVersion, created_at: '2026-01-01T00:00:00.000Z', has_files: true, left_out: [],
    organization: { id: '0198c5a2-0000-7000-8000-000000000000', name: 'Acme', subdomain: 'acme' }, files: listed.map((file) => ({ ...file, ...changes.files?.(file) })),
  }; // prettier-ignore
  return uploads.zip({ 'manifest.json': JSON.stringify(manifest), ...files, ...more });
};
const lines = (...values: unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');

describe('exports of Tandem', () => {
  it('reads the records and files', async () => {
    const file = await exported(
      { 'teammates.jsonl': lines(teammate), 'article_categories.jsonl': lines(category), 'members.jsonl': lines({ id: 1 }) },
      {},
      { 'files/f1': 'bytes' },
    );
    const { records, items } = await readAll(tandemReader, [file]);
    expect([records.teammate, records.article_category, items.length]).toEqual([[teammate], [category], 2]);
    const input = inputOf([file]);
    expect(await (await openArchiveEntry(input, 'files/f1'))!.toArray()).toEqual([Buffer.from('bytes')]);
    expect(await tandemReader.openEntry!(input, 'files/f2')).toBeUndefined();
  });

  it('continues after a damaged line', async () => {
    const deep = `{"key":${'['.repeat(10_000)}${']'.repeat(10_000)}}\n`;
    const file = await exported({ 'teammates.jsonl': `{"key":\n${deep}[1]\n{} {}\n${lines(teammate)}` });
    const { records, problems } = await readAll(tandemReader, [file]);
    expect([records.teammate, problems]).toEqual([
      [teammate],
      [1, 2, 3, 4].map((line) => `line.unreadable teammates.jsonl:${line} teammate`),
    ]);
  });

  it.each([
    ['a newer version', () => exported({ 'teammates.jsonl': lines(teammate) }, { version: exportVersion + 1 })],
    ['a file that was changed', () => exported({ 'teammates.jsonl': lines(teammate) }, { files: () => ({ sha256: '0'.repeat(64) }) })],
    ['a file that is missing', () => exported({ 'teammates.jsonl': lines(teammate) }, { files: () => ({ name: 'tickets.jsonl' }) })],
    ['no manifest', () => uploads.zip({ 'teammates.jsonl': lines(teammate) })],
    ['another manifest', () => uploads.zip({ 'manifest.json': '{"name":"app"}' })],
  ])('refuses an archive with %s', async (_what, file) => {
    await expect(readAll(tandemReader, [await file()])).rejects.toMatchObject({ failure: 'source.unreadable' });
  });

  it('refuses an export without records', async () => {
    await expect(readAll(tandemReader, [await exported({ 'teammates.jsonl': '' })])).rejects.toMatchObject({ failure: 'source.empty' });
  });
});
