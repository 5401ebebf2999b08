import type { ArticleSummary } from '@tandem/contracts';
import { articleLimits, articlePath } from '@tandem/contracts/values';
import { useEffect, useState } from 'react';
import { useDispatch } from 'react-redux';
import { again } from '../../../app/read-again';
import type { AppDispatch } from '../../../app/store';
import { announce } from '../../../lib/announce';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Badge } from '../../../ui/Badge';
import { CheckRow } from '../../../ui/CheckRow';
import { SearchPicker } from '../picker/SearchPicker';
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
    const { data, error } = await dispatch(readArticle.initiate(id, again));
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

/** Why customers cannot open a link to the article. */
function reasonOf(article: ArticleSummary): string | undefined {
  if (isDraft(article)) return t('tickets.composer.draft_cannot_be_linked');
  return isPublic(article) ? undefined : t('tickets.composer.internal_cannot_be_linked');
}

interface FoundArticleProps {
  article: ArticleSummary;
  /** Whether the customer sees the message. */
  isForCustomer: boolean;
}
function FoundArticle({ article, isForCustomer }: FoundArticleProps) {
  const second = (isForCustomer ? reasonOf(article) : undefined) ?? article.summary;
  return (
    <>
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
    </>
  );
}

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
  const { search, setSearch, found, isError, isCurrent } = useSearch(typed);
  const [wantsText, setWantsText] = useState(false);
  const insertedOf = useInserted(isInternal);
  async function pick(article: ArticleSummary, asText: boolean): Promise<void> {
    const inserted = await insertedOf(article, asText || wantsText);
    if (inserted !== undefined) onPick(inserted);
  }
  return (
    <SearchPicker
      label={t('tickets.composer.insert_article')}
      searchLabel={t('tickets.composer.search_articles')}
      listLabel={t('tickets.composer.articles')}
      search={search}
      maxLength={articleLimits.query}
      onSearch={setSearch}
      items={found}
      isCurrent={isCurrent}
      keyOf={({ id }) => id}
      renderItem={(article) => <FoundArticle article={article} isForCustomer={!isInternal} />}
      onPick={(article, asText) => void pick(article, asText)}
      onClose={onClose}
      error={isError ? t('tickets.composer.couldnt_load_articles') : undefined}
      nothingFound={search.trim() === '' ? t('tickets.composer.no_articles_yet') : t('tickets.composer.no_article_found')}
      footer={
        <div className="shrink-0 border-t px-3 py-1.5 text-xs text-muted">
          <CheckRow label={t('tickets.composer.insert_text')} checked={wantsText} onChange={setWantsText} />
          <p className="touch:hidden">{t('tickets.composer.enter_inserts_link')}</p>
        </div>
      }
    />
  );
}
