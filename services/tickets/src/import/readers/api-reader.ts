import type { ImportInput, ImportReader, SourceItem } from '../import-reader';
import type { ApiClient } from './api-client';

/** A reader of an API: ends its requests when the caller stops reading, and downloads files with the token. */
export function apiReader(
  source: ImportReader['source'],
  connect: (input: ImportInput) => ApiClient,
  read: (input: ImportInput) => AsyncGenerator<SourceItem>,
): ImportReader {
  /** A client per import, for connections that stay open between downloads. */
  const clients = new WeakMap<ImportInput, ApiClient>();
  return {
    source,
    async *read(input) {
      const stop = new AbortController();
      try {
        yield* read({ ...input, signal: AbortSignal.any([input.signal, stop.signal]) });
      } finally {
        // Requests can have been sent ahead.
        stop.abort();
      }
    },
    openUrl(input, url, maxBytes) {
      const client = clients.get(input) ?? connect(input);
      clients.set(input, client);
      return client.download(url, maxBytes);
    },
  };
}
