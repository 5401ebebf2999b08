import type { Article } from '@tandem/contracts';
import { articleLimits } from '@tandem/contracts/values';
import { ArrowLeft, Ellipsis, EyeOff, History, Trash2 } from 'lucide-react';
import { lazy, Suspense, useState, type KeyboardEvent } from 'react';
import { Link, useLocation, useParams } from 'react-router-dom';
import { modKey } from '../../lib/keyboard';
import { messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { offerUndo } from '../../lib/undo';
import { Button } from '../../ui/Button';
import { ErrorNote } from '../../ui/ErrorNote';
import { Menu } from '../../ui/Menu';
import type { MenuEntry } from '../../ui/MenuPopup';
import { PageHeader } from '../../ui/PageHeader';
import { CardsSkeleton } from '../../ui/PageSkeletons';
import { Skeleton } from '../../ui/Skeleton';
import { InternalBadge, StateBadge, useMay } from '../../app/articles/article-labels';
import { ArticleTextBox } from './ArticleTextBox';
import { useReadArticleQuery } from '../../app/articles/articles.api';
import { useArticleActions } from './use-article-actions';
import type { SaveState } from './draft-saver';
import type { ArticleFields } from './article-fields';
import { useArticleDraft, type ArticleDraft } from './use-article-draft';

const ArticleConflict = lazy(() => import('./ArticleConflict').then((module) => ({ default: module.ArticleConflict })));
const ArticleFacts = lazy(() => import('./ArticleFacts').then((module) => ({ default: module.ArticleFacts })));
const ArticleFieldsPanel = lazy(() => import('./ArticleFieldsPanel').then((module) => ({ default: module.ArticleFieldsPanel })));
const ArticleHistoryPanel = lazy(() => import('./ArticleHistoryPanel').then((module) => ({ default: module.ArticleHistoryPanel })));

const stateTexts: Record<SaveState, string> = {
  saved: t('articles.saved'),
  unsaved: t('articles.saving'),
  saving: t('articles.saving'),
  offline: t('articles.not_saved_retrying'),
  refused: t('articles.not_saved'),
  conflict: t('articles.not_saved'),
};

interface HeaderProps {
  article: Article;
  draft: ArticleDraft;
  actions: ReturnType<typeof useArticleActions>;
  canPublish: boolean;
  onHistory: () => void;
}
function Header({ article, draft, actions, canPublish, onHistory }: HeaderProps) {
  const mayPublish = useMay('article.publish');
  const isPublished = article.state === 'published';
  const publishLabel = isPublished ? t('articles.publish_changes') : t('articles.publish');
  const entries: MenuEntry[] = [
    { label: t('articles.versions_and_feedback'), icon: History, onSelect: onHistory },
    ...(mayPublish && isPublished ? [{ label: t('articles.unpublish'), icon: EyeOff, onSelect: () => void actions.unpublishNow() }] : []),
    ...(mayPublish
      ? (['separator', { label: t('articles.delete'), icon: Trash2, onSelect: () => void actions.deleteNow() }] satisfies MenuEntry[])
      : []),
  ];
  return (
    <PageHeader
      title={draft.fields.title.trim() || t('articles.untitled')}
      before={
        <Button variant="ghost" size="icon-sm" asChild>
          <Link to="/articles" aria-label={t('articles.all_articles')}>
            <ArrowLeft aria-hidden />
          </Link>
        </Button>
      }
      actions={
        <>
          {mayPublish ? (
            <Button
              variant="primary"
              aria-label={publishLabel}
              title={t('articles.publish_with_keys', { keys: `${modKey}+Enter` })}
              aria-keyshortcuts="Control+Enter Meta+Enter"
              busy={actions.isPublishing}
              aria-disabled={!canPublish || undefined}
              onClick={() => canPublish && void actions.publishNow()}
            >
              <span className="max-sm:hidden">{publishLabel}</span>
              <span className="sm:hidden">{t('articles.publish')}</span>
            </Button>
          ) : (
            <span className="text-xs text-muted max-sm:hidden">{t('articles.only_managers_publish')}</span>
          )}
          <Menu
            trigger={
              <Button variant="ghost" size="icon" aria-label={t('articles.more_actions')}>
                <Ellipsis aria-hidden />
              </Button>
            }
            entries={entries}
          />
        </>
      }
    />
  );
}

function DraftState({ article, draft: { fields, state, problem } }: { article: Article; draft: ArticleDraft }) {
  const mayPublish = useMay('article.publish');
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <StateBadge article={article} />
        {fields.visibility === 'internal' && <InternalBadge />}
        <span role="status" className="text-xs text-muted">
          {stateTexts[state]}
        </span>
        {!mayPublish && <span className="text-xs text-muted sm:hidden">{t('articles.only_managers_publish')}</span>}
      </div>
      {problem && (
        <p role="alert" className="mb-2 text-red-text">
          {problem}
        </p>
      )}
    </>
  );
}

const TitleInput = ({ fields, onChange }: { fields: ArticleFields; onChange: (title: string) => void }) => (
  <input
    dir="auto"
    lang={fields.language}
    aria-label={t('articles.title')}
    placeholder={t('articles.title')}
    maxLength={articleLimits.title}
    value={fields.title}
    onChange={({ target }) => onChange(target.value)}
    className="w-full bg-transparent pb-3 text-xl font-semibold outline-none placeholder:text-faint"
  />
);

function Editor({ article }: { article: Article }) {
  const draft = useArticleDraft(article);
  const { fields, state, saver } = draft;
  const actions = useArticleActions(article, draft);
  const mayPublish = useMay('article.publish');
  const [isHistoryOpen, setIsHistoryOpen] = useState(false);
  const focus = (useLocation().state as { focus?: string } | null)?.focus;
  const canPublish = article.state === 'draft' || article.has_unpublished_changes || state !== 'saved';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    if (mayPublish && canPublish && !actions.isPublishing) void actions.publishNow();
  };
  const useVersion: Parameters<typeof ArticleHistoryPanel>[0]['onUse'] = (text, number) => {
    const { title, summary, body, language } = saver.read().fields;
    saver.change(text);
    setIsHistoryOpen(false);
    offerUndo(t('articles.version_used'), t('articles.version_number', { number }), () => saver.change({ title, summary, body, language }));
  };
  return (
    <div className="min-h-0 flex-1 overflow-y-auto" onKeyDown={onKeyDown}>
      <Header article={article} draft={draft} actions={actions} canPublish={canPublish} onHistory={() => setIsHistoryOpen(true)} />
      <div className="mx-auto flex max-w-6xl gap-8 p-6 max-lg:flex-col max-md:p-4">
        <div className="min-w-0 flex-1">
          {state === 'conflict' && (
            <Suspense fallback={null}>
              <ArticleConflict draft={draft} />
            </Suspense>
          )}
          <DraftState article={article} draft={draft} />
          <TitleInput fields={fields} onChange={(title) => saver.change({ title })} />
          <ArticleTextBox
            article={article}
            body={fields.body}
            language={fields.language}
            onChange={(body) => saver.change({ body })}
            autoFocus={focus === 'body'}
          />
        </div>
        <aside aria-label={t('articles.details')} className="flex w-72 shrink-0 flex-col gap-5 max-lg:w-full">
          <Suspense fallback={<Skeleton className="h-80" />}>
            <ArticleFieldsPanel article={article} fields={fields} onChange={saver.change} />
            <ArticleFacts article={article} onHistory={() => setIsHistoryOpen(true)} />
          </Suspense>
        </aside>
      </div>
      {isHistoryOpen && (
        <Suspense fallback={null}>
          <ArticleHistoryPanel article={article} draft={fields} onUse={useVersion} onClose={() => setIsHistoryOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** /articles/:id: the editor of one article. */
export function ArticleEditorPage() {
  const { id = '' } = useParams();
  const { currentData: article, error, isFetching, refetch } = useReadArticleQuery(id, { refetchOnMountOrArgChange: true });
  if (article && article.deleted_at === null) return <Editor key={id} article={article} />;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto p-6 max-md:p-4">
      <PageHeader title={t('articles.article')} />
      {error ? (
        <ErrorNote title={t('articles.couldnt_load')} detail={messageOf(error, '')} onRetry={() => void refetch()} busy={isFetching} />
      ) : article ? (
        <ErrorNote
          title={t('articles.is_deleted')}
          detail={t('articles.where_to_restore')}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      ) : (
        <CardsSkeleton />
      )}
    </div>
  );
}
