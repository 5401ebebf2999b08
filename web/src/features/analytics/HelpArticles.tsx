import type { HelpReport } from '@tandem/contracts';
import { BookOpen } from 'lucide-react';
import { Link } from 'react-router-dom';
import { cn } from '../../lib/cn';
import { countText, longDayText, percentText, shortDayText } from '../../lib/metric-format';
import { messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorNote } from '../../ui/ErrorNote';
import { Skeletons } from '../../ui/Skeleton';
import { useReadHelpReportQuery } from './analytics.api';
import { isFiltered } from './analytics-view';
import { ChartCard } from './charts/ChartCard';
import type { ChartData } from './charts/ChartTable';
import { HelpTable } from './HelpTable';
import { HelpDays } from './HelpDays';
import { metricLink } from './metric-link';
import type { SectionProps } from './section';

type Day = HelpReport['days'][number];
type Count = Exclude<keyof Day, 'day'>;

const counts: [Count, string][] = [
  ['views', t('analytics.help.views')],
  ['searches', t('analytics.help.searches')],
  ['searches_without_result', t('analytics.help.without_result')],
  ['suggestions_opened', t('analytics.help.suggestions_opened')],
  ['solved', t('analytics.help.solved')],
  ['helpful', t('analytics.help.helpful')],
  ['not_helpful', t('analytics.help.not_helpful')],
];

const sumOf = (days: Day[]): Record<Count, number> =>
  Object.fromEntries(counts.map(([name]) => [name, days.reduce((sum, day) => sum + day[name], 0)])) as Record<Count, number>;

/** The percentage of ratings that are positive; null without ratings. */
const helpfulShare = ({ helpful, not_helpful }: { helpful: number; not_helpful: number }): number | null =>
  helpful + not_helpful === 0 ? null : Math.round((helpful / (helpful + not_helpful)) * 100);

function Figure({ label, value, detail }: { label: string; value: string; detail?: string | undefined }) {
  return (
    <li className="min-w-0 rounded-lg border bg-surface px-4 py-2.5 break-inside-avoid">
      <h3 className="font-medium text-muted">{label}</h3>
      <p className="tabular mt-1 text-xl font-semibold tracking-tight">{value}</p>
      {detail && <p className="tabular text-xs text-muted">{detail}</p>}
    </li>
  );
}

function Figures({ total }: { total: Record<Count, number> }) {
  const ratings = total.helpful + total.not_helpful;
  return (
    <ul aria-label={t('analytics.help.title')} className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-6">
      <Figure label={t('analytics.help.views')} value={countText(total.views)} />
      <Figure
        label={t('analytics.help.rated_helpful')}
        value={percentText(helpfulShare(total))}
        detail={ratings > 0 ? t('analytics.help.count_ratings', { count: ratings }) : undefined}
      />
      <Figure label={t('analytics.help.searches')} value={countText(total.searches)} />
      <Figure label={t('analytics.help.without_result')} value={countText(total.searches_without_result)} />
      <Figure label={t('analytics.help.suggestions_opened')} value={countText(total.suggestions_opened)} />
      <Figure label={t('analytics.help.solved')} value={countText(total.solved)} />
    </ul>
  );
}

function PerDay({ days, total }: { days: Day[]; total: Record<Count, number> }) {
  const data = (): ChartData => ({
    columns: [t('analytics.day'), ...counts.map(([, label]) => label)],
    rows: days.map((day) => ({ name: longDayText(day.day), cells: counts.map(([name]) => ({ value: day[name] })) })),
  });
  return (
    <ChartCard
      title={t('analytics.help.per_day')}
      summary={t('analytics.help.per_day_summary', { views: total.views, searches: total.searches })}
      data={data}
    >
      {(labels) => <HelpDays days={days} {...labels} />}
    </ChartCard>
  );
}

const Articles = ({ articles }: Pick<HelpReport, 'articles'>) => (
  <HelpTable
    title={t('analytics.help.articles')}
    summary={
      articles.length === 0
        ? t('analytics.help.no_views_in_range')
        : t('analytics.help.count_articles_by_views', { count: articles.length })
    }
    columns={[
      t('analytics.help.article'),
      t('analytics.help.views'),
      t('analytics.help.rated_helpful'),
      t('analytics.help.suggestions_opened'),
      t('analytics.help.solved'),
    ]}
    rows={articles.map((article) => ({
      key: article.article_id,
      name: (
        <Link to={`/articles/${article.article_id}`} className={metricLink}>
          {article.title}
        </Link>
      ),
      cells: [
        countText(article.views),
        percentText(helpfulShare(article)),
        countText(article.suggestions_opened),
        countText(article.solved),
      ],
      csv: [article.title, article.views, helpfulShare(article), article.suggestions_opened, article.solved],
    }))}
  />
);

const SearchesWithoutResult = ({ searches }: { searches: HelpReport['searches_without_result'] }) => (
  <HelpTable
    title={t('analytics.help.searches_without_result')}
    summary={searches.length === 0 ? t('analytics.help.every_search_had_result') : t('analytics.help.what_readers_missed')}
    columns={[t('analytics.help.search'), t('analytics.help.times'), t('analytics.help.last')]}
    rows={searches.map(({ query, times, last_day }) => ({
      key: query,
      name: query,
      cells: [countText(times), shortDayText(last_day)],
      csv: [query, times, last_day],
      action: (
        <Button asChild size="sm" variant="ghost">
          <Link to={`/articles/new?title=${encodeURIComponent(query)}`} aria-label={t('analytics.help.write_article_about', { query })}>
            {t('analytics.help.write_article')}
          </Link>
        </Button>
      ),
    }))}
  />
);

function Report({ report }: { report: HelpReport }) {
  const total = sumOf(report.days);
  if (Object.values(total).every((count) => count === 0))
    return (
      <Card>
        <EmptyState
          icon={BookOpen}
          title={t('analytics.help.nothing_in_range')}
          action={
            <Button asChild>
              <Link to="/articles">{t('analytics.help.open_articles')}</Link>
            </Button>
          }
        >
          {t('analytics.help.nothing_explained')}
        </EmptyState>
      </Card>
    );
  return (
    <>
      <Figures total={total} />
      <PerDay days={report.days} total={total} />
      <div className="grid gap-3 xl:grid-cols-2">
        <Articles articles={report.articles} />
        <SearchesWithoutResult searches={report.searches_without_result} />
      </div>
    </>
  );
}

/** How readers use the help pages in the range. The filters of tickets do not apply. */
export function HelpArticles({ analytics: { period }, view }: SectionProps) {
  const { data, currentData, error, isError, isFetching, refetch } = useReadHelpReportQuery({ from: period.from, to: period.to });
  // Figures of another range must not stay under the name of this one after an error.
  const report = currentData ?? (isError ? undefined : data);
  return (
    <section aria-labelledby="help-articles" className="flex flex-col gap-3">
      <header className="mt-3">
        <h2 id="help-articles" className="text-md font-semibold">
          {t('analytics.help.title')}
        </h2>
        <Link to="/docs/help-articles#figures" className={`text-xs text-muted print:hidden ${metricLink}`}>
          {t('analytics.help.what_figures_mean')}
        </Link>
        {isFiltered(view) && <p className="text-muted">{t('analytics.help.filters_do_not_apply')}</p>}
      </header>
      {report ? (
        <div className={cn('flex flex-col gap-3 transition-opacity', !currentData && 'opacity-60')} inert={!currentData}>
          <Report report={report} />
        </div>
      ) : isError ? (
        <ErrorNote
          title={t('analytics.help.couldnt_load')}
          detail={messageOf(error, '')}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      ) : (
        <Skeletons blocks={['h-20', 'h-48']} className="flex flex-col gap-3" />
      )}
    </section>
  );
}
