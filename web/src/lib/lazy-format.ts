/** A formatter that is made when it is first used. Making one takes 2 ms, on a slow processor 8, and a page needs few of them. */
export function lazyFormat<Format>(make: () => Format): () => Format {
  let made: Format | undefined;
  return () => (made ??= make());
}
