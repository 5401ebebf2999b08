import { isBalanced, plainText, withoutStrings } from './css-value';

/** The element that contains the public pages; style sheets of organizations are scoped to it. */
const place = '.portal';
/** Selectors of the whole page are mapped to the portal element. */
const root = /^(?:html|body|:root|:scope|\.portal)(?![\w-])/i;

/**
 * The selector after its first compound, without leading spaces. Brackets at any depth are part of the compound; strings have been removed.
 */
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
 * The selector scoped to `.portal`, or undefined if it cannot be: siblings of the portal are outside of it, and `&` and escapes can match
 * more than is visible.
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
