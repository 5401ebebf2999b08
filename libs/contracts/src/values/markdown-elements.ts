import { parseMarkdown, type MarkdownBlock, type MarkdownInline } from './markdown';

export type MarkdownTag = 'p' | 'pre' | 'blockquote' | 'ul' | 'ol' | 'li' | 'strong' | 'em' | 's' | 'code' | 'a';
export interface MarkdownAttributes {
  /** The address of a link: http, https or mailto. */
  href?: string;
  /** The first number of a numbered list. */
  start?: number;
}

/** How one page or email shows Markdown. Nothing is passed as HTML: a text is always a text node of the caller. */
export interface MarkdownOutput<Node> {
  element: (tag: MarkdownTag, key: string | number, children: Node[], attributes: MarkdownAttributes) => Node;
  /** `tag` is the block or inline element that contains the text. */
  text: (text: string, key: number, tag: MarkdownTag) => Node;
  /** `file` is the name of a file of the same comment, or of no file at all. */
  picture: (file: string, alt: string, key: number) => Node;
  /**
   * A heading, for articles. Without it a heading is a bold paragraph: the page of a ticket has its own outline, and a comment must not
   * add to it.
   */
  heading?: (level: number, key: string | number, children: Node[]) => Node;
}

const inlineTags = { strong: 'strong', emphasis: 'em', strike: 's' } as const;

/** Which element each part of Markdown becomes: the same in the staff app, on the customer's pages, in the widget and in emails. */
export function renderMarkdown<Node>(text: string, { element, text: textNode, picture, heading }: MarkdownOutput<Node>): Node[] {
  const inline = (parts: MarkdownInline[], tag: MarkdownTag): Node[] =>
    parts.map((part, key) => {
      switch (part.type) {
        case 'text':
          return textNode(part.text, key, tag);
        case 'code':
          return element('code', key, [textNode(part.text, 0, 'code')], {});
        case 'picture':
          return picture(part.file, part.alt, key);
        case 'link':
          return element('a', key, inline(part.children, 'a'), { href: part.href });
        default:
          return element(inlineTags[part.type], key, inline(part.children, inlineTags[part.type]), {});
      }
    });
  const block = (each: MarkdownBlock, key: string | number): Node => {
    switch (each.type) {
      case 'paragraph':
        return element('p', key, inline(each.children, 'p'), {});
      case 'heading':
        return heading
          ? heading(each.level, key, inline(each.children, 'strong'))
          : element('p', key, [element('strong', 0, inline(each.children, 'strong'), {})], {});
      case 'code':
        return element('pre', key, [element('code', 0, [textNode(each.text, 0, 'pre')], {})], {});
      case 'quote':
        return element('blockquote', key, each.children.map(block), {});
      case 'list': {
        const items = each.items.map((item, index) => element('li', index, itemOf(item), {}));
        return element(each.ordered ? 'ol' : 'ul', key, items, each.ordered && each.start !== 1 ? { start: each.start } : {});
      }
    }
  };
  /** The first paragraph of an item is on the line of its bullet. */
  const itemOf = (item: MarkdownBlock[]): Node[] =>
    item.flatMap((each, index) =>
      index === 0 && each.type === 'paragraph' ? inline(each.children, 'li') : [block(each, `block ${index}`)],
    );
  return parseMarkdown(text).map(block);
}

/** The names of the files that a text shows as pictures. */
export function picturesIn(text: string): Set<string> {
  const names = new Set<string>();
  renderMarkdown<null>(text, { element: () => null, text: () => null, picture: (file) => (names.add(file), null) });
  return names;
}

/** The Markdown that shows this file of the comment. */
export const pictureMarkdown = (file: string): string =>
  `![${file.replace(/[[\]\\]/g, '')}](${encodeURIComponent(file.toWellFormed()).replace(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'))})`;
