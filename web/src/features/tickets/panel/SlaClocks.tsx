import type { SlaClock, TicketSla } from '@tandem/contracts';
import { dueMoment, dueTime, shortSpan, workingTimeLeft } from '@tandem/contracts/values';
import { useState } from 'react';
import { cn } from '../../../lib/cn';
import { formatDate, formatMoment } from '../../../lib/dates';
import { dueTones } from '../../../lib/due-badge';
import { useNow } from '../../../lib/now';
import { t } from '../../../lib/staff-texts';
import { Badge, type BadgeTone } from '../../../ui/Badge';
import { Skeleton } from '../../../ui/Skeleton';
import { useTicketPart } from '../open-ticket';
import { PartError } from '../PartError';
import { useReadTicketSlaQuery } from './sla.api';

const names: Record<SlaClock['clock'], string> = { response: t('tickets.panel.first_response'), resolution: t('tickets.panel.resolution') };
/** Refresh interval while the page is visible: only the server knows when business hours begin and end. */
const refreshMs = 5 * 60_000;
/** The remaining time. A running clock is counted down locally between two server responses. */
function remainingOf(clock: SlaClock, answeredAt: number, now: number): number {
  const runs = !clock.paused_by && (clock.state === 'running' || clock.state === 'overdue');
  return runs ? clock.remaining_minutes - Math.max(0, now - answeredAt) / 60_000 : clock.remaining_minutes;
}

/** In wall-clock time, like the badge of the list. A clock paused for the customer has no due time. */
function faceOf({ state, due_at }: SlaClock, now: number): { text: string; tone: BadgeTone } {
  if (state === 'met') return { text: t('tickets.panel.met'), tone: 'green' };
  if (state === 'missed') return { text: t('tickets.panel.missed'), tone: 'red' };
  if (!due_at) return { text: t('tickets.panel.paused'), tone: 'gray' };
  const left = Date.parse(due_at) - now;
  const text =
    left < 0
      ? t('tickets.panel.short_span_overdue', { shortSpan: shortSpan(-left) })
      : t('tickets.panel.short_span_left', { shortSpan: shortSpan(left) });
  return { text, tone: dueTones[dueTime(due_at, now).state] };
}

/** The due time, or why the clock is paused and when it resumes. */
function sentenceOf({ clock, state, paused_by, resumes_at, due_at, met_at }: SlaClock): string | undefined {
  const doneAt = met_at && formatDate(met_at);
  if (doneAt)
    return state === 'missed'
      ? clock === 'response'
        ? t('tickets.panel.answered_late', { doneAt })
        : t('tickets.panel.resolved_late', { doneAt })
      : t('tickets.panel.met_on', { doneAt });
  if (paused_by === 'waiting_for_customer') return t('tickets.panel.paused_waiting_for_customer');
  if (paused_by === 'outside_business_hours') {
    return resumes_at
      ? t('tickets.panel.paused_until', { moment: formatMoment(resumes_at) })
      : t('tickets.panel.paused_outside_business_hours');
  }
  return due_at ? t('tickets.panel.due_at', { dueMoment: dueMoment(due_at) }) : undefined;
}

interface ClockLineProps {
  clock: SlaClock;
  answeredAt: number;
  countsWorkingTime: boolean;
  hasDetails: boolean;
}

function ClockLine({ clock, answeredAt, countsWorkingTime, hasDetails }: ClockLineProps) {
  const now = useNow();
  const { text, tone } = faceOf(clock, now);
  // Without business hours, working time equals wall-clock time, so the remaining time is only worth showing during a pause.
  const left = !clock.met_at && (countsWorkingTime || !clock.due_at) ? workingTimeLeft(remainingOf(clock, answeredAt, now)) : undefined;
  return (
    <li>
      <div className="flex items-center justify-between gap-3">
        <span>{names[clock.clock]}</span>
        <Badge tone={tone} {...(clock.due_at ? { title: t('tickets.panel.due_at', { dueMoment: dueMoment(clock.due_at) }) } : {})}>
          {text}
        </Badge>
      </div>
      {hasDetails &&
        [sentenceOf(clock), left].map(
          (sentence) =>
            sentence && (
              <p key={sentence} className="mt-0.5 text-xs text-muted">
                {sentence}
              </p>
            ),
        )}
    </li>
  );
}

/** One line per timer. Why a timer is paused, the escalation and the policy are shown on request. */
function Clocks({ sla, answeredAt, hasDetails }: { sla: TicketSla; answeredAt: number; hasDetails: boolean }) {
  return (
    <>
      <ul className={cn('flex flex-col', hasDetails ? 'gap-2' : 'gap-1')}>
        {sla.clocks.map((clock) => (
          <ClockLine
            key={clock.clock}
            clock={clock}
            answeredAt={answeredAt}
            countsWorkingTime={sla.counts_working_time}
            hasDetails={hasDetails}
          />
        ))}
      </ul>
      {hasDetails && sla.escalates_at && (
        <p className="mt-2 text-xs text-muted">
          {Date.parse(sla.escalates_at) > answeredAt
            ? t('tickets.panel.escalates_on_date', { date: formatDate(sla.escalates_at) })
            : t('tickets.panel.escalated_on_date', { date: formatDate(sla.escalates_at) })}
        </p>
      )}
      {hasDetails && (
        <p className="mt-2 truncate text-xs text-muted" title={sla.policy.name}>
          {t('tickets.panel.policy_name', { name: sla.policy.name })}
        </p>
      )}
    </>
  );
}

/** The SLA clocks of a ticket and why they are paused. Renders nothing without a policy. */
export function SlaClocks({ ticketId }: { ticketId: string }) {
  const { isMissing, retry } = useTicketPart('sla');
  const { data, isLoading, isError, isFetching, refetch, fulfilledTimeStamp } = useReadTicketSlaQuery(ticketId, {
    skip: isMissing,
    pollingInterval: refreshMs,
    skipPollingIfUnfocused: true,
  });
  const [hasDetails, setHasDetails] = useState(false);
  const isAway = isMissing || (isError && !data);
  if (!isAway && !isLoading && !data) return null;
  return (
    <section className="border-b px-4 py-3 last:border-b-0" aria-label={t('tickets.panel.sla')} aria-busy={isLoading}>
      <div className="mb-1.5 flex items-center justify-between">
        <h3 className="text-xs font-medium text-muted">{t('tickets.panel.sla')}</h3>
        {data && (
          <button
            type="button"
            aria-expanded={hasDetails}
            onClick={() => setHasDetails(!hasDetails)}
            className="rounded-sm text-xs text-muted hover:text-ink hover:underline touch:py-2"
          >
            {hasDetails ? t('tickets.panel.hide_details') : t('tickets.panel.details')}
          </button>
        )}
      </div>
      {isAway ? (
        <PartError busy={isFetching} onRetry={isMissing ? retry : () => void refetch()}>
          {t('tickets.panel.couldnt_load_sla_times')}
        </PartError>
      ) : data ? (
        <Clocks sla={data} answeredAt={fulfilledTimeStamp ?? 0} hasDetails={hasDetails} />
      ) : (
        <div className="flex flex-col gap-2">
          <Skeleton className="h-5" />
          <Skeleton className="h-5 w-2/3" />
        </div>
      )}
    </section>
  );
}
