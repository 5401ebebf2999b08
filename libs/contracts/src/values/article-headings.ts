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
  const addId = (text: string): string => {
    const slug = slugOf(text) || 'section';
    let id = slug;
    for (let count = 2; ids.has(id); count += 1) id = `${slug}-${count}`;
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
