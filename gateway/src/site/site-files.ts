import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Excludes segments that are empty, begin with a dot or contain unusual characters. */
const filePath = /^(?:\/[\w@-][\w.@-]*)+$/;

/** Whether the built web app has a file for this URL path. */
export async function isSiteFile(webRoot: string, path: string): Promise<boolean> {
  if (!filePath.test(path) || ['/index.html', '/preload-links.json', '/first-html.json'].includes(path)) return false;
  try {
    return (await stat(join(webRoot, path))).isFile();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}
