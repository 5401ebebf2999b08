import type { Ticket } from '@tandem/contracts';
import { surveyRatingLabels, surveyRatings } from '@tandem/contracts/values';
import { Star } from 'lucide-react';
import { cn } from '../../../lib/cn';
import { t } from '../../../lib/staff-texts';
import { Time } from '../../../ui/Time';
import { useTicketPart } from '../open-ticket';
import { PartError } from '../PartError';
import { useReadTicketSurveyQuery } from './customer.api';
import { Section } from './Section';

/** The customer's rating. Requested only for resolved or closed tickets, because customers are not surveyed before that. */
export function SurveyAnswer({ ticket }: { ticket: Ticket }) {
  const isOver = ticket.resolved_at !== null || ticket.status === 'closed';
  const { isMissing, retry } = useTicketPart('survey');
  const { currentData: survey, isError, isFetching, refetch } = useReadTicketSurveyQuery(ticket.id, { skip: !isOver || isMissing });
  if (isOver && survey === undefined && (isMissing || isError)) {
    return (
      <Section title={t('tickets.panel.satisfaction')}>
        <PartError busy={isFetching} onRetry={isMissing ? retry : () => void refetch()}>
          {t('tickets.panel.couldnt_load_rating')}
        </PartError>
      </Section>
    );
  }
  if (!survey) return null;
  const label = surveyRatingLabels[survey.rating];
  return (
    <Section title={t('tickets.panel.satisfaction')}>
      <div className="flex items-center gap-2">
        <span
          role="img"
          aria-label={t('tickets.panel.rating_of_5_label', { rating: survey.rating, label: label ?? '' })}
          className="flex gap-0.5"
        >
          {surveyRatings.map((rating) => (
            <Star
              key={rating}
              aria-hidden
              className={cn('size-4', rating <= survey.rating ? 'fill-amber-solid text-amber-solid' : 'text-line-strong')}
            />
          ))}
        </span>
        <span aria-hidden>{label}</span>
        <Time iso={survey.created_at} relative className="ml-auto text-xs text-muted" />
      </div>
      {survey.feedback && (
        <blockquote dir="auto" className="mt-2 border-l-2 pl-2.5 [overflow-wrap:anywhere] whitespace-pre-wrap">
          {survey.feedback}
        </blockquote>
      )}
    </Section>
  );
}
