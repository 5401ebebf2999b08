import { open as openFile, stat } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { Readable, Transform, pipeline, type TransformCallback } from 'node:stream';
import { crc32, createGunzip, createInflateRaw } from 'node:zlib';
import { importLimits } from '@tandem/contracts';
import { ImportFailed, type ImportInput, type UploadedFile } from '../import-reader';
import { dataPosition, readZipIndex, type ArchiveLimits, type ZipEntry } from './zip-index';

/** One entry of an archive is damaged; the other entries can be read. */
export class EntryUnreadable extends Error {}

export interface ArchiveEntry {
  name: string;
  /** Bytes when unpacked; null for a .gz file, which does not state it reliably. */
  size: number | null;
}

/** An uploaded file as a list of files: a ZIP archive with all of its files, or a single file that may be compressed with gzip. */
export interface Archive {
  /** In the order of the archive, without folders. */
  entries(): Iterable<ArchiveEntry>;
  has(name: string): boolean;
  /**
   * A stream of the unpacked bytes; undefined if there is no such entry. The stream fails with `EntryUnreadable` if the entry is damaged or
   * larger than announced, and with `ImportFailed` if a .gz file unpacks to more than an import can be.
   */
  open(name: string): Promise<Readable | undefined>;
}

/** Throws `ImportFailed` if the archive is encrypted, damaged or too large. Nothing is unpacked yet. */
export async function openArchive(file: Pick<UploadedFile, 'path' | 'file_name'>, limits: ArchiveLimits = importLimits): Promise<Archive> {
  const start = await firstBytes(file.path);
  if (start.length === 0) throw new ImportFailed('source.empty');
  // A local header, or the end of an archive without entries (APPNOTE 4.3.7 and 4.3.16).
  const isZip = ['504b0304', '504b0506', '504b0708'].includes(start.toString('hex'));
  if (isZip) return new ZipArchive(file.path, await readZipIndex(file.path, limits));
  // RFC 1952, 2.3.1
  const isGzip = start[0] === 0x1f && start[1] === 0x8b;
  return isGzip ? new GzipFile(file, limits.unpackedBytes) : plainFile(file);
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await openFile(path, 'r').catch((error: unknown) => {
    throw new ImportFailed('source.changed', { cause: error });
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

class ZipArchive implements Archive {
  constructor(
    private readonly path: string,
    private readonly index: ReadonlyMap<string, ZipEntry>,
  ) {}

  *entries(): Iterable<ArchiveEntry> {
    for (const [name, { size }] of this.index) yield { name, size };
  }

  has(name: string): boolean {
    return this.index.has(name);
  }

  async open(name: string): Promise<Readable | undefined> {
    const entry = this.index.get(name);
    if (!entry) return undefined;
    const file = await openFile(this.path, 'r');
    try {
      if (entry.method !== 0 && entry.method !== 8) throw new Error('The compression method is not supported');
      const start = await dataPosition(file, entry);
      const { size } = await file.stat();
      if (start + entry.compressedSize > size) throw new Error('The archive is truncated');
      const packed = entry.compressedSize === 0 ? Readable.from([]) : this.range(start, entry.compressedSize);
      return readEntry(packed, name, entry);
    } catch (error) {
      return failing(new EntryUnreadable(name, { cause: error }));
    } finally {
      await file.close();
    }
  }

  private range(start: number, length: number): Readable {
    return createReadStream(this.path, { start, end: start + length - 1 });
  }
}

/** Fails when it is read, and not before its reader can listen. */
const failing = (error: Error): Readable =>
  new Readable({
    read() {
      this.destroy(error);
    },
  });

function readEntry(packed: Readable, name: string, entry: ZipEntry): Readable {
  const check = new EntryCheck(name, entry);
  // Its callback only prevents an unhandled error: `pipeline` destroys the last stream with the error.
  if (entry.method === 0) return pipeline(packed, check, () => undefined);
  const inflate = createInflateRaw();
  inflate.on('error', (error) => check.destroy(new EntryUnreadable(name, { cause: error })));
  return pipeline(packed, inflate, check, () => undefined);
}

/** Passes the bytes on while they are as announced. An entry that unpacks to more is stopped at the announced size. */
class EntryCheck extends Transform {
  private size = 0;
  private sum = 0;

  constructor(
    private readonly entryName: string,
    private readonly announced: ZipEntry,
  ) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.size += chunk.length;
    if (this.size > this.announced.size) return done(new EntryUnreadable(this.entryName));
    this.sum = crc32(chunk, this.sum);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    const isWhole = this.size === this.announced.size && this.sum === this.announced.crc32;
    done(isWhole ? null : new EntryUnreadable(this.entryName));
  }
}

class GzipFile implements Archive {
  private readonly name: string;

  constructor(
    private readonly file: Pick<UploadedFile, 'path' | 'file_name'>,
    private readonly maxBytes: number,
  ) {
    this.name = file.file_name.replace(/\.gz$/i, '');
  }

  *entries(): Iterable<ArchiveEntry> {
    yield { name: this.name, size: null };
  }

  has(name: string): boolean {
    return name === this.name;
  }

  open(name: string): Promise<Readable | undefined> {
    if (!this.has(name)) return Promise.resolve(undefined);
    let left = this.maxBytes;
    const limit = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        left -= chunk.length;
        if (left < 0) done(new ImportFailed('source.too_large'));
        else done(null, chunk);
      },
    });
    const unpack = createGunzip();
    unpack.on('error', (error) => limit.destroy(new EntryUnreadable(name, { cause: error })));
    return Promise.resolve(pipeline(createReadStream(this.file.path), unpack, limit, () => undefined));
  }
}

async function plainFile({ path, file_name }: Pick<UploadedFile, 'path' | 'file_name'>): Promise<Archive> {
  const { size } = await stat(path);
  return {
    entries: () => [{ name: file_name, size }],
    has: (name) => name === file_name,
    open: (name) => Promise.resolve(name === file_name ? createReadStream(path) : undefined),
  };
}

/** Archives are read once per run of an import: `openEntry` is called for each of its files. */
const archives = new WeakMap<ImportInput, Promise<Archive[]>>();

/** The archives of an import, in the order of its files. */
export function archivesOf(input: ImportInput): Promise<Archive[]> {
  let opened = archives.get(input);
  if (!opened) {
    opened = Promise.all(input.files.map((file) => openArchive(file)));
    archives.set(input, opened);
  }
  return opened;
}

/** The bytes of an entry of any of the archives: `openEntry` of readers with archives. */
export async function openArchiveEntry(input: ImportInput, entry: string): Promise<Readable | undefined> {
  for (const archive of await archivesOf(input)) if (archive.has(entry)) return archive.open(entry);
  return undefined;
}
