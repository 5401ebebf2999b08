import postcss, { type Container, type Rule } from 'postcss';

/**
 * The part of a style sheet that this HTML needs: rules whose classes, attributes and elements all occur in it, and the variables,
 * properties and animations that these rules use. Conditions in parentheses (`:not(…)`, `:where(…)`) are taken to match. The order of
 * the rules and of their layers stays the same, so the whole style sheet can follow without changing anything.
 */
export function criticalCss(css: string, html: string): string {
  const sheet = postcss.parse(css);
  const mayMatch = matcherFor(html);
  sheet.walkRules((rule) => {
    if (isInKeyframes(rule)) return;
    const kept = rule.selectors.filter(mayMatch);
    if (kept.length > 0) rule.selectors = kept;
    else rule.remove();
  });
  // Removing a variable may leave those that it refers to without a use.
  while (removeUnused(sheet, html));
  return sheet.toString();
}

/** Set by scripts or by the gateway. */
const presentAttributes = ['data-theme', 'dir', 'lang'];

function matcherFor(html: string): (selector: string) => boolean {
  const found = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, name = '']) => name);
  const classes = new Set(found(/class="([^"]*)"/g).flatMap((list) => decodeHtml(list).split(/\s+/)));
  const attributes = new Set([...presentAttributes, ...found(/\s([a-z][\w-]*)=/g)]);
  const elements = new Set(['html', 'body', ...found(/<([a-z][\w-]*)/g)]);
  return (selector) => {
    const plain = withoutParentheses(selector);
    const used = (pattern: RegExp) => [...plain.matchAll(pattern)].map(([, name = '']) => name);
    return (
      used(/(?<!\\)\.((?:\\[0-9a-f]{1,6}\s?|\\.|[\w-])+)/g).every((name) => classes.has(unescapeCss(name))) &&
      used(/(?<!\\)\[([\w-]+)/g).every((name) => attributes.has(name)) &&
      used(/(?:^|[\s>+~])([a-z][\w-]*)/g).every((name) => elements.has(name))
    );
  };
}

const decodeHtml = (text: string) =>
  text.replaceAll('&gt;', '>').replaceAll('&lt;', '<').replaceAll('&#x27;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');

const unescapeCss = (name: string) =>
  name.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/g, (_all, code: string | undefined, character: string) =>
    code === undefined ? character : String.fromCodePoint(parseInt(code, 16)),
  );

/** Innermost first, because they are nested. Escaped parentheses belong to the name of a class. */
function withoutParentheses(selector: string): string {
  for (let before = ''; before !== selector;) {
    before = selector;
    selector = selector.replace(/(?<!\\)\((?:\\.|[^()\\])*\)/g, '');
  }
  return selector;
}

const isKeyframes = (name: string) => name.endsWith('keyframes');
const isInKeyframes = ({ parent }: Rule) => parent?.type === 'atrule' && isKeyframes((parent as unknown as { name: string }).name);
const isEmpty = ({ nodes }: Container) => nodes?.length === 0;

/** Returns whether anything was removed. */
function removeUnused(sheet: postcss.Root, html: string): boolean {
  const text = sheet.toString();
  const variables = new Set([...(text + html).matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => name));
  const declarations = text.replace(/@keyframes [^{]*/g, '');
  const isAnimated = (name: string) => new RegExp(`[: ,]${name}[ ,;}]`).test(declarations);
  let count = 0;
  const remove = (node: { remove: () => unknown }) => {
    node.remove();
    count += 1;
  };
  sheet.walkDecls(/^--/, (declaration) => {
    if (!variables.has(declaration.prop)) remove(declaration);
  });
  sheet.walkRules((rule) => {
    if (isEmpty(rule)) remove(rule);
  });
  sheet.walkAtRules((rule) => {
    // An empty layer still has a place in the order of layers.
    if (isEmpty(rule) && rule.name !== 'layer') remove(rule);
    else if (rule.name === 'property' && !variables.has(rule.params)) remove(rule);
    else if (isKeyframes(rule.name) && !isAnimated(rule.params)) remove(rule);
  });
  return count > 0;
}
