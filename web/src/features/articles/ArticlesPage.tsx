import type { ArticleCategory, ArticleSummary } from '@tandem/contracts';
import { Book, Plus, SearchX } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { notify } from '../../lib/notify';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorNote } from '../../ui/ErrorNote';
import { PageHeader } from '../../ui/PageHeader';
import { RowsSkeleton } from '../../ui/PageSkeletons';
import { Time } from '../../ui/Time';
import { ArticleFilterBar } from './ArticleFilterBar';
import { queryOf, useArticleFilters, type ArticleFilters } from './article-filters';
import { articleAddress, InternalBadge, StateBadge, useMay } from '../../app/articles/article-labels';
import { useListArticleCategoriesQuery } from '../../app/articles/article-categories.api';
import { useRestoreArticleMutation } from '../../app/articles/article-publishing.api';
import { useListArticlePagesInfiniteQuery } from '../../app/articles/articles.api';
import { CategoryList } from './CategoryList';

const CategoriesPanel = lazy(() => import('./CategoriesPanel').then((module) => ({ default: module.CategoriesPanel })));

function RestoreButton({ article }: { article: ArticleSummary }) {
  const [restore, { isLoading }] = useRestoreArticleMutation();
  const restoreNow = async () => {
    const { error } = await restore(article.id);
    if (error) return notify.problem(error, t('articles.couldnt_restore'));
    notify.success(t('articles.restored'), article.title);
  };
  return (
    <Button
      size="sm"
      busy={isLoading}
      aria-label={t('articles.restore_title', { title: article.title })}
      onClick={() => void restoreNow()}
      className="relative"
    >
      {t('articles.restore')}
    </Button>
  );
}

function ArticleRow({ article, category }: { article: ArticleSummary; category: ArticleCategory | undefined }) {
  const mayPublish = useMay('article.publish');
  const isDeleted = article.deleted_at !== null;
  return (
    <li className="relative flex min-h-14 items-center gap-3 border-b px-4 py-2.5 hover:bg-hover max-md:px-3">
      <div className="min-w-0 flex-1">
        <h2 className="font-medium [overflow-wrap:anywhere]" dir="auto" lang={article.language}>
          {isDeleted ? (
            article.title
          ) : (
            // The link covers the row.
            <Link to={articleAddress(article.id)} className="after:absolute after:inset-0 hover:underline">
              {article.title}
            </Link>
          )}
        </h2>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
          <span>{category?.name ?? t('articles.no_category')}</span>
          <span aria-hidden>·</span>
          {isDeleted ? (
            <span>
              {t('articles.deleted')} <Time iso={article.deleted_at!} relative />
            </span>
          ) : (
            <span>
              {t('articles.changed')} <Time iso={article.updated_at} relative />
            </span>
          )}
        </p>
      </div>
      <span className="flex shrink-0 flex-wrap justify-end gap-1.5 max-sm:flex-col max-sm:items-end">
        {article.visibility === 'internal' && <InternalBadge />}
        {!isDeleted && <StateBadge article={article} />}
        {isDeleted && mayPublish && <RestoreButton article={article} />}
      </span>
    </li>
  );
}

function Nothing({ filters, onClear }: { filters: ArticleFilters; onClear: () => void }) {
  const navigate = useNavigate();
  if (filters.state === 'deleted' && Object.keys(filters).length === 1)
    return (
      <EmptyState icon={Book} title={t('articles.none_deleted')}>
        {t('articles.about_deleted')}
      </EmptyState>
    );
  if (Object.keys(filters).length > 0)
    return (
      <EmptyState
        icon={SearchX}
        title={t('articles.none_found')}
        action={<Button onClick={onClear}>{t('articles.clear_filters')}</Button>}
      />
    );
  return (
    <EmptyState
      icon={Book}
      title={t('articles.none_yet')}
      action={
        <Button variant="primary" onClick={() => void navigate('/articles/new')}>
          <Plus aria-hidden />
          {t('articles.new')}
        </Button>
      }
    >
      {t('articles.what_articles_are')}
    </EmptyState>
  );
}

function Articles({ filters, categories, onClear }: { filters: ArticleFilters; categories: ArticleCategory[]; onClear: () => void }) {
  const query = useListArticlePagesInfiniteQuery(useMemo(() => queryOf(filters), [filters]));
  const { currentData, isError, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = query;
  const articles = currentData?.pages.flatMap(({ items }) => items);
  if (!articles && isError) return <ErrorNote title={t('articles.couldnt_load_list')} onRetry={() => void refetch()} busy={isFetching} />;
  if (!articles) return <RowsSkeleton />;
  if (articles.length === 0) return <Nothing filters={filters} onClear={onClear} />;
  return (
    <>
      <ul aria-label={t('articles.articles')} aria-busy={isFetching}>
        {articles.map((article) => (
          <ArticleRow key={article.id} article={article} category={categories.find(({ id }) => id === article.category_id)} />
        ))}
      </ul>
      {hasNextPage && (
        <div className="p-4 text-center">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('articles.load_more')}
          </Button>
        </div>
      )}
    </>
  );
}

export { NewArticlePage } from './NewArticlePage';

/** /articles: the help articles of the organization. */
export function ArticlesPage() {
  const { filters, setFilter, clear } = useArticleFilters();
  const { data: categories = [] } = useListArticleCategoriesQuery();
  const [isManaging, setIsManaging] = useState(false);
  const navigate = useNavigate();
  const newAddress = filters.category && filters.category !== 'none' ? `/articles/new?category=${filters.category}` : '/articles/new';
  return (
    <div className="flex min-h-0 flex-1">
      <PageHeader
        title={t('articles.articles')}
        actions={
          <Button variant="primary" aria-label={t('articles.new')} onClick={() => void navigate(newAddress)}>
            <Plus aria-hidden />
            <span className="max-sm:hidden">{t('articles.new')}</span>
          </Button>
        }
      />
      <CategoryList
        categories={categories}
        chosen={filters.category}
        onChoose={(category) => setFilter('category', category)}
        onManage={() => setIsManaging(true)}
      />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <ArticleFilterBar
          filters={filters}
          categories={categories}
          onFilter={setFilter}
          onClear={clear}
          onManage={() => setIsManaging(true)}
        />
        <div className="min-h-0 flex-1 overflow-y-auto">
          <Articles filters={filters} categories={categories} onClear={clear} />
        </div>
      </div>
      {isManaging && (
        <Suspense fallback={null}>
          <CategoriesPanel categories={categories} onClose={() => setIsManaging(false)} />
        </Suspense>
      )}
    </div>
  );
}
