import type { Archive } from './archive';
import type { SourceItem, SourcePlace } from '../import-reader';
import { firstText, integerOf, keyOf, type JsonObject } from './json-values';
import { problem, record } from './source-items';

export interface AttachedTo {
  ticket: string | null;
  comment: string | null;
  created_at: string;
}

/**
 * Yields a file of a ticket or comment. Archives that a team has completed with the bytes have them under `attachments/<ID>`, with or
 * without the name of the file; otherwise they are downloaded. Without either, the file is a problem.
 */
export function* fileItems(
  file: { id: unknown; name: string | null; size: unknown; url: unknown },
  to: AttachedTo,
  archives: readonly Archive[],
  at: SourcePlace,
): Generator<SourceItem, void> {
  const id = keyOf(file.id);
  const file_name = (file.name ?? 'file').replace(/[\\/]/g, '-').slice(0, 200);
  if (id === null) return;
  const entry = [`attachments/${id}/${file_name}`, `attachments/${id}-${file_name}`, `attachments/${id}`].find((name) =>
    archives.some((archive) => archive.has(name)),
  );
  const url = firstText(file.url);
  const isAddress = url !== null && /^https?:\/\//i.test(url) && url.length <= 4_000;
  if (entry === undefined && !isAddress) return void (yield problem('file.missing', at, { kind: 'file', key: id, value: file_name }));
  const key = `${to.comment === null ? `ticket-${to.ticket}` : `comment-${to.comment}`}-${id}`.slice(-200);
  const data = {
    ...to,
    key,
    article: null,
    file_name,
    size: integerOf(file.size),
    entry: entry ?? null,
    url: entry === undefined ? url : null,
  };
  yield record('file', data, at);
}

/** The attachments of a value, under the name that a vendor gives them. */
export const attachmentsOf = (value: JsonObject, name: string): JsonObject[] => {
  const list = value[name];
  return Array.isArray(list) ? (list as unknown[]).filter((each): each is JsonObject => typeof each === 'object' && each !== null) : [];
};
