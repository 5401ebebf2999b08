import { isBalanced, plainText, withoutStrings } from './css-value';

/** The place of the public pages in which an organization's style sheet holds. */
const place = '.portal';
/** What stands for the whole page means the whole portal. */
const root = /^(?:html|body|:root|:scope|\.portal)(?![\w-])/i;

/** What follows the first compound selector, blanks left out. Brackets belong to the compound, however deep; strings have been taken out. */
function afterCompound(bare: string): string {
  let depth = 0;
  for (const [index, character] of [...bare].entries()) {
    if ('(['.includes(character)) depth += 1;
    else if (')]'.includes(character)) depth -= 1;
    else if (depth === 0 && ' >+~|,'.includes(character)) return bare.slice(index).trimStart();
  }
  return '';
}

/**
 * One selector below `.portal`, or undefined where it cannot be held there: a sibling of the portal is outside of it, and `&` and escapes
 * mean more than they show.
 */
export function scopedSelector(typed: string): string | undefined {
  const selector = plainText(typed);
  const bare = withoutStrings(selector);
  if (selector === '' || /[^\w\s.#:()[\]="'*>+~,^$|-]/.test(selector) || /["']/.test(bare.replaceAll('""', ''))) return undefined;
  if (!isBalanced(bare)) return undefined;
  if (!root.test(selector)) return /^[+~|,]/.test(selector) ? undefined : `${place} ${selector}`;
  // `html body .x` is `.portal .x`.
  let inner = selector;
  for (let next = inner; next !== '';) {
    const shorter = inner.replace(root, '').replace(/^\s*>?\s*/, '');
    next = root.test(shorter) && /^[\s>]/.test(inner.replace(root, '')) ? shorter : '';
    if (next !== '') inner = next;
  }
  const rest = inner.replace(root, '');
  return /^[+~|,]/.test(afterCompound(withoutStrings(rest))) ? undefined : `${place}${rest}`;
}
