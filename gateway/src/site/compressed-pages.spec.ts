import { brotliDecompressSync } from 'node:zlib';
import { acceptsBrotli, CompressedPages } from './compressed-pages';

const compressed = async (pages: CompressedPages, etag: string, html: string): Promise<Buffer> => {
  for (;;) {
    const found = pages.find(etag, html);
    if (found) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
};

describe('compressed pages', () => {
  it('are compressed once, after the first request', async () => {
    const pages = new CompressedPages();
    const html = '<p>Support</p>'.repeat(500);
    expect(pages.find('"a"', html)).toBeUndefined();
    const first = await compressed(pages, '"a"', html);
    expect(brotliDecompressSync(first).toString()).toBe(html);
    expect(pages.find('"a"', html)).toBe(first);
  });

  it('are kept apart by their entity tags', async () => {
    const pages = new CompressedPages();
    const both = await Promise.all([compressed(pages, '"a"', 'one'), compressed(pages, '"b"', 'two')]);
    expect(both.map((each) => brotliDecompressSync(each).toString())).toEqual(['one', 'two']);
  });

  it('are at most 100, so that generated addresses cannot fill the memory', async () => {
    const pages = new CompressedPages();
    await Promise.all(Array.from({ length: 100 }, (_, index) => compressed(pages, `"${index}"`, 'page')));
    pages.find('"more"', 'page');
    const last = await compressed(pages, '"99"', 'page');
    await new Promise((resolve) => setTimeout(resolve));
    expect([pages.find('"more"', 'page'), pages.find('"99"', 'page')]).toEqual([undefined, last]);
  });
});

it.each([
  ['br', true],
  ['gzip, deflate, br, zstd', true],
  ['gzip;q=1.0, BR;q=0.5', true],
  ['gzip, br;q=0', false],
  ['gzip, br; q=0.000', false],
  ['gzip', false],
  ['brotli', false],
  [undefined, false],
])('Accept-Encoding %s: Brotli is accepted: %s', (header, accepts) => expect(acceptsBrotli(header)).toBe(accepts));
