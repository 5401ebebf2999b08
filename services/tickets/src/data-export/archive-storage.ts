import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { newId } from '@tandem/db';
import { storageKey } from '../attachment/file.controller';
import type { Storage } from '../storage/storage-interface';
import { pieceSizes, type ArchivePiece } from './export';

/**
 * Stores an archive in pieces. `save` is called before each piece is stored, with all pieces so far, so that a process that is killed leaves
 * no piece that no row refers to.
 */
export async function storeArchive(
  storage: Storage,
  organization_id: string,
  { path, size }: { path: string; size: number },
  save: (pieces: readonly ArchivePiece[]) => Promise<void>,
): Promise<void> {
  const pieces: ArchivePiece[] = [];
  let start = 0;
  for (const bytes of pieceSizes(size)) {
    pieces.push({ id: newId(), size: bytes });
    await save(pieces);
    const source = createReadStream(path, { start, end: start + bytes - 1 });
    await storage.put(storageKey(organization_id, pieces.at(-1)!.id), source, bytes, new AbortController().signal);
    start += bytes;
  }
}

export async function removeArchive(storage: Storage, organization_id: string, pieces: readonly ArchivePiece[]): Promise<void> {
  for (const { id } of pieces) await storage.remove(storageKey(organization_id, id));
}

/** The bytes of an archive; undefined if its first piece is missing. Fails while it is read if another one is. */
export async function openArchive(
  storage: Storage,
  organization_id: string,
  pieces: readonly ArchivePiece[],
): Promise<Readable | undefined> {
  const [first, ...others] = pieces;
  const bytes = first && (await storage.get(storageKey(organization_id, first.id)));
  if (!bytes) return undefined;
  async function* all(start: Readable): AsyncGenerator<Buffer> {
    yield* start as AsyncIterable<Buffer>;
    for (const { id } of others) {
      const next = await storage.get(storageKey(organization_id, id));
      if (!next) throw new Error('A piece of the archive is missing');
      yield* next as AsyncIterable<Buffer>;
    }
  }
  return Readable.from(all(bytes), { objectMode: false, highWaterMark: 64 * 1024 });
}
