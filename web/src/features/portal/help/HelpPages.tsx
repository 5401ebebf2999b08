import type { HelpCenter } from '@tandem/contracts';
import { readHelpCategory, readHelpCenter } from '@tandem/contracts/endpoints';
import { articleCategoryPath, numberOfAddress } from '@tandem/contracts/values';
import { useEffect, useId, useMemo, type ReactNode } from 'react';
import { Link, useParams } from 'react-router-dom';
import { call } from '../../../lib/call';
import { ErrorNote } from '../../../ui/ErrorNote';
import { ChosenTeam } from '../ChosenTeam';
import { rememberArticles } from '../knows-articles';
import { useTexts } from '../language/texts';
import { PortalFrame, PortalHeading, PortalSkeleton } from '../PortalFrame';
import { refusalOf } from '../refusal';
import { ArticleList, helpListLink } from './ArticleList';
import { Breadcrumb } from './Breadcrumb';
import { isUnknown, useRead } from './help';
import { HelpNotFound } from './HelpNotFound';
import { HelpSearch } from './HelpSearch';
import { NeedHelp } from './NeedHelp';

/** /help: search, categories and popular articles. */
export function HelpPage() {
  const t = useTexts();
  return (
    <ChosenTeam question={t('help.team_question')}>
      <PortalFrame title={t('help.page')}>
        <PortalHeading title={t('help.title')} />
        <HelpSearch>
          <Content />
        </HelpSearch>
      </PortalFrame>
    </ChosenTeam>
  );
}

function Content() {
  const t = useTexts();
  const { language } = t;
  const center = useRead(useMemo(() => call(readHelpCenter, { query: { language } }), [language]));
  const count = center.state === 'loaded' ? center.value.article_count : undefined;
  useEffect(() => {
    if (count !== undefined) rememberArticles(count > 0);
  }, [count]);
  if (center.state === 'loading') return <PortalSkeleton />;
  if (center.state === 'failed')
    return <ErrorNote title={t('frame.failed')} detail={refusalOf(center.problem, t)} onRetry={center.retry} />;
  return (
    <>
      {center.value.article_count === 0 ? <p className="text-muted">{t('help.empty')}</p> : <Articles {...center.value} />}
      <NeedHelp />
    </>
  );
}

function Articles({ categories, popular }: HelpCenter) {
  const t = useTexts();
  return (
    <div className="grid gap-4 sm:grid-cols-2 sm:gap-5">
      {categories.map(({ category, article_count, articles }) => (
        <Group
          key={category?.number ?? 0}
          title={
            category ? (
              <Link to={articleCategoryPath(category)} className="inline-block underline-offset-4 hover:underline touch:-my-2 touch:py-2">
                <bdi>{category.name}</bdi>
              </Link>
            ) : (
              t('help.other')
            )
          }
        >
          {category?.description && <p className="mt-1 text-md text-pretty text-muted">{category.description}</p>}
          <ArticleList articles={articles} />
          {category && article_count > articles.length && (
            <Link to={articleCategoryPath(category)} className={helpListLink}>
              {t('help.all', { count: article_count })}
            </Link>
          )}
        </Group>
      ))}
      {popular.length > 0 && (
        <Group title={t('help.popular')}>
          <ArticleList articles={popular} />
        </Group>
      )}
    </div>
  );
}

function Group({ title, children }: { title: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-xl border bg-surface p-5 [overflow-wrap:anywhere]">
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}

/** /help/categories/{number}-{name}: the articles of a category. */
export function HelpCategoryPage() {
  const t = useTexts();
  const number = numberOfAddress(useParams().address ?? '');
  return number === undefined ? <HelpNotFound title={t('help.category_not_found')} /> : <Category key={number} number={number} />;
}

function Category({ number }: { number: number }) {
  const t = useTexts();
  const { language } = t;
  const category = useRead(useMemo(() => call(readHelpCategory, { params: { number }, query: { language } }), [number, language]));
  if (category.state === 'failed' && isUnknown(category.problem)) return <HelpNotFound title={t('help.category_not_found')} />;
  return (
    <PortalFrame title={category.state === 'loaded' ? category.value.name : t('help.page')}>
      <Breadcrumb />
      {category.state === 'loading' && <PortalSkeleton />}
      {category.state === 'failed' && (
        <ErrorNote title={t('frame.failed')} detail={refusalOf(category.problem, t)} onRetry={category.retry} />
      )}
      {category.state === 'loaded' && (
        <>
          <PortalHeading title={category.value.name}>{category.value.description}</PortalHeading>
          <HelpSearch>
            <ArticleList articles={category.value.articles} withSummary />
            <NeedHelp />
          </HelpSearch>
        </>
      )}
    </PortalFrame>
  );
}
