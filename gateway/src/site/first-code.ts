import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** Written by the build of the web app (web/vite.first-code.ts): a page's path, `:name` for any one part, and what it loads. */
const FirstCode = z.record(z.string(), z.array(z.string().regex(/^\/assets\/[\w.-]+$/)));

/**
 * Tells the value of `Link` (RFC 8288) for a page: the code that it needs beside the app's own, which the browser can ask for before it has read the
 * app. Undefined where the build names none, or was made without that file.
 */
export function firstCodeOf(webRoot: string): (path: string, isPortal: boolean) => string | undefined {
  const pages = Object.entries(read(webRoot)).map(([path, files]) => ({
    pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
    link: files.map((file) => `<${file}>; rel=modulepreload`).join(', '),
  }));
  const linkOf = (path: string) => pages.find(({ pattern }) => pattern.test(path))?.link || undefined;
  // The one address with two pages: `portal:/` is that of an organization's host.
  return (path, isPortal) => linkOf(isPortal && path === '/' ? 'portal:/' : path);
}

function read(webRoot: string): z.infer<typeof FirstCode> {
  try {
    return FirstCode.parse(JSON.parse(readFileSync(join(webRoot, 'first-code.json'), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
