import type { ArticleMatch } from '@tandem/contracts';
import { articleLimits, articlePath, directionOf } from '@tandem/contracts/values';
import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Rich } from '../../../ui/Rich';
import { useTexts } from '../language/texts';
import { portalInput } from '../PortalFrame';
import { refusalOf } from '../refusal';
import { formLink } from './NeedHelp';
import { useHelpSearch, type SearchResult } from './use-help-search';

/** The search field. Results replace `children`. */
export function HelpSearch({ children }: { children: ReactNode }) {
  const t = useTexts();
  const search = useHelpSearch();
  const part = useRef<HTMLDivElement>(null);
  return (
    <div ref={part} onKeyDown={(event) => moveFocus(event, part.current)}>
      <form role="search" onSubmit={(event) => event.preventDefault()} className="mb-8">
        <input
          type="search"
          name="q"
          aria-label={t('help.search')}
          placeholder={t('help.search')}
          value={search.text}
          onChange={(event) => search.change(event.target.value)}
          maxLength={articleLimits.query}
          autoComplete="off"
          enterKeyHint="search"
          className={portalInput}
        />
      </form>
      {search.result ? <Results result={search.result} onRetry={search.retry} onOpen={search.count} /> : children}
    </div>
  );
}

/** The arrow keys move between the field and the results. */
function moveFocus(event: KeyboardEvent, part: HTMLElement | null): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !part || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const stops = [...part.querySelectorAll<HTMLElement>('input, [data-result]')];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  const next = at === -1 ? undefined : stops[at + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function Results({ result, onRetry, onOpen }: { result: SearchResult; onRetry: () => void; onOpen: () => void }) {
  const t = useTexts();
  const { query, articles, problem } = result;
  if (problem) return <ErrorNote title={t('help.search_failed')} detail={refusalOf(problem, t)} onRetry={onRetry} />;
  if (articles.length === 0)
    return (
      <>
        <p className="font-medium [overflow-wrap:anywhere]">{t('help.no_result', { query })}</p>
        <p className="mt-2 text-muted">
          <Rich text={t('help.no_result_text')} tags={{ link: formLink }} />
        </p>
      </>
    );
  return (
    <ul aria-label={t('help.results', { count: articles.length })} className="flex flex-col gap-3">
      {articles.map((article) => (
        <Match key={article.number} article={article} onOpen={onOpen} />
      ))}
    </ul>
  );
}

const Match = ({ article, onOpen }: { article: ArticleMatch; onOpen: () => void }) => (
  <li
    lang={article.language}
    dir={directionOf(article.language)}
    className="relative rounded-lg border bg-surface p-4 [overflow-wrap:anywhere] transition-colors hover:border-accent-line"
  >
    <Link
      data-result
      to={articlePath(article)}
      onClick={onOpen}
      className="font-medium text-accent-text after:absolute after:inset-0 after:rounded-lg"
    >
      {article.title}
    </Link>
    {article.category_name && (
      <p className="text-sm text-muted">
        <bdi>{article.category_name}</bdi>
      </p>
    )}
    <p className="mt-1 text-md text-pretty text-muted">{article.excerpt ?? article.summary}</p>
  </li>
);
