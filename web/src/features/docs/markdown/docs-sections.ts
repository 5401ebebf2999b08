import { parse, isElement, shown, textOf, type Element, type Node } from './html-to-markdown';

/** A part of a page that has an address, for the search (`/docs/search.json`). */
export interface DocsSectionText {
  /** The query and the hash of its address on the page. */
  at: string;
  /** Empty for the beginning of the page. */
  title: string;
  text: string;
}

const inlineTags = new Set(['a', 'b', 'code', 'em', 'i', 'span', 'strong']);

/** The sections of a page, in their order. Text above the first heading belongs to the page itself. */
export function docsSections(html: string): DocsSectionText[] {
  const start: DocsSectionText = { at: '', title: '', text: '' };
  const sections = [start];
  const open = (section: DocsSectionText) => {
    sections.push(section);
    return section;
  };
  const walk = (node: Node, section: DocsSectionText, tab: string): void => {
    if (!isElement(node)) {
      section.text += node;
      return;
    }
    const { tag, attributes } = node;
    if (tag === 'h1' || attributes['href']?.endsWith('.md')) return;
    const isTab = 'data-tab' in attributes;
    const query = isTab ? `?tab=${attributes['data-tab']}` : tab;
    const heading = isTab || tag === 'section' ? headingOf(node) : undefined;
    const here = heading
      ? open({ at: query + (attributes['id'] ? `#${attributes['id']}` : ''), title: textOf(heading).trim(), text: '' })
      : section;
    const space = inlineTags.has(tag) ? '' : ' ';
    here.text += space;
    for (const child of shown(node)) if (child !== heading) walk(child, here, query);
    here.text += space;
  };
  walk(parse(html), start, '');
  return sections.map((section) => ({ ...section, text: section.text.replace(/\s+/g, ' ').trim() }));
}

const headingOf = (element: Element): Element | undefined =>
  shown(element)
    .filter(isElement)
    .find(({ tag, attributes }) => /^h[2-4]$/.test(tag) || 'data-heading' in attributes);
