/**
 * What of a declaration may reach the public pages. Everything here is a list of what is allowed, read from text in which CSS has no
 * second way to spell things: no escapes, no comments, no open strings. What is not understood is left out.
 */

/** Functions of which none loads anything: `image-set()`, `src()`, `image()`, `element()`, `expression()` and what comes next are not among them. */
const functions = new Set(
  (
    'rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark var env calc min max clamp round mod rem abs sign ' +
    'linear-gradient radial-gradient conic-gradient repeating-linear-gradient repeating-radial-gradient repeating-conic-gradient ' +
    'translate translatex translatey translatez translate3d rotate rotatex rotatey rotatez rotate3d scale scalex scaley scalez scale3d ' +
    'skew skewx skewy matrix matrix3d perspective blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate ' +
    'sepia cubic-bezier steps linear minmax repeat fit-content circle ellipse inset polygon path'
  ).split(' '),
);

/** They cover what stands on the page, load, or run. */
const forbidden = new Set(
  'z-index content behavior -ms-behavior -moz-binding overlay view-transition-name view-transition-class position-anchor position-area'.split(
    ' ',
  ),
);
/** Their strings would be words of the page that nobody of us wrote, as `content` would. */
const speaking = new Set(
  'list-style list-style-type text-overflow text-emphasis text-emphasis-style hyphenate-character quotes'.split(' '),
);

/** A picture that is part of the style sheet. SVG is not among them: it is a document. */
const dataPicture = /url\(\s*(["']?)data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=]+\1\s*\)/gi;
const strings = /"[^"\n]*"|'[^'\n]*'/g;

/** Without comments, in one line. A comment that does not end leaves its beginning behind, which nothing below allows. */
export const plainText = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Nobody writes more; parsers differ in what they make of more. */
const deepest = 30;

/** Whether every bracket is closed by its own kind. Strings have been taken out. */
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
  // In strings neither: the style sheet may stand in a page, and what reads it may be another parser than ours.
  if (/[\\<{}@;]|\/\*/.test(opaque)) return false;
  const bare = withoutStrings(opaque);
  if (/[^\x20-\x7e]/.test(bare) || /["']/.test(bare.replaceAll('""', '')) || !isBalanced(bare)) return false;
  // No value has a colon: addresses have.
  if (bare.includes(':') || (speaking.has(property) && /"|var\(/i.test(bare))) return false;
  return [...bare.matchAll(/([\w-]*)\(/g)].every(([, name = '']) => name === '' || functions.has(name.toLowerCase()));
}

/** `property:value`, or undefined where the declaration is left out. */
export function safeDeclaration(property: string, typed: string, important: boolean): string | undefined {
  const name = property.startsWith('--') ? property : property.toLowerCase();
  const value = plainText(typed);
  if (!/^-{0,2}[a-z][\w-]*$/i.test(name) || value === '' || forbidden.has(name)) return undefined;
  if (name === 'position' && !/^(?:static|relative)$/i.test(value)) return undefined;
  if (!isSafeValue(name, value)) return undefined;
  return `${name}:${value}${important ? '!important' : ''}`;
}
