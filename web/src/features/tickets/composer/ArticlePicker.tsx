import type { ArticleSummary } from '@tandem/contracts';
import { articleLimits, articlePath } from '@tandem/contracts/values';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { useDispatch } from 'react-redux';
import type { AppDispatch } from '../../../app/store';
import { announce } from '../../../lib/announce';
import { cn } from '../../../lib/cn';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Badge } from '../../../ui/Badge';
import { CheckRow } from '../../../ui/CheckRow';
import { Skeleton } from '../../../ui/Skeleton';
import { articleAddress } from '../../../app/articles/article-labels';
import { usePublicAddress } from '../../../app/use-portal';
import { articlesApi, useListArticlesQuery } from '../../../app/articles/articles.api';

const shown = 8;
/** Every search is a request. */
const debounceMs = 200;

const isPublic = ({ state, visibility }: ArticleSummary) => state === 'published' && visibility === 'public';
const isDraft = ({ state }: ArticleSummary) => state === 'draft';

/** Published articles first; otherwise in the server's order. */
export const publishedFirst = (articles: readonly ArticleSummary[]): ArticleSummary[] =>
  articles.toSorted((one, other) => Number(isDraft(one)) - Number(isDraft(other)));

const titleOf = ({ published_title, title }: ArticleSummary) => published_title ?? title;

/** A title can contain characters of Markdown. */
const linkTo = (title: string, address: string) => `[${title.replace(/[\\`*_~[\]!<]/g, '\\$&')}](${address})`;

/** A comment can show only its own files. */
export const withoutPictures = (body: string): string =>
  body
    .replace(/!\[[^\]\n]*\]\([^)\n]*\)/g, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** Reads what readers see: the latest version of a published article, which its draft may differ from. */
function useText() {
  const dispatch = useDispatch<AppDispatch>();
  return async ({ id, has_unpublished_changes }: ArticleSummary): Promise<string | undefined> => {
    const { readArticle, readArticleVersion } = articlesApi.endpoints;
    const { data, error } = await dispatch(readArticle.initiate(id, { subscribe: false, forceRefetch: true }));
    if (!data) return void notify.problem(error, t('tickets.composer.couldnt_load_article'));
    if (!has_unpublished_changes || data.latest_version === null) return data.body;
    const version = await dispatch(readArticleVersion.initiate({ id, number: data.latest_version }, { subscribe: false }));
    if (!version.data) return void notify.problem(version.error, t('tickets.composer.couldnt_load_article'));
    return version.data.body;
  };
}

function useSearch(initial: () => string) {
  const [search, setSearch] = useState(initial);
  const [wanted, setWanted] = useState(search);
  useEffect(() => {
    const timer = setTimeout(() => setWanted(search), debounceMs);
    return () => clearTimeout(timer);
  }, [search]);
  const q = wanted.trim();
  const { currentData, isError, isFetching } = useListArticlesQuery({ ...(q !== '' && { q }), limit: shown });
  const isCurrent = wanted === search && !isFetching;
  const count = currentData?.items.length;
  useEffect(() => {
    if (isCurrent && count) announce(t('tickets.composer.count_articles_found', { count }));
  }, [isCurrent, count]);
  return { search, setSearch, found: currentData && publishedFirst(currentData.items), isError, isCurrent };
}

/** Runs `work` now if the search has returned, otherwise when it returns: people press Enter right after the last letter. */
function useOnceCurrent(isCurrent: boolean, work: (asText: boolean) => void) {
  const waiting = useRef<boolean>(undefined);
  useEffect(() => {
    if (!isCurrent || waiting.current === undefined) return;
    const asText = waiting.current;
    waiting.current = undefined;
    work(asText);
  });
  return (asText: boolean) => {
    if (isCurrent) work(asText);
    else waiting.current = asText;
  };
}

/** Closes on a press outside the panel. */
function useCloseOutside(onClose: () => void) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const listen = (event: PointerEvent) => !panel.current?.contains(event.target as Node) && onClose();
    document.addEventListener('pointerdown', listen);
    return () => document.removeEventListener('pointerdown', listen);
  }, [onClose]);
  return panel;
}

/** Why customers cannot open a link to the article. */
function reasonOf(article: ArticleSummary): string | undefined {
  if (isDraft(article)) return t('tickets.composer.draft_cannot_be_linked');
  return isPublic(article) ? undefined : t('tickets.composer.internal_cannot_be_linked');
}

interface OptionProps {
  article: ArticleSummary;
  /** Whether the customer sees the message. */
  isForCustomer: boolean;
  id: string;
  isActive: boolean;
  onPick: (asText: boolean) => void;
}
function Option({ article, isForCustomer, id, isActive, onPick }: OptionProps) {
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  const second = (isForCustomer ? reasonOf(article) : undefined) ?? article.summary;
  return (
    <li
      ref={element}
      role="option"
      id={id}
      aria-selected={isActive}
      onClick={({ shiftKey }) => onPick(shiftKey)}
      className={cn('cursor-default rounded-sm px-2 py-1.5', isActive ? 'bg-hover' : 'hover:bg-hover')}
    >
      <span className="flex items-center gap-1.5 font-medium">
        <span dir="auto" className="truncate">
          {titleOf(article)}
        </span>
        {isDraft(article) && <Badge tone="gray">{t('tickets.composer.draft_article')}</Badge>}
        {article.visibility === 'internal' && <Badge tone="gray">{t('tickets.composer.internal_article')}</Badge>}
      </span>
      {second && (
        <span dir="auto" className="block truncate text-xs text-muted" title={second}>
          {second}
        </span>
      )}
    </li>
  );
}

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
};

/** What is inserted for an article: a link if whoever reads the message can open it, otherwise its text; undefined if that cannot be loaded. */
function useInserted(isInternal: boolean) {
  const portal = usePublicAddress() ?? location.origin;
  const readText = useText();
  return async (article: ArticleSummary, asText: boolean): Promise<string | undefined> => {
    if (asText || !(isInternal || isPublic(article))) {
      const text = await readText(article);
      return text === undefined ? undefined : withoutPictures(text);
    }
    const title = titleOf(article);
    return linkTo(title, isPublic(article) ? portal + articlePath({ ...article, title }) : location.origin + articleAddress(article.id));
  };
}

interface FoundProps {
  id: string;
  found: ArticleSummary[] | undefined;
  isError: boolean;
  active: number;
  isForCustomer: boolean;
  /** Whether nothing was searched for. */
  isBlank: boolean;
  onPick: (article: ArticleSummary, asText: boolean) => Promise<void>;
}
function Found({ id, found, isError, active, isForCustomer, isBlank, onPick }: FoundProps) {
  return (
    <>
      <ul
        role="listbox"
        id={id}
        aria-label={t('tickets.composer.articles')}
        aria-busy={!found && !isError}
        className="min-h-0 flex-1 overflow-y-auto p-1"
      >
        {!found && !isError && <Skeleton className="m-1 h-10" />}
        {found?.map((article, index) => (
          <Option
            key={article.id}
            article={article}
            isForCustomer={isForCustomer}
            id={`${id}-${index}`}
            isActive={index === active}
            onPick={(asText) => void onPick(article, asText)}
          />
        ))}
      </ul>
      {isError && !found && <p className="px-3 py-2 text-muted">{t('tickets.composer.couldnt_load_articles')}</p>}
      {found?.length === 0 && (
        <p className="px-3 pt-1 pb-3 text-muted">
          {isBlank ? t('tickets.composer.no_articles_yet') : t('tickets.composer.no_article_found')}
        </p>
      )}
    </>
  );
}

interface ArticlePickerProps {
  /** Whether a note is written, which only the team sees. */
  isInternal: boolean;
  /** The text to search for at first. */
  typed: () => string;
  onPick: (inserted: string) => void;
  onClose: () => void;
}

/** A search of articles, whose link or text is inserted into the message. */
export function ArticlePicker({ isInternal, typed, onPick, onClose }: ArticlePickerProps) {
  const id = useId();
  const { search, setSearch, found, isError, isCurrent } = useSearch(typed);
  const [at, setAt] = useState(0);
  const [wantsText, setWantsText] = useState(false);
  const panel = useCloseOutside(onClose);
  const insertedOf = useInserted(isInternal);
  const articles = found ?? [];
  const active = Math.min(at, articles.length - 1);

  async function pick(article: ArticleSummary | undefined, asText: boolean): Promise<void> {
    const inserted = article && (await insertedOf(article, asText || wantsText));
    if (inserted !== undefined) onPick(inserted);
  }
  const pickOnceCurrent = useOnceCurrent(isCurrent, (asText: boolean) => void pick(articles[active], asText));
  const onKeyDown = (event: KeyboardEvent) => {
    const step = articles.length > 0 ? steps[event.key] : undefined;
    if (step) setAt(step(active, articles.length));
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) pickOnceCurrent(event.shiftKey);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={panel}
      role="dialog"
      aria-label={t('tickets.composer.insert_article')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
      className="absolute bottom-full left-0 z-20 mb-1 flex max-h-80 w-96 max-w-full animate-pop flex-col rounded-lg border border-line-strong bg-raised shadow-overlay"
    >
      <input
        autoFocus
        role="combobox"
        aria-label={t('tickets.composer.search_articles')}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={articles[active] && `${id}-${active}`}
        placeholder={t('tickets.composer.search_articles')}
        value={search}
        maxLength={articleLimits.query}
        onChange={(event) => {
          setSearch(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        className="h-10 shrink-0 border-b bg-transparent px-3 outline-none touch:text-base"
      />
      <Found id={id} {...{ found, isError, active }} isForCustomer={!isInternal} isBlank={search.trim() === ''} onPick={pick} />
      <div className="shrink-0 border-t px-3 py-1.5 text-xs text-muted">
        <CheckRow label={t('tickets.composer.insert_text')} checked={wantsText} onChange={setWantsText} />
        <p className="touch:hidden">{t('tickets.composer.enter_inserts_link')}</p>
      </div>
    </div>
  );
}
