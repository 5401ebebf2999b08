import type { Activity, Ticket, TicketEmail } from '@tandem/contracts';
import { ChevronRight, History, MailX } from 'lucide-react';
import { useState } from 'react';
import { useListMembersQuery } from '../../../app/api';
import { useCustomFields } from '../../../app/custom-fields/custom-fields.api';
import { cn } from '../../../lib/cn';
import { t } from '../../../lib/staff-texts';
import { Rich } from '../../../ui/Rich';
import { Time } from '../../../ui/Time';
import { ActivityActor } from '../panel/ActivityActor';
import { actorOf, eventLabels } from '../panel/activity-labels';

const line = 'flex min-w-0 items-baseline gap-1.5 text-xs text-muted';

function EventLine({ event, ticket }: { event: Activity; ticket: Ticket }) {
  const { data: members = [] } = useListMembersQuery();
  const fields = useCustomFields();
  const people = ticket.assignee ? [...members, ticket.assignee] : members;
  return (
    <p className={line}>
      <span className="min-w-0 [overflow-wrap:anywhere]">
        <span className="font-medium text-ink" dir="auto">
          <ActivityActor activity={event} />
        </span>{' '}
        {eventLabels(event, { people, fields }).join(', ')}
      </span>
      <span aria-hidden>·</span>
      <Time iso={event.created_at} relative className="shrink-0" />
    </p>
  );
}

/** 'Priya Raman', 'Priya Raman and Tandem', 'Priya Raman and 2 others'. */
function actorsOf(events: Activity[]): string {
  const [first = '', second, ...more] = [...new Set(events.map((event) => actorOf(event)))];
  if (second === undefined) return first;
  return more.length === 0
    ? t('tickets.conversation.first_and_second', { first, second })
    : t('tickets.conversation.first_and_count_others', { first, count: more.length + 1 });
}

/** The events of the ticket between two comments: one event as a line, several as one line that expands. */
export function EventLines({ events, ticket }: { events: Activity[]; ticket: Ticket }) {
  const [isOpen, setIsOpen] = useState(false);
  const [first] = events;
  const last = events.at(-1);
  if (!first || !last) return null;
  return (
    <li className="flex gap-3 max-md:gap-2">
      <span aria-hidden className="grid w-8 shrink-0 justify-center pt-0.5 text-faint max-md:w-6">
        <History className="size-3.5" />
      </span>
      <div className="min-w-0 flex-1">
        {events.length === 1 ? (
          <EventLine event={first} ticket={ticket} />
        ) : (
          <>
            <button
              type="button"
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
              className={cn(line, '-mx-1 max-w-full rounded-sm px-1 text-left hover:text-ink touch:py-2')}
            >
              <span className="min-w-0 truncate">
                <Rich
                  text={t('tickets.conversation.made_count_changes', { count: events.length })}
                  tags={{ actorsOf: () => <span className="font-medium text-ink">{actorsOf(events)}</span> }}
                />
              </span>
              <span aria-hidden>·</span>
              <Time iso={last.created_at} relative className="shrink-0" />
              <ChevronRight aria-hidden className={cn('size-3 shrink-0 self-center transition-transform', isOpen && 'rotate-90')} />
            </button>
            {isOpen && (
              <div className="mt-1.5 flex flex-col gap-1.5">
                {events.map((event) => (
                  <EventLine key={event.id} event={event} ticket={ticket} />
                ))}
              </div>
            )}
          </>
        )}
      </div>
    </li>
  );
}

function undeliveredText({ kind, to_address: address, last_error: error }: TicketEmail): string {
  if (kind === 'ticket_reply')
    return error
      ? t('tickets.conversation.reply_undelivered_because', { address, error })
      : t('tickets.conversation.reply_undelivered', { address });
  return error
    ? t('tickets.conversation.email_undelivered_because', { address, error })
    : t('tickets.conversation.email_undelivered', { address });
}

/** An undelivered email, shown at the time when it was sent. It can be resent from the panel. */
export function UndeliveredEmail({ email }: { email: TicketEmail }) {
  return (
    <li className="flex gap-3 max-md:gap-2">
      <span aria-hidden className="grid w-8 shrink-0 justify-center pt-0.5 text-red-text max-md:w-6">
        <MailX className="size-3.5" />
      </span>
      <p className="min-w-0 flex-1 text-xs [overflow-wrap:anywhere] text-red-text">
        {undeliveredText(email)} <Time iso={email.created_at} relative className="text-muted" />
      </p>
    </li>
  );
}
