/** HTML as React writes it: every element is closed, and attribute values are in double quotes. */
export interface Element {
  tag: string;
  attributes: Record<string, string>;
  children: Node[];
}
export type Node = string | Element;

const tokens = /<(\/?)([a-z][a-z0-9]*)((?:\s+[\w:-]+(?:="[^"]*")?)*)\s*\/?>|([^<]+)/gi;
const empty = new Set(['br', 'hr', 'img', 'input', 'link', 'meta']);
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#39': "'", nbsp: ' ' };
const decode = (text: string): string => text.replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);

export function parse(html: string): Element {
  const root: Element = { tag: 'div', attributes: {}, children: [] };
  const open = [root];
  for (const [, closing, tag = '', attributes = '', text] of html.matchAll(tokens)) {
    if (text !== undefined) open.at(-1)!.children.push(decode(text));
    else if (closing) open.pop();
    else {
      const pairs = [...attributes.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)].map(([, name, value = '']) => [name!, decode(value)] as const);
      const element: Element = { tag, attributes: Object.fromEntries(pairs), children: [] };
      open.at(-1)!.children.push(element);
      if (!empty.has(tag)) open.push(element);
    }
  }
  return root;
}

interface Place {
  /** Turns the address of a link into one that works outside of the page. */
  link: (href: string) => string;
  /** Added to the level of headings: content below the name of a tab is one level deeper. */
  shift: number;
  isInSection: boolean;
}

export const isElement = (node: Node): node is Element => typeof node !== 'string';
/** Controls and decoration. */
const isOmitted = (node: Node): boolean =>
  isElement(node) &&
  (['button', 'svg', 'caption', 'nav'].includes(node.tag) ||
    node.attributes['aria-hidden'] === 'true' ||
    'hidden' in node.attributes ||
    /(^| )print:hidden( |$)/.test(node.attributes.class ?? ''));
const blockTags = new Set('article aside dd div dl dt footer h1 h2 h3 h4 header li main ol p pre section table ul'.split(' '));
const isBlock = (node: Node): boolean => isElement(node) && blockTags.has(node.tag);

export const shown = ({ children }: Element): Node[] => children.filter((node) => !isOmitted(node));
export const textOf = (node: Node): string => (isElement(node) ? shown(node).map(textOf).join('') : node);
const elements = (element: Element, ...tags: string[]): Element[] =>
  shown(element)
    .filter(isElement)
    .flatMap((child) => (tags.includes(child.tag) ? [child] : elements(child, ...tags)));

const inline = (nodes: Node[], place: Place): string => nodes.map((node) => inlineNode(node, place)).join('');

function inlineNode(node: Node, place: Place): string {
  if (!isElement(node)) return node.replace(/\s+/g, ' ').replace(/[\\*_`<[\]]/g, '\\$&');
  const content = inline(shown(node), place);
  switch (node.tag) {
    case 'a':
      return `[${content}](${place.link(node.attributes.href ?? '')})`;
    case 'code':
      return `\`${textOf(node)}\``;
    case 'strong':
    case 'b':
      return `**${content}**`;
    case 'em':
    case 'i':
      return `*${content}*`;
    case 'br':
      return ' ';
    case 'input':
      return '[ ] ';
    default:
      return content;
  }
}

/** The blocks of some content. Text between blocks is a paragraph. */
function blocks(nodes: Node[], place: Place): string[] {
  const found: string[] = [];
  let line: Node[] = [];
  const endLine = () => {
    const text = inline(line, place).trim();
    if (text !== '') found.push(text);
    line = [];
  };
  for (const node of nodes) {
    if (isElement(node) && isBlock(node)) {
      endLine();
      found.push(...block(node, place));
    } else if (isElement(node) && shown(node).some(isBlock)) {
      endLine();
      found.push(...blocks(shown(node), place));
    } else line.push(node);
  }
  endLine();
  return found;
}

function block(element: Element, place: Place): string[] {
  const { tag, attributes } = element;
  const heading = (level: number) => [`${'#'.repeat(level)} ${textOf(element).trim()}`];
  if ('data-heading' in attributes) return heading(place.isInSection ? 3 : 2);
  if (/^h[1-4]$/.test(tag)) return heading(Number(tag[1]) + place.shift);
  if (tag === 'pre') return [`\`\`\`\n${textOf(element)}\n\`\`\``];
  if (tag === 'ul' || tag === 'ol') return [list(element, place)];
  if (tag === 'dl') return [definitions(element, place)];
  if (tag === 'table') return [table(element, place)];
  const children = shown(element);
  const isTab = children.some((child) => isElement(child) && 'data-heading' in child.attributes);
  return blocks(children, {
    ...place,
    shift: isTab && !place.isInSection ? 1 : place.shift,
    isInSection: place.isInSection || tag === 'section',
  });
}

function list(element: Element, place: Place): string {
  return elements(element, 'li')
    .map((item, at) => {
      const marker = element.tag === 'ol' ? `${at + 1}. ` : '- ';
      return (
        marker +
        blocks(shown(item), place)
          .join('\n\n')
          .replace(/\n(?=.)/g, `\n${' '.repeat(marker.length)}`)
      );
    })
    .join('\n');
}

function definitions(element: Element, place: Place): string {
  return elements(element, 'dt', 'dd')
    .map((each) => (each.tag === 'dt' ? `- **${inline(shown(each), place)}**: ` : `${inline(shown(each), place)}\n`))
    .join('')
    .trimEnd();
}

function table(element: Element, place: Place): string {
  const rows = elements(element, 'tr').map((row) =>
    elements(row, 'th', 'td').map((cell) => inline(shown(cell), place).trim().replaceAll('|', '\\|')),
  );
  const [head = [], ...body] = rows.map((cells) => `| ${cells.join(' | ')} |`);
  return [head, `|${' --- |'.repeat(rows[0]?.length ?? 0)}`, ...body].join('\n');
}

/** Markdown with the content of a page. Controls, decoration and what is not printed are omitted. */
export const htmlToMarkdown = (html: string, link: (href: string) => string): string =>
  `${blocks([parse(html)], { link, shift: 0, isInSection: false }).join('\n\n')}\n`;
