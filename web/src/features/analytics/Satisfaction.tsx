import type { Analytics } from '@tandem/contracts';
import { surveyRatingLabels, surveyRatings } from '@tandem/contracts/values';
import { Link } from 'react-router-dom';
import { counted, countText, percentText, ratingText } from '../../lib/metric-format';
import { Card } from '../../ui/Card';
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
        Newest feedback
      </h2>
      {feedback.length === 0 ? (
        <p className="px-4 pt-0.5 pb-4 text-muted">No comments in this range.</p>
      ) : (
        <ul className="mt-1.5 divide-y">
          {feedback.map(({ ticket_id, ticket_number, rating, feedback: text, created_at }) => (
            <li key={ticket_id} className="px-4 py-2.5">
              <p dir="auto" className="line-clamp-3 text-pretty wrap-anywhere">
                {text}
              </p>
              <p className="mt-0.5 flex flex-wrap gap-x-2 text-xs text-muted">
                <span className="tabular">
                  {rating} of 5<span className="max-sm:sr-only">, {surveyRatingLabels[rating]}</span>
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
    ratings === 0 ? 'No ratings in this range.' : `Average ${ratingText(avg_satisfaction)} of 5 from ${counted(ratings, 'rating')}.`;
  const data = () => ({
    columns: ['Rating', 'Tickets'],
    rows: items.map(({ name, count, to }) => ({ name, cells: [{ value: count, to }] })),
  });
  return (
    <div className="grid gap-3 lg:grid-cols-2">
      <ChartCard title="Satisfaction" metric="avg_satisfaction" summary={summary} data={data}>
        {({ title }) => (
          <>
            <BarList items={items} total={ratings} title={title} />
            <div className="mt-3 flex flex-wrap items-center gap-x-1 border-t pt-2.5 text-muted">
              <span>
                Response rate <span className="tabular font-medium text-ink">{percentText(survey_response_rate)}</span>:
              </span>
              <Link to={links.figure('ratings')} className={`tabular ${metricLink}`}>
                {countText(ratings)} answered
              </Link>
              <span>of</span>
              <Link to={links.figure('surveys_sent')} className={`tabular ${metricLink}`}>
                {countText(surveys_sent)} sent
              </Link>
              <HowCounted metric="survey_response_rate" />
            </div>
          </>
        )}
      </ChartCard>
      <Feedback feedback={feedback} />
    </div>
  );
}
