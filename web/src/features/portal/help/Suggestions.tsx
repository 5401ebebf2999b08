import type { ArticleMatch, PublicArticleSummary } from '@tandem/contracts';
import { readPublicArticle, searchArticles } from '@tandem/contracts/endpoints';
import { articlePath, articleSuggestions, directionOf } from '@tandem/contracts/values';
import { useEffect, useId, useMemo, useRef, useState, type MouseEvent, type RefObject } from 'react';
import { afterRest } from '../../../lib/after-rest';
import { announce } from '../../../lib/announce';
import { call } from '../../../lib/call';
import { send } from '../../../lib/http';
import { Button } from '../../../ui/Button';
import { ErrorNote } from '../../../ui/ErrorNote';
import { useTexts } from '../language/texts';
import { refusalOf } from '../refusal';
import { ArticleText } from './ArticleText';
import { recordUse, useRead } from './help';

export interface SuggestionsProps {
  /** At least `articleSuggestions.characters` long. */
  subject: string;
  field: RefObject<HTMLInputElement | null>;
  /** An article has answered the question. */
  onSolved: () => void;
}

/** Articles that may answer the customer's question before they send it. Nothing is shown if there are none. */
export function Suggestions({ subject, field, onSolved }: SuggestionsProps) {
  const t = useTexts();
  const id = useId();
  const [open, setOpen] = useState<number>();
  const articles = useSuggestions(subject, field, open !== undefined);
  const counted = useRef(new Set<number>());
  if (articles.length === 0) return null;
  const toggle = (number: number) => {
    setOpen(open === number ? undefined : number);
    if (counted.current.has(number)) return;
    counted.current.add(number);
    recordUse({ type: 'suggestion_opened', number });
  };
  const solve = (number: number) => {
    recordUse({ type: 'solved', number });
    onSolved();
  };
  return (
    <section aria-labelledby={id} className="rounded-xl border bg-surface px-4 py-3 [overflow-wrap:anywhere]">
      <h2 id={id} className="font-medium">
        {t('suggest.title')}
      </h2>
      <ul>
        {articles.map((article) => (
          <Suggestion
            key={article.number}
            article={article}
            isOpen={open === article.number}
            onToggle={() => toggle(article.number)}
            onSolved={() => solve(article.number)}
          />
        ))}
      </ul>
    </section>
  );
}

/**
 * The best articles for a subject. They appear only while the subject has the focus: above a field in which the customer already writes,
 * they would move it. While an article is open, its list stays.
 */
function useSuggestions(subject: string, field: RefObject<HTMLInputElement | null>, isReading: boolean): ArticleMatch[] {
  const t = useTexts();
  const [found, setFound] = useState<ArticleMatch[]>([]);
  const [shown, setShown] = useState<ArticleMatch[]>([]);
  useEffect(() => {
    const search = (signal: AbortSignal) =>
      send(call(searchArticles, { query: { q: subject, language: t.language, for: 'suggestions' } }), signal);
    return afterRest(articleSuggestions.pauseMs, search, ({ data = [] }) => setFound(data.slice(0, articleSuggestions.max)));
  }, [subject, t.language]);
  useEffect(() => {
    const input = field.current;
    if (!input || isReading || found === shown) return;
    const show = () => {
      setShown(found);
      if (found.length > 0) announce(t('suggest.count', { count: found.length }));
    };
    if (document.activeElement === input) return show();
    input.addEventListener('focus', show);
    return () => input.removeEventListener('focus', show);
  }, [field, found, shown, isReading, t]);
  return shown;
}

interface SuggestionProps {
  article: PublicArticleSummary;
  isOpen: boolean;
  onToggle: () => void;
  onSolved: () => void;
}
/** A link, so that the article can also be opened in another tab. A plain click opens it here, and the form stays as it is. */
function Suggestion({ article, isOpen, onToggle, onSolved }: SuggestionProps) {
  const link = useRef<HTMLAnchorElement>(null);
  const toggle = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onToggle();
  };
  const close = () => {
    onToggle();
    link.current?.focus();
  };
  return (
    <li>
      <a
        ref={link}
        href={articlePath(article)}
        lang={article.language}
        dir={directionOf(article.language)}
        aria-expanded={isOpen}
        onClick={toggle}
        className="flex min-h-11 items-center text-accent-text underline-offset-4 hover:underline"
      >
        {article.title}
      </a>
      {isOpen && <OpenArticle number={article.number} onClose={close} onSolved={onSolved} />}
    </li>
  );
}

function OpenArticle({ number, onClose, onSolved }: { number: number; onClose: () => void; onSolved: () => void }) {
  const t = useTexts();
  const article = useRead(useMemo(() => call(readPublicArticle, { params: { number } }), [number]));
  return (
    <div className="mb-3 border-t pt-3 [&_p]:text-base!">
      {article.state === 'loading' && (
        <p role="status" className="text-muted">
          {t('ui.loading')}
        </p>
      )}
      {article.state === 'failed' && (
        <ErrorNote title={t('suggest.failed')} detail={refusalOf(article.problem, t)} onRetry={article.retry} />
      )}
      {article.state === 'loaded' && <ArticleText article={article.value} />}
      <div className="mt-4 flex flex-wrap gap-3">
        {article.state === 'loaded' && (
          <Button variant="primary" size="lg" className="h-11" onClick={onSolved}>
            {t('suggest.solved')}
          </Button>
        )}
        <Button size="lg" className="h-11" onClick={onClose}>
          {t('suggest.continue')}
        </Button>
      </div>
    </div>
  );
}
