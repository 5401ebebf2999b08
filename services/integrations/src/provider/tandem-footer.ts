import type { TaskText } from './task-tool';

/**
 * The beginning of the lines that Tandem adds below a customer's text. It identifies them when a description is read, so it must never
 * change. All text below it is ignored, regardless of its author.
 */
const label = 'Added by Tandem';
const explanation = `${label}. Text below this line is not synced.`;

/**
 * A customer's text and Tandem's lines below a rule, as Markdown. `escape` escapes plain text, `lineEnd` ends one of Tandem's lines, and
 * `keep` converts the text below our lines back into the tool's form.
 */
export function markdownOf(
  { text, lines, below: rest }: TaskText,
  escape: (text: string) => string,
  lineEnd: string,
  keep: (below: string) => string = escape,
): string {
  const own = lines.map(({ label: name, text: value, url }) => {
    const shown = url === undefined || url === value ? escape(value) : `${escape(value)} – ${escape(url)}`;
    return `${escape(name)}: ${shown}`;
  });
  const above = text?.trim() ? escape(text) : '';
  if (own.length === 0) return above;
  const block = ['---', '', [`*${explanation}*`, ...own].join(lineEnd)].join('\n');
  const below = rest ? `${block}\n\n${keep(rest)}` : block;
  return above ? `${above}\n\n${below}` : below;
}

const isOurs = new RegExp(String.raw`^[^\p{L}\p{N}]*${label}\b`, 'u');
const isBlank = (line: string): boolean => line.trim() === '';
const isRule = (line: string): boolean => /^[\s*_\-–—⸺⸻=\\]+$/u.test(line);

/** The first of the lines about the other tickets of a shared task (`merge/sharing.ts`). */
const areOthers = /^\s*Customers: /;

/**
 * Whether our own lines in any of these descriptions contain `marker`. The customer's text above them is not searched, because it may
 * contain anything.
 */
export const footerContains = (descriptions: (string | null | undefined)[], marker: string): boolean =>
  descriptions.some((description) => {
    const lines = (description ?? '').split('\n');
    const at = lines.findLastIndex((line) => isOurs.test(line));
    const own = at === -1 ? [] : lines.slice(at);
    // The lines below the number of customers list other tickets, for which the task was not created.
    const others = own.findIndex((line) => areOthers.test(line));
    return own
      .slice(0, others === -1 ? undefined : others)
      .join('\n')
      .includes(marker);
  });

/** A description with our lines replaced: the Markdown above and below them stays unchanged and is not escaped again. */
export function withFooter(description: string, lines: TaskText['lines'], escape: (text: string) => string, lineEnd: string): string {
  const all = description.replace(/\r\n?/g, '\n').split('\n');
  const at = all.findLastIndex((line) => isOurs.test(line));
  const above = (at === -1 ? all : withoutRule(all.slice(0, at))).join('\n').trimEnd();
  const below = textBelowFooter(description);
  const block = markdownOf({ text: null, lines, ...(below !== null && { below }) }, escape, lineEnd, (text) => text);
  return above ? `${above}\n\n${block}` : block;
}

function withoutRule(lines: string[]): string[] {
  const kept = [...lines];
  while (kept.length > 0 && isBlank(kept.at(-1) ?? '')) kept.pop();
  // Only one, because the text itself may end with a rule.
  if (isRule(kept.at(-1) ?? '')) kept.pop();
  return kept;
}

/** The beginnings of the lines below the label, as `push/draft.ts` writes them. A tool may move a URL to its own line. */
const isFooterLine = /^\s*(?:(?:Tickets?|Customers?): |https?:\/\/\S+\/tickets\/[\w-]+$)/;

/** The text below our lines, regardless of its author; null if there is none. */
export function textBelowFooter(description: string | null | undefined): string | null {
  const lines = (description ?? '').replace(/\r\n?/g, '\n').split('\n');
  const at = lines.findLastIndex((line) => isOurs.test(line));
  if (at === -1) return null;
  const after = lines.slice(at + 1);
  const first = after.findIndex((line) => !isBlank(line) && !isFooterLine.test(line));
  return first === -1 ? null : after.slice(first).join('\n').trimEnd();
}

/**
 * The text above our lines, which are identified by their label, however the tool formats rules, emphasis and line ends. Null if there is
 * none.
 */
export function withoutFooter(description: string | null | undefined): string | null {
  const lines = (description ?? '').replace(/\r\n?/g, '\n').split('\n');
  const at = lines.findLastIndex((line) => isOurs.test(line));
  const kept = at === -1 ? lines : withoutRule(lines.slice(0, at));
  const trimmed = kept.map((line) => line.trimEnd());
  const first = trimmed.findIndex((line) => line !== '');
  return first === -1 ? null : trimmed.slice(first, trimmed.findLastIndex((line) => line !== '') + 1).join('\n');
}
