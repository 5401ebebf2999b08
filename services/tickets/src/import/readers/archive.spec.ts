import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { openArchive, openArchiveEntry } from './archive';
import { inputOf, TestUploads } from './testing';

const uploads = new TestUploads();
afterAll(() => uploads.remove());

const text = async (stream: NodeJS.ReadableStream | undefined) => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream!) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};
/** A copy of an archive after a change of its bytes. */
const changed = async (
  change: (bytes: Buffer) => Buffer | void,
  entries: Record<string, string> = { 'aa.json': 'first', 'bb.json': 'second' },
) => {
  const bytes = readFileSync((await uploads.zip(entries)).path);
  return uploads.write(change(bytes) ?? bytes, 'changed.zip');
};
/** All headers in the central directory. */
const headers = (bytes: Buffer): number[] => {
  const found: number[] = [];
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4)) found.push(at);
  return found;
};
const rename = (bytes: Buffer, from: string, to: string) => void bytes.write(to, bytes.lastIndexOf(from), 'latin1');

describe('archives', () => {
  it('opens ZIP archives, gzip files and plain files', async () => {
    const zip = await openArchive(await uploads.zip({ 'a/b.json': 'in folder', 'empty.json': '' }));
    expect([...zip.entries()]).toEqual([{ name: 'a/b.json', size: 9 }, { name: 'empty.json', size: 0 }]); // prettier-ignore
    expect([await text(await zip.open('a/b.json')), await text(await zip.open('empty.json')), await zip.open('c')]).toEqual([
      'in folder',
      '',
      undefined,
    ]);
    const gz = await openArchive(uploads.write(gzipSync('unpacked'), 'tickets.json.gz'));
    expect([[...gz.entries()], await text(await gz.open('tickets.json'))]).toEqual([[{ name: 'tickets.json', size: null }], 'unpacked']);
    const plain = await openArchive(uploads.write('{}', 'tickets.json'));
    expect([[...plain.entries()], await text(await plain.open('tickets.json'))]).toEqual([[{ name: 'tickets.json', size: 2 }], '{}']);
  });

  it('finds an entry in any of the archives of an import', async () => {
    const input = inputOf([await uploads.zip({ a: '1' }), await uploads.zip({ b: '2' })]);
    expect([await text(await openArchiveEntry(input, 'b')), await openArchiveEntry(input, 'c')]).toEqual(['2', undefined]);
  });

  it.each([
    ['leaves its folder', (bytes: Buffer) => rename(bytes, 'bb.json', '../json')],
    ['is absolute', (bytes: Buffer) => rename(bytes, 'bb.json', '/b.json')],
    ['occurs twice', (bytes: Buffer) => rename(bytes, 'bb.json', 'aa.json')],
    [
      'has the bytes of another entry',
      (bytes: Buffer) => void bytes.writeUInt32LE(bytes.readUInt32LE(headers(bytes)[0]! + 42), headers(bytes)[1]! + 42),
    ],
  ])('refuses an archive with an entry whose name or content %s', async (_what, change) => {
    await expect(openArchive(await changed(change))).rejects.toMatchObject({ failure: 'source.unreadable' });
  });

  it('refuses archives that are encrypted, empty, cut off or announce more than an import can be', async () => {
    const encrypted = await changed(
      (bytes) => void bytes.writeUInt16LE(bytes.readUInt16LE(headers(bytes)[1]! + 8) | 1, headers(bytes)[1]! + 8),
    );
    await expect(openArchive(encrypted)).rejects.toMatchObject({ failure: 'source.encrypted' });
    await expect(openArchive(uploads.write('', 'empty.zip'))).rejects.toMatchObject({ failure: 'source.empty' });
    const cut = await changed((bytes) => bytes.subarray(0, -30));
    await expect(openArchive(cut)).rejects.toMatchObject({ failure: 'source.unreadable' });
    const huge = await changed((bytes) => void bytes.writeUInt32LE(0xfffffffe, headers(bytes)[0]! + 24));
    await expect(openArchive(huge, { entries: 10, unpackedBytes: 1024 ** 3 })).rejects.toMatchObject({ failure: 'source.too_large' });
    const many = await uploads.zip({ a: '', b: '', c: '' });
    await expect(openArchive(many, { entries: 2, unpackedBytes: 1024 })).rejects.toMatchObject({ failure: 'source.too_large' });
    await expect(openArchive({ path: '/does/not/exist', file_name: 'x' })).rejects.toMatchObject({ failure: 'source.changed' });
  });

  it('refuses a header that announces two million entries in a small file without reading them', async () => {
    const zip64 = Buffer.alloc(98);
    zip64.write('PK\x06\x06', 0, 'latin1');
    zip64.writeBigUInt64LE(2_000_000n, 32);
    zip64.write('PK\x06\x07', 56, 'latin1');
    zip64.writeBigUInt64LE(4n, 64);
    zip64.write('PK\x05\x06', 76, 'latin1');
    zip64.writeUInt16LE(0xffff, 86);
    const file = uploads.write(Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), zip64]), 'many.zip');
    await expect(openArchive(file)).rejects.toMatchObject({ failure: 'source.unreadable' });
  });

  it('fails an entry that is damaged, or unpacks to more or less than announced, and reads the other entries', async () => {
    const long = 'x'.repeat(100_000);
    const sizes = [10, 99_999, 100_001].map((size) => (bytes: Buffer) => void bytes.writeUInt32LE(size, headers(bytes)[0]! + 24));
    const sum = (bytes: Buffer) => void bytes.writeUInt32LE(1, headers(bytes)[0]! + 16);
    const data = (bytes: Buffer) => void bytes.fill(0xff, 40, 60);
    const method = (bytes: Buffer) => void bytes.writeUInt16LE(12, headers(bytes)[0]! + 10);
    for (const change of [...sizes, sum, data, method]) {
      const archive = await openArchive(await changed(change, { 'aa.json': long, 'bb.json': 'second' }));
      await expect(text(await archive.open('aa.json'))).rejects.toThrow('aa.json');
      expect(await text(await archive.open('bb.json'))).toBe('second');
    }
  });

  it('stops to unpack a gzip file at the limit, and fails one that is cut off', async () => {
    const bomb = uploads.write(gzipSync(Buffer.alloc(50_000_000)), 'bomb.gz');
    const archive = await openArchive(bomb, { entries: 1, unpackedBytes: 1_000_000 });
    await expect(text(await archive.open('bomb'))).rejects.toMatchObject({ failure: 'source.too_large' });
    const cut = await openArchive(uploads.write(gzipSync('x'.repeat(1_000)).subarray(0, 20), 'cut.gz'));
    await expect(text(await cut.open('cut'))).rejects.toThrow('cut');
  });
});
