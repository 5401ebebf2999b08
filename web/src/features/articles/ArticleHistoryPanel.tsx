import type { Article, ArticleVersion } from '@tandem/contracts';
import { History, MessageSquareText, ThumbsDown, ThumbsUp } from 'lucide-react';
import { useState } from 'react';
import { useMemberName } from '../../app/use-member-name';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorNote } from '../../ui/ErrorNote';
import { SidePanel } from '../../ui/SidePanel';
import { Skeleton } from '../../ui/Skeleton';
import { TabSet } from '../../ui/Tabs';
import { Time } from '../../ui/Time';
import { ArticlePreview } from './ArticlePreview';
import { useListArticleRatingsInfiniteQuery, useListArticleVersionsQuery } from '../../app/articles/article-publishing.api';
import { useReadArticleVersionQuery } from '../../app/articles/articles.api';
import { TextComparison } from './TextComparison';
import type { ArticleFields } from './article-fields';

type VersionText = Pick<ArticleFields, 'title' | 'summary' | 'body' | 'language'>;

function useAuthor() {
  const memberName = useMemberName();
  return ({ published_by }: ArticleVersion) => (published_by === null ? t('articles.api_or_former_member') : memberName(published_by));
}

interface OpenVersionProps {
  article: Article;
  version: ArticleVersion;
  draft: ArticleFields;
  onUse: (text: VersionText, number: number) => void;
  onBack: () => void;
}
function OpenVersion({ article, version: { number }, draft, onUse, onBack }: OpenVersionProps) {
  const { currentData: version, isError, isFetching, refetch } = useReadArticleVersionQuery({ id: article.id, number });
  const [tab, setTab] = useState<'text' | 'changes'>('text');
  const label = t('articles.version_number', { number });
  return (
    <section aria-label={label}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <Button variant="ghost" size="sm" autoFocus onClick={onBack}>
          {t('articles.all_versions')}
        </Button>
        {version && (
          <Button
            size="sm"
            onClick={() => {
              const { title, summary, body, language } = version;
              onUse({ title, summary, body, language }, number);
            }}
          >
            {t('articles.use_this_text')}
          </Button>
        )}
      </div>
      {!version && isError && <ErrorNote title={t('articles.couldnt_load_version')} onRetry={() => void refetch()} busy={isFetching} />}
      {!version && !isError && <Skeleton className="h-40" />}
      {version && (
        <TabSet
          label={label}
          value={tab}
          onChange={setTab}
          panelClassName="mt-3"
          tabs={[
            {
              value: 'text',
              label: t('articles.text'),
              panel: (
                <div lang={version.language}>
                  <p className="mb-2 text-lg font-semibold [overflow-wrap:anywhere]" dir="auto">
                    {version.title}
                  </p>
                  {version.summary && <p className="mb-3 text-muted">{version.summary}</p>}
                  <ArticlePreview body={version.body} pictures={article.pictures} />
                </div>
              ),
            },
            {
              value: 'changes',
              label: t('articles.compare_with_draft'),
              panel: (
                <TextComparison
                  before={{ label, text: `${version.title}\n\n${version.body}` }}
                  after={{ label: t('articles.draft'), text: `${draft.title}\n\n${draft.body}` }}
                />
              ),
            },
          ]}
        />
      )}
    </section>
  );
}

type VersionsProps = Omit<OpenVersionProps, 'version' | 'onBack'>;
function Versions(props: VersionsProps) {
  const { data: versions, isError, isFetching, refetch } = useListArticleVersionsQuery(props.article.id);
  const [open, setOpen] = useState<ArticleVersion>();
  const authorOf = useAuthor();
  if (open) return <OpenVersion {...props} version={open} onBack={() => setOpen(undefined)} />;
  if (!versions && isError)
    return <ErrorNote title={t('articles.couldnt_load_versions')} onRetry={() => void refetch()} busy={isFetching} />;
  if (!versions) return <Skeleton className="h-40" />;
  if (versions.length === 0)
    return (
      <EmptyState icon={History} title={t('articles.no_versions_yet')}>
        {t('articles.what_versions_are')}
      </EmptyState>
    );
  return (
    <ol aria-label={t('articles.versions')} className="divide-y rounded-lg border">
      {versions.map((version) => (
        <li key={version.number}>
          <button type="button" onClick={() => setOpen(version)} className="w-full px-4 py-2.5 text-left hover:bg-hover">
            <span className="block font-medium [overflow-wrap:anywhere]" dir="auto">
              {t('articles.version_number', { number: version.number })}: {version.title}
            </span>
            <span className="text-xs text-muted">
              {authorOf(version)} · <Time iso={version.published_at} />
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

/** 'Helpful for 82% of 50 readers'. */
export function helpfulText({ helpful, not_helpful }: Pick<Article, 'helpful' | 'not_helpful'>): string {
  const count = helpful + not_helpful;
  return count === 0 ? t('articles.no_ratings_yet') : t('articles.helpful_share', { percent: Math.round((100 * helpful) / count), count });
}

function Ratings({ article }: { article: Article }) {
  const query = useListArticleRatingsInfiniteQuery(article.id);
  const { currentData, isError, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = query;
  const ratings = currentData?.pages.flatMap(({ items }) => items);
  return (
    <>
      <p className="mb-4">
        {t('articles.views', { count: article.views })} · {helpfulText(article)}
      </p>
      {!ratings && isError && <ErrorNote title={t('articles.couldnt_load_remarks')} onRetry={() => void refetch()} busy={isFetching} />}
      {!ratings && !isError && <Skeleton className="h-40" />}
      {ratings?.length === 0 && (
        <EmptyState icon={MessageSquareText} title={t('articles.no_remarks_yet')}>
          {t('articles.what_remarks_are')}
        </EmptyState>
      )}
      <ul aria-label={t('articles.remarks')} className="divide-y rounded-lg border empty:hidden">
        {ratings?.map(({ helpful, remark, version, rated_at }, index) => (
          <li key={index} className="flex gap-3 px-4 py-2.5">
            {helpful ? (
              <ThumbsUp role="img" aria-label={t('articles.helpful')} className="mt-0.5 size-4 shrink-0 text-green-text" />
            ) : (
              <ThumbsDown role="img" aria-label={t('articles.not_helpful')} className="mt-0.5 size-4 shrink-0 text-red-text" />
            )}
            <div className="min-w-0">
              <p dir="auto" className="[overflow-wrap:anywhere] whitespace-pre-wrap">
                {remark}
              </p>
              <p className="text-xs text-muted">
                {t('articles.version_number', { number: version })} · <Time iso={rated_at} relative />
              </p>
            </div>
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <div className="pt-3 text-center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('articles.load_more')}
          </Button>
        </div>
      )}
    </>
  );
}

/** The versions of an article, and what its readers think of it. */
export function ArticleHistoryPanel({ onClose, ...props }: VersionsProps & { onClose: () => void }) {
  const [tab, setTab] = useState<'versions' | 'readers'>('versions');
  return (
    <SidePanel open onClose={onClose} title={t('articles.versions_and_feedback')}>
      <TabSet
        label={t('articles.versions_and_feedback')}
        value={tab}
        onChange={setTab}
        panelClassName="mt-4"
        tabs={[
          { value: 'versions', label: t('articles.versions'), panel: <Versions {...props} /> },
          { value: 'readers', label: t('articles.feedback'), panel: <Ratings article={props.article} /> },
        ]}
      />
    </SidePanel>
  );
}
