import type { Analytics } from '@tandem/contracts';
import { surveyRatingLabels, surveyRatings } from '@tandem/contracts/values';
import { Link } from 'react-router-dom';
import { countText, percentText, ratingText } from '../../lib/metric-format';
import { t } from '../../lib/staff-texts';
import { Card } from '../../ui/Card';
import { Rich } from '../../ui/Rich';
import { Time } from '../../ui/Time';
import { BarList } from './charts/BarList';
import { ChartCard } from './charts/ChartCard';
import { HowCounted } from './HowCounted';
import { metricLink } from './metric-link';
import type { SectionProps } from './section';

function Feedback({ feedback }: Pick<Analytics, 'feedback'>) {
  return (
    <Card aria-labelledby="feedback" className="min-w-0 break-inside-avoid">
      <h2 id="feedback" className="px-4 pt-3 text-sm font-semibold">
        {t('analytics.newest_feedback')}
      </h2>
      {feedback.length === 0 ? (
        <p className="px-4 pt-0.5 pb-4 text-muted">{t('analytics.no_comments_in_range')}</p>
      ) : (
        <ul className="mt-1.5 divide-y">
          {feedback.map(({ ticket_id, ticket_number, rating, feedback: text, created_at }) => (
            <li key={ticket_id} className="px-4 py-2.5">
              <p dir="auto" className="line-clamp-3 text-pretty wrap-anywhere">
                {text}
              </p>
              <p className="mt-0.5 flex flex-wrap gap-x-2 text-xs text-muted">
                <span className="tabular">
                  <Rich
                    text={t('analytics.rating_of_5', { rating, label: surveyRatingLabels[rating] ?? '' })}
                    tags={{ label: (text) => <span className="max-sm:sr-only">{text}</span> }}
                  />
                </span>
                <Link to={`/tickets/${ticket_id}`} className={`tabular ${metricLink}`}>
                  {ticket_number}
                </Link>
                <Time iso={created_at} relative />
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The ratings of the tickets, the response rate and the newest comments. */
export function Satisfaction({ analytics: { figures, feedback }, links }: SectionProps) {
  const { ratings, surveys_sent, survey_response_rate, avg_satisfaction } = figures;
  const items = [...surveyRatings].reverse().map((rating) => ({
    name: `${rating} ${surveyRatingLabels[rating]}`,
    count: figures.satisfaction_distribution[rating - 1] ?? 0,
    to: links.rating(rating),
  }));
  const summary =
    ratings === 0
      ? t('analytics.no_ratings_in_range')
      : t('analytics.average_rating', { average: ratingText(avg_satisfaction), count: ratings });
  const data = () => ({
    columns: [t('analytics.rating'), t('analytics.tickets')],
    rows: items.map(({ name, count, to }) => ({ name, cells: [{ value: count, to }] })),
  });
  return (
    <div className="grid gap-3 lg:grid-cols-2">
      <ChartCard title={t('analytics.satisfaction')} metric="avg_satisfaction" summary={summary} data={data}>
        {({ title }) => (
          <>
            <BarList items={items} total={ratings} title={title} />
            <div className="mt-3 flex flex-wrap items-center gap-x-1 border-t pt-2.5 text-muted">
              <p>
                <Rich
                  text={t('analytics.response_rate', {
                    rate: percentText(survey_response_rate),
                    answered: countText(ratings),
                    sent: countText(surveys_sent),
                  })}
                  tags={{
                    rate: (text) => <span className="tabular font-medium text-ink">{text}</span>,
                    answered: (text) => (
                      <Link to={links.figure('ratings')} className={`tabular ${metricLink}`}>
                        {text}
                      </Link>
                    ),
                    sent: (text) => (
                      <Link to={links.figure('surveys_sent')} className={`tabular ${metricLink}`}>
                        {text}
                      </Link>
                    ),
                  }}
                />
              </p>
              <HowCounted metric="survey_response_rate" />
            </div>
          </>
        )}
      </ChartCard>
      <Feedback feedback={feedback} />
    </div>
  );
}
