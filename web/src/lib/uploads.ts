import { attachmentRules, isInline, isRefusedName, refusalOfName } from '@tandem/contracts/values';

/** A file on its way to the server, or there and not used yet. */
export interface Upload {
  /** Of this page only; React's key. */
  key: string;
  /** Missing where only its name outlived a reload: the bytes are the server's then, or lost. */
  file?: File;
  name: string;
  size: number;
  /** What the file says of itself. */
  type: string;
  state: 'uploading' | 'done' | 'failed';
  /** 0 to 1. */
  progress: number;
  /** What went wrong, as a sentence for the person. */
  reason?: string;
  /** Whether the same file may be tried again: not where it was refused for what it is. */
  canRetry: boolean;
  /** Once it is announced: what goes into `attachment_ids` when it is done. */
  id?: string;
}

/** Why a file is not even offered to the server; undefined where it may be. The server decides for itself. */
export function refusalOf({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  if (size === 0) return 'The file is empty';
  if (size > attachmentRules.maxBytes) return `Files can have ${attachmentRules.maxBytes / 1024 / 1024} MB at most`;
  if (isRefusedName(name)) return refusalOfName(name);
  return undefined;
}

/** A name that the server takes: too long ones lose their middle and keep their ending. */
export function nameOfFile(name: string): string {
  const { maxNameLength } = attachmentRules;
  if (name.length <= maxNameLength) return name;
  const ending = /\.[^.]{1,16}$/.exec(name)?.[0] ?? '';
  return name.slice(0, maxNameLength - ending.length).toWellFormed() + ending;
}

/** Whether the tray shows it as a picture. What the file says of itself is enough here: it is the person's own. */
export const hasThumbnail = ({ file, type }: Upload): boolean => file !== undefined && isInline(type);

const isFile = (item: DataTransferItem) => item.kind === 'file' && item.webkitGetAsEntry?.()?.isDirectory !== true;
const files = ({ items, files: all }: DataTransfer): File[] =>
  items?.length ? [...items].filter(isFile).flatMap((item) => item.getAsFile() ?? []) : [...all];

/**
 * The files of a paste or a drop; empty for text. Folders are no files. What a spreadsheet or a text program copies has a picture of itself
 * beside the text: there the text is meant.
 */
export function filesOf(event: { clipboardData: DataTransfer } | { dataTransfer: DataTransfer }): File[] {
  if ('dataTransfer' in event) return files(event.dataTransfer);
  return event.clipboardData.types.includes('text/plain') ? [] : files(event.clipboardData);
}

const units = ['B', 'KB', 'MB'] as const;
/** '812 B', '1.4 MB'. */
export function sizeText(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  const amount = bytes / 1024 ** power;
  return `${amount.toLocaleString('en-US', { maximumFractionDigits: power === 0 || amount >= 100 ? 0 : 1 })} ${units[power]}`;
}
