import { slugOf } from './articles';
import { renderMarkdown } from './markdown-elements';

export interface ArticleHeading {
  tag: 'h2' | 'h3' | 'h4';
  text: string;
  /** Unique in the article, for links to its sections. */
  id: string;
}

/** The title is the h1 of the page. */
const tagOf = (level: number): ArticleHeading['tag'] => (level <= 2 ? 'h2' : level === 3 ? 'h3' : 'h4');

/** The headings of an article, in the order in which `renderMarkdown` passes them to `heading`. */
export function articleHeadings(body: string): ArticleHeading[] {
  const headings: ArticleHeading[] = [];
  const ids = new Set<string>();
  /** The next number to try for each slug: an article may repeat one heading thousands of times. */
  const next = new Map<string, number>();
  const addId = (text: string): string => {
    const slug = slugOf(text) || 'section';
    let count = next.get(slug) ?? 1;
    let id = count === 1 ? slug : `${slug}-${count}`;
    for (; ids.has(id); id = `${slug}-${count}`) count += 1;
    next.set(slug, count + 1);
    ids.add(id);
    return id;
  };
  renderMarkdown<string>(body, {
    element: (_tag, _key, children) => children.join(''),
    text: (text) => text,
    picture: (_file, alt) => alt,
    heading: (level, _key, children) => {
      const text = children.join('').trim();
      headings.push({ tag: tagOf(level), text, id: addId(text) });
      return '';
    },
  });
  return headings;
}
