/**
 * Decides which declarations may reach the public pages. Works with allow lists on text in which CSS has only one spelling: no escapes, no
 * comments, no open strings. Declarations that are not understood are removed.
 */

/** Functions that load nothing. Excludes `image-set()`, `src()`, `image()`, `element()`, `expression()` and future functions. */
const functions = new Set(
  (
    'rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark var env calc min max clamp round mod rem abs sign ' +
    'linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient repeating-conic-gradient ' +
    'translate translatex translatey translatez translate3d rotate rotatex rotatey rotatez rotate3d scale scalex scaley scalez scale3d ' +
    'skew skewx skewy matrix matrix3d perspective blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate ' +
    'sepia cubic-bezier steps linear minmax repeat fit-content circle ellipse inset polygon path'
  ).split(' '),
);

/** Properties that can cover page content, load resources or run code. */
const forbidden = new Set(
  'z-index content behavior -ms-behavior -moz-binding overlay view-transition-name view-transition-class position-anchor position-area'.split(
    ' ',
  ),
);
/** Properties whose strings would add text to the page, as `content` would. */
const speaking = new Set(
  'list-style list-style-type text-overflow text-emphasis text-emphasis-style hyphenate-character quotes'.split(' '),
);

/** Pictures inlined in the style sheet. Without SVG, which is a document. */
const dataPicture = /url\(\s*(["']?)data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=]+\1\s*\)/gi;
const strings = /"[^"\n]*"|'[^'\n]*'/g;

/** Removes comments and line breaks. An unterminated comment keeps its start, which the checks below reject. */
export const plainText = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Maximum nesting of brackets: real style sheets need less, and parsers differ beyond that. */
const deepest = 30;

/** Whether every bracket is closed by its own kind. Strings have been removed. */
export function isBalanced(text: string): boolean {
  const open: string[] = [];
  const pairs: Record<string, string> = { ')': '(', ']': '[' };
  for (const character of text) {
    if (character === '(' || character === '[') open.push(character);
    if (open.length > deepest) return false;
    if (character in pairs && open.pop() !== pairs[character]) return false;
  }
  return open.length === 0;
}

export const withoutStrings = (text: string): string => text.replace(strings, '""');

function isSafeValue(property: string, value: string): boolean {
  const opaque = value.replace(dataPicture, 'picture');
  // Rejected in strings too: the sheet is embedded in a page, where another parser may read it.
  if (/[\\<{}@;]|\/\*/.test(opaque)) return false;
  const bare = withoutStrings(opaque);
  if (/[^\x20-\x7e]/.test(bare) || /["']/.test(bare.replaceAll('""', '')) || !isBalanced(bare)) return false;
  // A colon means a URL; no valid value contains one.
  if (bare.includes(':') || (speaking.has(property) && /"|var\(/i.test(bare))) return false;
  return [...bare.matchAll(/([\w-]*)\(/g)].every(([, name = '']) => name === '' || functions.has(name.toLowerCase()));
}

/** `property:value`, or undefined if the declaration is not allowed. */
export function safeDeclaration(property: string, typed: string, important: boolean): string | undefined {
  const name = property.startsWith('--') ? property : property.toLowerCase();
  const value = plainText(typed);
  if (!/^-{0,2}[a-z][\w-]*$/i.test(name) || value === '' || forbidden.has(name)) return undefined;
  if (name === 'position' && !/^(?:static|relative)$/i.test(value)) return undefined;
  if (!isSafeValue(name, value)) return undefined;
  return `${name}:${value}${important ? '!important' : ''}`;
}
