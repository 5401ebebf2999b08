import type { Article } from '@tandem/contracts';
import { articleHeadings } from '@tandem/contracts/values';
import { lazy, Suspense, useCallback, useMemo } from 'react';
import { ArticleMarkdown } from '../../lib/article-markdown';

// Not through AttachmentList, which would then be a separate chunk of the first load of a ticket's page.
const InlinePicture = lazy(() => import('../../app/attachments/StoredFiles').then((module) => ({ default: module.InlinePicture })));

interface PreviewProps {
  body: string;
  pictures: Article['pictures'];
}
/** The text as readers see it. */
export function ArticlePreview({ body, pictures }: PreviewProps) {
  const headings = useMemo(() => articleHeadings(body), [body]);
  const picture = useCallback(
    (name: string, alt: string) => {
      const file = pictures.find(({ file_name }) => file_name === name);
      if (!file) return undefined;
      return (
        <Suspense fallback={<span className="block h-40" />}>
          <InlinePicture file={file} alt={alt} />
        </Suspense>
      );
    },
    [pictures],
  );
  return <ArticleMarkdown body={body} headings={headings} hasAnchors={false} picture={picture} />;
}
