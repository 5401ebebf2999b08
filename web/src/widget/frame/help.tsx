/** @jsxImportSource preact */
import type { ArticleMatch, PublicArticle } from '@tandem/contracts';
import { readArticlePicture } from '@tandem/contracts/endpoints';
import { articleHeadings, articleSuggestions, directionOf, renderMarkdown } from '@tandem/contracts/values';
import { h, type ComponentChildren, type RefObject } from 'preact';
import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import { afterRest } from '../../lib/after-rest';
import { urlOf } from '../../lib/api-url';
import { call } from '../../lib/call';
import type { Answer, Calls } from './calls';
import { Failed } from './components';
import { markdownElement } from './ConversationView';
import { useTexts } from './texts';

interface SuggestionsProps {
  /** At least `articleSuggestions.characters` long. */
  subject: string;
  field: RefObject<HTMLInputElement | null>;
  calls: Calls;
  onOpen: (number: number) => void;
}

/** Articles that may answer the visitor's question before they send it. Nothing is shown if there are none. */
export function Suggestions({ subject, field, calls, onOpen }: SuggestionsProps) {
  const t = useTexts();
  const id = useId();
  const articles = useSuggestions(subject, field, calls);
  return (
    <>
      <p role="status" class="away">
        {articles.length > 0 && t('suggest.count', { count: articles.length })}
      </p>
      {articles.length > 0 && (
        <section aria-labelledby={id} class="suggestions">
          <h2 id={id}>{t('suggest.title')}</h2>
          <ul>
            {articles.map(({ number, title, language }) => (
              <li key={number}>
                <button type="button" class="link" lang={language} dir={directionOf(language)} onClick={() => onOpen(number)}>
                  {title}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** Same as in `features/portal/help/Suggestions.tsx`, which uses React: they appear only while the subject has the focus. */
function useSuggestions(subject: string, field: RefObject<HTMLInputElement | null>, calls: Calls): ArticleMatch[] {
  const { language } = useTexts();
  const [found, setFound] = useState<ArticleMatch[]>([]);
  const [shown, setShown] = useState<ArticleMatch[]>([]);
  useEffect(
    () =>
      afterRest(
        articleSuggestions.pauseMs,
        (signal) => calls.suggest(subject, language, signal),
        ({ value = [] }) => setFound(value.slice(0, articleSuggestions.max)),
      ),
    [subject, language, calls],
  );
  useEffect(() => {
    const input = field.current;
    if (!input || found === shown) return;
    const show = () => setShown(found);
    if (document.activeElement === input) return show();
    input.addEventListener('focus', show);
    return () => input.removeEventListener('focus', show);
  }, [field, found, shown]);
  return shown;
}

interface ArticleViewProps {
  number: number;
  calls: Calls;
  onSolved: () => void;
  onContinue: () => void;
}

export function ArticleView({ number, calls, onSolved, onContinue }: ArticleViewProps) {
  const t = useTexts();
  const [answer, setAnswer] = useState<Answer<PublicArticle>>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    let left = false;
    void calls.article(number).then((received) => {
      if (!left) setAnswer(received);
    });
    return () => {
      left = true;
    };
  }, [calls, number, round]);
  return (
    <>
      {!answer && <p aria-busy="true">{t('frame.loading')}</p>}
      {answer?.problem && <Failed title={t('suggest.failed')} problem={answer.problem} onRetry={() => setRound((before) => before + 1)} />}
      {answer?.value && <Article article={answer.value} />}
      <p class="choices">
        {answer?.value && (
          <button type="button" class="primary" onClick={onSolved}>
            {t('suggest.solved')}
          </button>
        )}
        <button type="button" class="secondary" onClick={onContinue}>
          {t('suggest.continue')}
        </button>
      </p>
    </>
  );
}

/** The title of the frame is its h1, and that of the article an h2. */
const headingTags = { h2: 'h3', h3: 'h4', h4: 'h5' } as const;

function Article({ article: { title, body, language, pictures } }: { article: PublicArticle }) {
  const text = useMemo(() => {
    const headings = articleHeadings(body);
    let index = 0;
    return renderMarkdown<ComponentChildren>(body, {
      element: markdownElement,
      text: (each) => each,
      picture: (name, alt, key) => {
        const file = pictures.find(({ file_name }) => file_name === name);
        if (!file) return `[${alt || name}]`;
        return <img key={key} src={urlOf(call(readArticlePicture, { params: { id: file.id } }))} alt={alt} loading="lazy" />;
      },
      heading: (_level, key, children) => h(headingTags[headings[index++]!.tag], { key }, children),
    });
  }, [body, pictures]);
  return (
    <article lang={language} dir={directionOf(language)}>
      <h2>{title}</h2>
      <div class="text">{text}</div>
    </article>
  );
}

export function Solved({ onBack }: { onBack: () => void }) {
  const t = useTexts();
  return (
    <div class="outcome" role="status">
      <h2>{t('suggest.done')}</h2>
      <p>{t('suggest.done_text')}</p>
      <button type="button" class="secondary" onClick={onBack}>
        {t('suggest.back')}
      </button>
    </div>
  );
}
