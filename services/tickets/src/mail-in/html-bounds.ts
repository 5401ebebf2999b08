/** Maximum length of an HTML part in UTF-16 units; emails written by people stay below it, including the markup that mail programs add. */
const maxLength = 500_000;
/** Maximum nesting of open tags. HTML parsers keep them in a list whose cost grows with the square of its length. */
const maxOpen = 500;
/**
 * Maximum number of start and end tags. The nesting counted here can differ from a parser's, because parsers disagree about comments and
 * optional end tags, but no page is nested deeper than it has tags.
 */
const maxTags = 30_000;
/** Void elements, and those with optional end tags: without their end tags they do not add to the nesting. */
const unclosed = /^(?:p|li|td|th|tr|dt|dd|option|thead|tbody|tfoot|br|img|hr|meta|link|input|col|area|base|wbr|source|embed|param|track)$/i;

/** Truncates an HTML part where it exceeds the limits on length, nesting or number of tags. */
export function boundedHtml(html: string): string {
  const cut = html.length > maxLength ? html.slice(0, maxLength) : html;
  let open = 0;
  let tags = 0;
  for (const { 1: end, 2: name, index } of cut.matchAll(/<(\/?)([a-z][a-z0-9]{0,20})/gi)) {
    if (++tags > maxTags) return cut.slice(0, index);
    if (unclosed.test(name!)) continue;
    open = Math.max(0, open + (end ? -1 : 1));
    if (open > maxOpen) return cut.slice(0, index);
  }
  return cut;
}
