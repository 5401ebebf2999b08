/** Creates a formatter on first use. Creating one takes 2 ms (8 ms on a slow processor), and a page needs only a few of them. */
export function lazyFormat<Format>(make: () => Format): () => Format {
  let made: Format | undefined;
  return () => (made ??= make());
}
