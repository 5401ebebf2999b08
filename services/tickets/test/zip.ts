import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** The entries of a ZIP in their order. */
export async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes);
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  return entries;
}
export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
