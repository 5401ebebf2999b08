import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Segments that begin with a dot, are empty or hold anything unusual are no files of ours. */
const filePath = /^(?:\/[\w@-][\w.@-]*)+$/;

/** Whether the built web app has a file at this path of an address. */
export async function isSiteFile(webRoot: string, path: string): Promise<boolean> {
  if (!filePath.test(path) || path === '/index.html' || path === '/first-code.json') return false;
  try {
    return (await stat(join(webRoot, path))).isFile();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
