import { renderMarkdown, type ArticleHeading } from '@tandem/contracts/values';
import { createElement, Fragment, useMemo, type ReactNode } from 'react';
import { cn } from './cn';
import { markdownElement, markdownLook } from './markdown';

const look = cn(
  markdownLook,
  'gap-3! [&_h2]:mt-4 [&_h2]:text-lg [&_h2]:font-semibold [&_h3]:mt-2 [&_h3]:font-semibold [&_h4]:mt-1 [&_h4]:font-medium',
  '[&_img]:max-w-full [&_img]:rounded-lg [&_img]:border [&_:is(h2,h3,h4)]:scroll-mt-4',
);

/** Around the text of an article: around HTML, too, that the gateway inserts into the first HTML of a page. */
export const ArticleBody = ({ children }: { children: ReactNode }) => <div className={look}>{children}</div>;

interface ArticleMarkdownProps {
  body: string;
  /** `articleHeadings(body)`. */
  headings: readonly ArticleHeading[];
  /** Omit the ids on a page that shows more than the article. */
  hasAnchors: boolean;
  /** Shows a picture of the article; undefined if there is none of this name. */
  picture: (file: string, alt: string) => ReactNode;
}

/** The text of an article. Unlike comments, articles have headings. */
export function ArticleMarkdown(props: ArticleMarkdownProps) {
  const { body, headings, hasAnchors, picture } = props;
  const elements = useMemo(() => elementsOf({ body, headings, hasAnchors, picture }), [body, headings, hasAnchors, picture]);
  return <ArticleBody>{elements}</ArticleBody>;
}

function elementsOf({ body, headings, hasAnchors, picture }: ArticleMarkdownProps): ReactNode[] {
  let index = 0;
  return renderMarkdown<ReactNode>(body, {
    element: markdownElement,
    text: (text) => text,
    picture: (file, alt, key) => <Fragment key={key}>{picture(file, alt) ?? `[${alt || file}]`}</Fragment>,
    heading: (_level, key, children) => {
      const { tag, id } = headings[index++]!;
      return createElement(tag, { key, dir: 'auto', ...(hasAnchors && { id }) }, ...children);
    },
  });
}
