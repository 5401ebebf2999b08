import { ToolError, type CommentEnding, type TaskText, type TextLimit } from './task-tool';

/** Marks a shortened text, and identifies it when it is read back, so it must never change. */
const fullTextLabel = 'Full text in Tandem:';
export const isShortened = (text: string | null): boolean => text?.includes(fullTextLabel) ?? false;

function lengthOf(text: string, unit: TextLimit['unit']): number {
  if (unit === 'bytes') return Buffer.byteLength(text);
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}
export const fits = (text: string, limit: TextLimit | null): boolean => limit === null || lengthOf(text, limit.unit) <= limit.most;

/** An unlimited sequence of combining marks is one grapheme; beyond this length it is cut anywhere. */
const longestCharacter = 100;
const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** The beginning of a text, at most `most` code units long, that does not split a grapheme. */
export function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const from = Math.max(0, most - longestCharacter);
  const at = segmenter.segment(text).containing(most)?.index ?? most;
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(most - 1));
  return text.slice(0, at >= from ? at : most - Number(isHalf));
}

/** The longest beginning of a text that `isFine` accepts; undefined if it does not even accept an empty one. */
function longestBeginning(text: string, isFine: (beginning: string) => boolean): string | undefined {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isFine(text.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  let beginning = beginningOf(text, low).trimEnd();
  while (beginning !== '' && !isFine(beginning)) beginning = beginningOf(text, beginning.length - 1);
  return isFine(beginning) ? beginning : undefined;
}

export function fittedTitle(title: string, limit: TextLimit | null): string {
  if (fits(title, limit)) return title;
  return `${longestBeginning(title, (beginning) => fits(`${beginning}…`, limit)) ?? ''}…`;
}

/** A shortened customer text, followed by the URL of the full one. */
const shortened = (beginning: string, whole: string | undefined): string =>
  whole === undefined ? `${beginning}…` : `${beginning}…\n\n${fullTextLabel} ${whole}`;

/** A description as `write` returns it, with as much of the customer's text as fits next to our own lines. */
export function fittedDescription(description: TaskText, limit: TextLimit | null, write: (description: TaskText) => string): string {
  const written = write(description);
  if (fits(written, limit)) return written;
  const cut = (beginning: string) => write({ ...description, text: shortened(beginning, description.whole) });
  const beginning = longestBeginning(description.text ?? '', (each) => fits(cut(each), limit));
  if (beginning === undefined)
    throw new ToolError('refused', 'The text below the description leaves no room for it', { field: 'description' });
  return cut(beginning);
}

/** A description with the first of `candidates` for Tandem's lines that fits. The text that people wrote on the task is never shortened. */
export function fittedLines(candidates: TaskText['lines'][], limit: TextLimit | null, write: (lines: TaskText['lines']) => string): string {
  for (const lines of candidates) {
    const written = write(lines);
    if (fits(written, limit)) return written;
  }
  throw new ToolError('refused', 'The description leaves no room for Tandem’s lines', { field: 'description' });
}

/** A comment as `write` returns it. Its last line is never shortened, because it identifies our own comments. */
export function fittedComment(
  text: string,
  ending: CommentEnding | undefined,
  limit: TextLimit | null,
  write: (comment: string) => string,
): string {
  const withEnding = (content: string) => write(ending ? `${content}\n\n${ending.line}` : content);
  const written = withEnding(text);
  if (fits(written, limit)) return written;
  const cut = (beginning: string) => withEnding(shortened(beginning, ending?.whole));
  return cut(longestBeginning(text, (beginning) => fits(cut(beginning), limit)) ?? '');
}
