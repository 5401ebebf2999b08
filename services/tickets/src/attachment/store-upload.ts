import { Readable } from 'node:stream';
import { AppError } from '@tandem/contracts';
import type { Storage } from '../storage/storage-interface';
import { ContentCheck } from './content-check';

/**
 * Streams an upload of exactly `size` bytes to the file storage, and returns what was found out about its content.
 *
 * @param limits an upload is aborted after `idleMs` without data, or after `maxMs` in total
 * @throws {AppError} if the upload times out or has another size
 */
export async function storeUpload(
  storage: Storage,
  key: string,
  { body, size }: { body: Readable; size: number },
  limits: { idleMs: number; maxMs: number },
): Promise<ContentCheck> {
  const content = new ContentCheck(size);
  const aborted = new AbortController();
  const abort = () => aborted.abort(new AppError('request.malformed', { detail: 'Upload timed out' }));
  const timers = [setTimeout(abort, limits.idleMs), setTimeout(abort, limits.maxMs)] as const;
  // Not object mode: highWaterMark then counts bytes instead of chunks, which bounds the memory of an upload.
  const bytes = Readable.from(
    content.through(body, aborted.signal, () => timers[0].refresh()),
    { objectMode: false, highWaterMark: 64 * 1024 },
  );
  try {
    await storage.put(key, bytes, size, aborted.signal);
    return content;
  } catch (error) {
    throw aborted.signal.aborted ? aborted.signal.reason : (content.failure ?? error);
  } finally {
    timers.forEach(clearTimeout);
  }
}
