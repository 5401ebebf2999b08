import { open as openFile, type FileHandle } from 'node:fs/promises';
import { fromRandomAccessReader, RandomAccessReader, type Entry, type ZipFile } from 'yauzl';
import { ImportFailed } from '../import-reader';

/** As in `importLimits`. */
export interface ArchiveLimits {
  entries: number;
  unpackedBytes: number;
}

/** Where the bytes of an entry are. Sizes and positions are bytes. */
export interface ZipEntry {
  /** Of its local header. */
  position: number;
  compressedSize: number;
  size: number;
  crc32: number;
  /** 0: stored, 8: deflated. */
  method: number;
}

/** The smallest records of one entry: its header in the central directory, and its local header (APPNOTE 4.3.7 and 4.3.12). */
const minEntryBytes = 46 + 30;

/**
 * Reads the central directory of a ZIP archive; local headers are not searched for entries. The archive is refused as a whole if it is not
 * clear what it contains: a name that is absolute, leaves its folder or occurs twice, or entries that share bytes, which a small archive
 * uses to unpack to terabytes (https://www.bamsoftware.com/hacks/zipbomb/).
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export async function readZipIndex(path: string, limits: ArchiveLimits): Promise<Map<string, ZipEntry>> {
  const file = await openFile(path, 'r');
  try {
    const { size } = await file.stat();
    const zip = await openDirectory(file, size);
    if (zip.entryCount > limits.entries) throw new ImportFailed('source.too_large');
    if (zip.entryCount * minEntryBytes > size) throw new ImportFailed('source.unreadable');
    return await collectEntries(zip, limits);
  } catch (error) {
    throw error instanceof ImportFailed ? error : new ImportFailed('source.unreadable', { cause: error });
  } finally {
    await file.close();
  }
}

const openDirectory = (file: FileHandle, size: number): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false };
    fromRandomAccessReader(new BlockReader(file), size, options, (error, zip) => (error ? reject(error) : resolve(zip)));
  });

/** Bytes of one read of the file. yauzl reads each entry of the central directory in two steps. */
const blockBytes = 1024 ** 2;

class BlockReader extends RandomAccessReader {
  private block = Buffer.alloc(0);
  private start = 0;

  constructor(private readonly file: FileHandle) {
    super();
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    const isInBlock = position >= this.start && position + length <= this.start + this.block.length;
    if (isInBlock) callback(null, this.copy(buffer, offset, length, position));
    else this.load(position, length).then(() => callback(null, this.copy(buffer, offset, length, position)), callback);
  }

  private copy(buffer: Buffer, offset: number, length: number, position: number): number {
    return this.block.copy(buffer, offset, position - this.start, position - this.start + length);
  }

  private async load(position: number, length: number): Promise<void> {
    const { buffer, bytesRead } = await this.file.read(Buffer.alloc(Math.max(length, blockBytes)), 0, null, position);
    this.block = buffer.subarray(0, bytesRead);
    this.start = position;
  }
}

async function collectEntries(zip: ZipFile, limits: ArchiveLimits): Promise<Map<string, ZipEntry>> {
  const entries = new Map<string, ZipEntry>();
  let unpacked = 0;
  for await (const entry of eachEntry(zip)) {
    if (entry.fileName.endsWith('/')) continue;
    if (entry.isEncrypted()) throw new ImportFailed('source.encrypted');
    if (entries.has(entry.fileName)) throw new ImportFailed('source.unreadable', { cause: new Error('Two entries have one name') });
    unpacked += entry.uncompressedSize;
    if (unpacked > limits.unpackedBytes) throw new ImportFailed('source.too_large');
    entries.set(entry.fileName, {
      position: entry.relativeOffsetOfLocalHeader,
      compressedSize: entry.compressedSize,
      size: entry.uncompressedSize,
      crc32: entry.crc32,
      method: entry.compressionMethod,
    });
  }
  assertApart(entries);
  return entries;
}

/** Reads the entries one after the other. yauzl validates their names and emits an error for the first that is not safe. */
async function* eachEntry(zip: ZipFile): AsyncGenerator<Entry> {
  let next = Promise.withResolvers<Entry | undefined>();
  zip.on('entry', (entry: Entry) => next.resolve(entry));
  zip.on('end', () => next.resolve(undefined));
  zip.on('error', (error: Error) => next.reject(error));
  for (;;) {
    zip.readEntry();
    const entry = await next.promise;
    if (!entry) return;
    yield entry;
    next = Promise.withResolvers();
  }
}

function assertApart(entries: ReadonlyMap<string, ZipEntry>): void {
  const byPosition = [...entries.values()].sort((a, b) => a.position - b.position);
  let end = 0;
  for (const { position, compressedSize } of byPosition) {
    if (position < end) throw new ImportFailed('source.unreadable', { cause: new Error('Two entries share bytes') });
    end = position + 30 + compressedSize;
  }
}

/** The position of the first byte after a local header (APPNOTE 4.3.7), whose lengths can differ from those of the central directory. */
export async function dataPosition(file: FileHandle, { position }: ZipEntry): Promise<number> {
  const header = Buffer.alloc(30);
  const { bytesRead } = await file.read(header, 0, 30, position);
  if (bytesRead < 30 || header.readUInt32LE(0) !== 0x04034b50) throw new Error('The entry has no local header');
  return position + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
}
