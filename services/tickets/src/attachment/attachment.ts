import {
  AppError,
  attachmentRules,
  invisibleCharacters,
  isInline,
  isRefusedName,
  refusalOfName,
  type FieldProblem,
} from '@tandem/contracts';

/** What a person may have waiting: uploaded or announced, and used nowhere yet. */
export const maxUnused = 100;
/** The same for all customers of an organization together: they have no names by which to tell them apart. */
export const maxUnusedOfCustomers = 500;

/**
 * A file may be used for `unusedHours` and is removed some minutes later: in between it is neither, so that no text can take a file whose
 * bytes are on their way out, however the clocks of two machines differ.
 */
const hourMs = 3_600_000;
const marginMs = 10 * 60_000;
export const usableSince = (nowMs: number): string => new Date(nowMs - attachmentRules.unusedHours * hourMs).toISOString();
export const removableBefore = (nowMs: number): string => new Date(nowMs - attachmentRules.unusedHours * hourMs - marginMs).toISOString();

export const refused = (field: Omit<FieldProblem, 'code'>): AppError =>
  new AppError('attachment.refused', { detail: field.message, fields: [{ ...field, code: 'refused' }] });

/**
 * A name that may be shown and saved: without the way to it on the sender's disk (`C:\…`, `../…`), and without characters that hide what it
 * ends in. It is never part of a path of ours. Throws `attachment.refused` where nothing is left, or where it names a program.
 */
export function safeFileName(given: string): string {
  const name = (given.normalize('NFC').replace(invisibleCharacters, '').split(/[/\\]/).at(-1) ?? '').replace(/^\s+|[\s.]+$/g, '');
  if (name === '') throw refused({ path: 'file_name', message: 'The file needs a name' });
  if (name.length > attachmentRules.maxNameLength) throw refused({ path: 'file_name', message: 'The name of the file is too long' });
  if (isRefusedName(name)) throw refused({ path: 'file_name', message: refusalOfName(name) });
  return name;
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/['()*!]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** RFC 6266: the name as it is (RFC 8187), and beside it one in ASCII for whoever does not know that form. */
function dispositionOf(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.normalize('NFD').replace(/\p{M}/gu, '').replace(/[^\x20-\x7e]|["\\%]/g, '_'); // prettier-ignore
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded(name)}`;
}

/**
 * What a browser is told of a file. Pictures by their bytes may be shown in the page; everything else is bytes to be saved, whatever it is:
 * a page or a drawing with scripts in it must not run as ours.
 */
export function headersOf(file: { file_name: string; content_type: string; size: number }, cacheSeconds: number): Record<string, string> {
  const inline = isInline(file.content_type);
  return {
    'content-type': inline ? file.content_type : 'application/octet-stream',
    'content-disposition': dispositionOf(inline ? 'inline' : 'attachment', file.file_name),
    'content-length': String(file.size),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': `private, max-age=${Math.max(0, Math.floor(cacheSeconds))}`,
  };
}
