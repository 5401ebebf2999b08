import { attachmentRules, isInline, isRefusedName, refusalOfName } from '@tandem/contracts/values';
import { uiLocale, uiText } from './ui-texts';

/** A file that is being uploaded, or is uploaded and not used yet. */
export interface Upload {
  /** Local to this page; React's key. */
  key: string;
  /** Missing if only the name survived a reload: the bytes are either on the server or lost. */
  file?: File;
  name: string;
  size: number;
  /** Media type as the browser reports it. */
  type: string;
  state: 'uploading' | 'done' | 'failed';
  /** 0 to 1. */
  progress: number;
  /** Error message for the user. */
  reason?: string;
  /** Whether the same file may be uploaded again: not if its content or name was refused. */
  canRetry: boolean;
  /** Set once the upload is announced; goes into `attachment_ids` when the upload is done. */
  id?: string;
}

/** Why a file is not uploaded at all; undefined if it may be. The server runs its own checks. */
export function refusalOf({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  if (size === 0) return uiText('file_empty');
  if (size > attachmentRules.maxBytes) return uiText('file_too_large', { size: attachmentRules.maxBytes / 1024 / 1024 });
  if (isRefusedName(name)) return refusalOfName(name);
  return undefined;
}

/** A name that the server accepts: too long ones are cut before their extension. */
export function nameOfFile(name: string): string {
  const { maxNameLength } = attachmentRules;
  if (name.length <= maxNameLength) return name;
  const ending = /\.[^.]{1,16}$/.exec(name)?.[0] ?? '';
  return name.slice(0, maxNameLength - ending.length).toWellFormed() + ending;
}

/** Whether the tray shows a thumbnail. The unchecked media type is sufficient, because it is the user's own file. */
export const hasThumbnail = ({ file, type }: Upload): boolean => file !== undefined && isInline(type);

const isFile = (item: DataTransferItem) => item.kind === 'file' && item.webkitGetAsEntry?.()?.isDirectory !== true;
const files = ({ items, files: all }: DataTransfer): File[] =>
  items?.length ? [...items].filter(isFile).flatMap((item) => item.getAsFile() ?? []) : [...all];

/**
 * The files of a paste or a drop; empty for text. Folders are ignored. Spreadsheets and word processors put a picture next to the copied
 * text: then the text is used and the picture ignored.
 */
export function filesOf(event: { clipboardData: DataTransfer } | { dataTransfer: DataTransfer }): File[] {
  if ('dataTransfer' in event) return files(event.dataTransfer);
  return event.clipboardData.types.includes('text/plain') ? [] : files(event.clipboardData);
}

const units = ['B', 'KB', 'MB', 'GB'] as const;
/** '812 B', '1.4 MB'. */
export function sizeText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  const amount = bytes / 1024 ** power;
  return `${amount.toLocaleString(uiLocale(), { maximumFractionDigits: power === 0 || amount >= 100 ? 0 : 1 })} ${units[power]}`;
}
