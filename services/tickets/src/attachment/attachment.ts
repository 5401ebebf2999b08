import {
  AppError,
  attachmentRules,
  invisibleCharacters,
  isInline,
  isRefusedName,
  refusalOfName,
  type FieldProblem,
} from '@tandem/contracts';

/** Maximum number of a person's unused files, announced or uploaded. */
export const maxUnused = 100;
/** The same for all customers of an organization together, because they have no accounts to count by. */
export const maxUnusedOfCustomers = 500;

/**
 * A file may be used for `unusedHours` and is removed ten minutes later. The margin keeps a text from attaching a file that is being
 * removed, even if the clocks of two machines differ.
 */
const hourMs = 3_600_000;
const marginMs = 10 * 60_000;
export const usableSince = (nowMs: number): string => new Date(nowMs - attachmentRules.unusedHours * hourMs).toISOString();
export const removableBefore = (nowMs: number): string => new Date(nowMs - attachmentRules.unusedHours * hourMs - marginMs).toISOString();

export const attachmentRefused = (field: Omit<FieldProblem, 'code'>): AppError =>
  new AppError('attachment.refused', { detail: field.message, fields: [{ ...field, code: 'refused' }] });

/**
 * A name that is safe to show and save: without the sender's directories (`C:\…`, `../…`) and without invisible characters that disguise
 * the extension. It is never part of one of our paths. Throws `attachment.refused` if nothing is left or if it names a program.
 */
export function safeFileName(given: string): string {
  const name = (given.normalize('NFC').replace(invisibleCharacters, '').split(/[/\\]/).at(-1) ?? '').replace(/^\s+|[\s.]+$/g, '');
  if (name === '') throw attachmentRefused({ path: 'file_name', message: 'The file needs a name' });
  if (name.length > attachmentRules.maxNameLength) throw attachmentRefused({ path: 'file_name', message: 'The file name is too long' });
  if (isRefusedName(name)) throw attachmentRefused({ path: 'file_name', message: refusalOfName(name) });
  return name;
}

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/['()*!]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** RFC 6266: the exact name (RFC 8187), and an ASCII version for clients that do not support that form. */
function dispositionOf(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.normalize('NFD').replace(/\p{M}/gu, '').replace(/[^\x20-\x7e]|["\\%]/g, '_'); // prettier-ignore
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded(name)}`;
}

/**
 * Response headers of a file. Only images, detected by their bytes, are shown inline. Everything else is sent as a download, because an
 * HTML page or an SVG with scripts must not run on our origin.
 */
export function fileHeaders(file: { file_name: string; content_type: string; size: number }, cacheSeconds: number): Record<string, string> {
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
