import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '@tandem/contracts';
import * as z from 'zod';

/**
 * Written by the web app's build (web/vite.preload-links.ts): the files of each page, by its path, in which `:name` matches any one segment,
 * and of each catalog of texts (`texts:portal:de`).
 */
const PreloadFiles = z.record(z.string(), z.array(z.string().regex(/^\/assets\/[\w.-]+$/)));

/** The catalogs that a customer page loads. */
interface PageTexts {
  language: Language;
  parts: readonly ('portal' | 'survey')[];
}

interface PageOptions {
  isPortal: boolean;
  texts?: PageTexts | undefined;
  /** False if the page is shown before its code has loaded: the code must not delay that. */
  isUrgent: boolean;
}

/**
 * Returns the `Link` header (RFC 8288) of a page: the code that it needs in addition to the app's, so that the browser can load it before
 * it has parsed the app. Undefined if the build lists none or did not write the file.
 */
export function preloadLinksOf(webRoot: string): (path: string, options: PageOptions) => string | undefined {
  const known = read(webRoot);
  const pages = Object.entries(known).map(([path, files]) => ({
    pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}/?$`),
    files,
  }));
  const filesOf = (path: string) => pages.find(({ pattern }) => pattern.test(path))?.files ?? [];
  const textFiles = ({ language, parts }: PageTexts = { language: 'en', parts: [] }) =>
    parts.flatMap((part) => known[`texts:${part}:${language}`] ?? []);
  return (path, { isPortal, texts, isUrgent }) => {
    // The one path with two pages: `portal:/` is the page on an organization's host.
    const files = [...filesOf(isPortal && path === '/' ? 'portal:/' : path), ...textFiles(texts)];
    return files.map((file) => `<${file}>; rel=modulepreload${isUrgent ? '' : '; fetchpriority=low'}`).join(', ') || undefined;
  };
}

function read(webRoot: string): z.infer<typeof PreloadFiles> {
  try {
    return PreloadFiles.parse(JSON.parse(readFileSync(join(webRoot, 'preload-links.json'), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
