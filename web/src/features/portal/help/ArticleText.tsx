import type { PublicArticle } from '@tandem/contracts';
import { readArticlePicture } from '@tandem/contracts/endpoints';
import { articleHeadings, directionOf, type ArticleHeading } from '@tandem/contracts/values';
import { useCallback, useId, useMemo } from 'react';
import { urlOf } from '../../../lib/api-url';
import { ArticleMarkdown } from '../../../lib/article-markdown';
import { call } from '../../../lib/call';
import { useTexts } from '../language/texts';
import { portalTextLink } from '../PortalFrame';

/** Articles with fewer sections need no table of contents. */
const minSections = 3;

interface ArticleTextProps {
  article: Pick<PublicArticle, 'body' | 'pictures' | 'language'>;
  /** Whether it is the page's content: then it has a table of contents. */
  isPage?: boolean;
}

/** The text of an article, in its own language, with its pictures. */
export function ArticleText({ article: { body, pictures, language }, isPage = false }: ArticleTextProps) {
  const headings = useMemo(() => articleHeadings(body), [body]);
  const picture = useCallback(
    (name: string, alt: string) => {
      const file = pictures.find(({ file_name }) => file_name === name);
      return file && <img src={urlOf(call(readArticlePicture, { params: { id: file.id } }))} alt={alt} loading="lazy" />;
    },
    [pictures],
  );
  const sections = headings.filter(({ tag }) => tag === 'h2');
  return (
    <div lang={language} dir={directionOf(language)}>
      {isPage && sections.length >= minSections && <Contents sections={sections} />}
      <ArticleMarkdown body={body} headings={headings} hasAnchors={isPage} picture={picture} />
    </div>
  );
}

function Contents({ sections }: { sections: ArticleHeading[] }) {
  const t = useTexts();
  const id = useId();
  return (
    <nav aria-labelledby={id} className="mb-6 rounded-lg border bg-surface p-4">
      <p id={id} lang={t.language} className="text-sm font-medium text-muted">
        {t('help.contents')}
      </p>
      <ul>
        {sections.map((section) => (
          <li key={section.id}>
            <a href={`#${section.id}`} className={`inline-flex min-h-9 items-center ${portalTextLink}`}>
              {section.text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
