/** A mention being typed: the position of its @, and the text after it. */
export interface MentionQuery {
  start: number;
  query: string;
}

/** The mention at the cursor: an @ at the start of a word, followed by at most two words. */
export function mentionAt(text: string, cursor: number): MentionQuery | undefined {
  const match = /(?:^|[\s(])@([\p{L}\p{M}\p{N}.'_-]*(?: [\p{L}\p{M}\p{N}.'-]*)?)$/u.exec(text.slice(Math.max(0, cursor - 80), cursor));
  const query = match?.[1];
  return query === undefined ? undefined : { start: cursor - query.length - 1, query };
}

/** Replaces the mention with the name, and returns the text and the new cursor position. */
export function withMention(text: string, { start, query }: MentionQuery, name: string): { text: string; cursor: number } {
  const before = `${text.slice(0, start)}@${name} `;
  return { text: before + text.slice(start + 1 + query.length).replace(/^ /, ''), cursor: before.length };
}
