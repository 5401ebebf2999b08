import type { Article } from '@tandem/contracts';
import { articleLimits } from '@tandem/contracts/values';
import { lazy, Suspense, useEffect, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import { t } from '../../lib/staff-texts';
import { filesOf } from '../../lib/uploads';
import { Button } from '../../ui/Button';
import { DropArea } from '../../ui/DropArea';
import { FileButton } from '../../ui/FileButton';
import { FormatBar, formatOfKey } from '../../app/formatting/FormatBar';
import { useTextEdits } from '../../app/formatting/text-edits';
import { useArticlePictures } from './use-article-pictures';

const ArticlePreview = lazy(() => import('./ArticlePreview').then((module) => ({ default: module.ArticlePreview })));

interface ArticleTextBoxProps {
  article: Article;
  body: string;
  language: Article['language'];
  onChange: (body: string) => void;
  autoFocus: boolean;
}
const Preview = ({ article, body, language }: Pick<ArticleTextBoxProps, 'article' | 'body' | 'language'>) => (
  <section aria-label={t('articles.preview')} lang={language} className="min-h-64 py-4">
    {body.trim() === '' ? (
      <p className="text-muted">{t('articles.no_text_yet')}</p>
    ) : (
      <Suspense fallback={null}>
        <ArticlePreview body={body} pictures={article.pictures} />
      </Suspense>
    )}
  </section>
);

/** The Markdown of an article, with the composer's toolbar, pictures and a preview. */
export function ArticleTextBox({ article, body, language, onChange, autoFocus }: ArticleTextBoxProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [isPreview, setIsPreview] = useState(false);
  // An effect, because the header of a new page takes the focus in one.
  useEffect(() => {
    if (autoFocus) box.current?.focus();
  }, [autoFocus]);
  const { edit, format, breakLine } = useTextEdits(box, onChange);
  const pictures = useArticlePictures(article.id, (insertPicture) => {
    // While the preview is open there is no cursor: the picture goes to the end.
    if (!edit(insertPicture)) onChange(body + insertPicture({ text: body, from: body.length, to: body.length }).insert);
  });
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const as = formatOfKey(event);
    const isLineBreak = event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing;
    // Ctrl+Enter belongs to the page, which publishes.
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) return;
    if (as) format(as);
    else if (!(isLineBreak && breakLine())) return;
    event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const files = filesOf(event);
    if (files.length === 0) return;
    event.preventDefault();
    void pictures.add(files);
  };
  return (
    <DropArea onFiles={(files) => void pictures.add(files)} className="flex min-h-0 flex-col">
      <div className="sticky top-0 z-5 flex flex-wrap items-center gap-1 border-b bg-surface py-1">
        <Button variant="ghost" size="sm" aria-pressed={isPreview} onClick={() => setIsPreview(!isPreview)}>
          {isPreview ? t('articles.back_to_editing') : t('articles.preview')}
        </Button>
        {!isPreview && (
          <>
            <FormatBar onFormat={format} />
            <FileButton label={t('articles.add_pictures')} onFiles={(files) => void pictures.add(files)} />
          </>
        )}
        <span role="status" className="ml-auto text-xs text-muted">
          {pictures.isBusy && t('articles.uploading')}
        </span>
      </div>
      {isPreview ? (
        <Preview article={article} body={body} language={language} />
      ) : (
        <textarea
          ref={box}
          dir="auto"
          lang={language}
          aria-label={t('articles.text')}
          placeholder={t('articles.write_text')}
          maxLength={articleLimits.body}
          value={body}
          onChange={({ target }) => onChange(target.value)}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          className="field-sizing-content min-h-96 w-full resize-none bg-transparent py-4 leading-relaxed outline-none placeholder:text-faint touch:text-base"
        />
      )}
    </DropArea>
  );
}
