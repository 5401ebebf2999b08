import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import type { Plugin } from 'vite';

const compress = promisify(brotliCompress);
/** Smaller files fit into a packet with their headers anyway. */
const minBytes = 1_024;

/**
 * Writes `<file>.br` next to scripts and style sheets, which the gateway sends to browsers that accept it. Brotli's slowest level, whose
 * result is a seventh smaller than what the gateway could compress during a request.
 */
export const compressedFiles = (): Plugin => ({
  name: 'tandem-compressed-files',
  apply: 'build',
  writeBundle: {
    order: 'post',
    async handler({ dir }, bundle) {
      const files = Object.keys(bundle).filter((file) => /\.(js|css)$/.test(file));
      await Promise.all(
        files.map(async (file) => {
          const path = join(dir!, file);
          const content = await readFile(path);
          if (content.length >= minBytes) await writeFile(`${path}.br`, await compress(content));
        }),
      );
    },
  },
});
