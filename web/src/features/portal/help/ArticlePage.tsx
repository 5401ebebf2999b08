import type { PublicArticle } from '@tandem/contracts';
import { readPublicArticle } from '@tandem/contracts/endpoints';
import { directionOf, numberOfAddress } from '@tandem/contracts/values';
import { lazy, useEffect, useId, useMemo } from 'react';
import { useLocation, useParams } from 'react-router-dom';
import { call } from '../../../lib/call';
import { hasFirstHtml } from '../../../lib/first-html';
import { ErrorNote } from '../../../ui/ErrorNote';
import { localeOf, useTexts } from '../language/texts';
import { PortalFrame, PortalSkeleton } from '../PortalFrame';
import { refusalOf } from '../refusal';
import { ArticleHeader } from './ArticleHeader';
import { ArticleList } from './ArticleList';
import { ArticleRating } from './ArticleRating';
import { ArticleText } from './ArticleText';
import { Breadcrumb } from './Breadcrumb';
import { isUnknown, recordUse, useRead, whenVisible } from './help';
import { NeedHelp } from './NeedHelp';
import { rememberArticles } from '../knows-articles';

/** With the search, which the page of an article does not have. */
const HelpNotFound = lazy(() => import('./HelpNotFound').then((module) => ({ default: module.HelpNotFound })));

/** /help/{number}-{title}: an article. */
export function ArticlePage() {
  const t = useTexts();
  const number = numberOfAddress(useParams().address ?? '');
  return number === undefined ? <HelpNotFound title={t('help.not_found')} /> : <LoadedArticle key={number} number={number} />;
}

function LoadedArticle({ number }: { number: number }) {
  const t = useTexts();
  const article = useRead(useMemo(() => call(readPublicArticle, { params: { number } }), [number]));
  // The first HTML contains the article: it stays until the app can show it, too.
  if (article.state === 'loading' && hasFirstHtml()) return null;
  if (article.state === 'failed' && isUnknown(article.problem)) return <HelpNotFound title={t('help.not_found')} />;
  return (
    <PortalFrame title={article.state === 'loaded' ? article.value.title : t('help.page')}>
      <Breadcrumb category={article.state === 'loaded' ? article.value.category : null} />
      {article.state === 'loading' && <PortalSkeleton />}
      {article.state === 'failed' && <ErrorNote title={t('frame.failed')} detail={refusalOf(article.problem, t)} onRetry={article.retry} />}
      {article.state === 'loaded' && <Article article={article.value} />}
    </PortalFrame>
  );
}

function Article({ article }: { article: PublicArticle }) {
  const { number, title, language, related } = article;
  const { hash } = useLocation();
  useEffect(() => {
    rememberArticles(true);
    return whenVisible(() => recordUse({ type: 'view', number }));
  }, [number]);
  useEffect(() => {
    // When the browser followed the link, the section was not there yet.
    document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);
  return (
    <>
      <article>
        <ArticleHeader title={title} dates={useDates(article)} lang={language} dir={directionOf(language)} />
        <ArticleText article={article} isPage />
      </article>
      <ArticleRating number={number} />
      {related.length > 0 && <Related articles={related} />}
      <NeedHelp />
    </>
  );
}

/** When the article was published and, if that was on another day, updated. */
function useDates({ first_published_at, published_at }: PublicArticle): string {
  const t = useTexts();
  const format = new Intl.DateTimeFormat(localeOf(t.language), { dateStyle: 'medium' });
  const [first, latest] = [first_published_at, published_at].map((iso) => format.format(new Date(iso)));
  return [t('help.published', { date: first! }), ...(first === latest ? [] : [t('help.updated', { date: latest! })])].join(' · ');
}

function Related({ articles }: { articles: PublicArticle['related'] }) {
  const t = useTexts();
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-8">
      <h2 id={id} className="text-lg font-semibold">
        {t('help.related')}
      </h2>
      <ArticleList articles={articles} />
    </section>
  );
}
