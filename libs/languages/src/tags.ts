const tags = /<(\w+)>(.*?)<\/\1>/gs;

/** Splits a text with tags (`Reply or <link>open a ticket</link>.`), so that the caller renders them as elements. */
export function splitTags(text: string): { tag: string | undefined; text: string }[] {
  const result: { tag: string | undefined; text: string }[] = [];
  let end = 0;
  for (const { 0: all, 1: tag, 2: inside = '', index } of text.matchAll(tags)) {
    if (index > end) result.push({ tag: undefined, text: text.slice(end, index) });
    result.push({ tag, text: inside });
    end = index + all.length;
  }
  if (end < text.length) result.push({ tag: undefined, text: text.slice(end) });
  return result;
}
