import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/**
 * Written by the web app's build (web/vite.preload-links.ts): the files of each page, by its path, in which `:name` matches any one segment.
 */
const PreloadFiles = z.record(z.string(), z.array(z.string().regex(/^\/assets\/[\w.-]+$/)));

/**
 * Returns the `Link` header (RFC 8288) of a page: the code that it needs in addition to the app's, so that the browser can load it before
 * it has parsed the app. Undefined if the build lists none or did not write the file.
 */
export function preloadLinksOf(webRoot: string): (path: string, isPortal: boolean) => string | undefined {
  const pages = Object.entries(read(webRoot)).map(([path, files]) => ({
    pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
    link: files.map((file) => `<${file}>; rel=modulepreload`).join(', '),
  }));
  const linkOf = (path: string) => pages.find(({ pattern }) => pattern.test(path))?.link || undefined;
  // The one path with two pages: `portal:/` is the page on an organization's host.
  return (path, isPortal) => linkOf(isPortal && path === '/' ? 'portal:/' : path);
}

function read(webRoot: string): z.infer<typeof PreloadFiles> {
  try {
    return PreloadFiles.parse(JSON.parse(readFileSync(join(webRoot, 'preload-links.json'), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
