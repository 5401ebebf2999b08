/** A mention that is being typed: where its @ stands, and what was typed since. */
export interface MentionQuery {
  start: number;
  query: string;
}

/** The mention in which the cursor stands: an @ at the beginning of a word, and at most two words after it. */
export function mentionAt(text: string, cursor: number): MentionQuery | undefined {
  const match = /(?:^|[\s(])@([\p{L}\p{M}\p{N}.'_-]*(?: [\p{L}\p{M}\p{N}.'-]*)?)$/u.exec(text.slice(Math.max(0, cursor - 80), cursor));
  const query = match?.[1];
  return query === undefined ? undefined : { start: cursor - query.length - 1, query };
}

/** The text with the name in the mention's place, and where the cursor stands after it. */
export function withMention(text: string, { start, query }: MentionQuery, name: string): { text: string; cursor: number } {
  const before = `${text.slice(0, start)}@${name} `;
  return { text: before + text.slice(start + 1 + query.length).replace(/^ /, ''), cursor: before.length };
}
