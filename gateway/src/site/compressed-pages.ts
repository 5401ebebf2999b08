import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';

const compress = promisify(brotliCompress);
/** The pages of the product on all of its hosts; a page beyond that is compressed by each request, like those of portals. */
const maxPages = 100;

/**
 * Pages in Brotli's slowest level. The landing page then fits into the first packets that a server may send (14.6 KB), but compressing it
 * takes a third of a second: it is done once, in a thread of libuv, after the first request.
 */
export class CompressedPages {
  readonly #pages = new Map<string, Buffer | undefined>();

  /** Undefined until the page has been compressed. `etag` identifies its content. */
  find(etag: string, html: string): Buffer | undefined {
    if (!this.#pages.has(etag) && this.#pages.size < maxPages) void this.#add(etag, html);
    return this.#pages.get(etag);
  }

  async #add(etag: string, html: string): Promise<void> {
    this.#pages.set(etag, undefined);
    this.#pages.set(etag, await compress(html));
  }
}

/** Whether a client accepts Brotli, by its Accept-Encoding header. */
export const acceptsBrotli = (header: string | undefined): boolean =>
  (header ?? '').split(',').some((each) => {
    const [name, ...parameters] = each.split(';').map((part) => part.trim().toLowerCase());
    return name === 'br' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
