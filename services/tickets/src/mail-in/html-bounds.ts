/** UTF-16 units of an HTML part that are looked at: what people write with all that programs add stays below it. */
const maxLength = 500_000;
/** Open tags in each other. What reads HTML keeps them in a list whose cost grows with the square of its length. */
const maxOpen = 500;
/**
 * Tags in all, beginnings and ends. What stands in a comment for one reader stands in the page for another, and a tag whose end may be left
 * out can be in one that may as well: no count from outside says how deep it is for both, but no page is deeper than it has tags.
 */
const maxTags = 30_000;
/** Tags that stand alone, or that the next of their kind closes: a page without their ends is not deep. */
const unclosed = /^(?:p|li|td|th|tr|dt|dd|option|thead|tbody|tfoot|br|img|hr|meta|link|input|col|area|base|wbr|source|embed|param|track)$/i;

/** An HTML part up to where it becomes longer, deeper or fuller of tags than a mail is. */
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
