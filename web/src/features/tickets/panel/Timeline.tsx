import type { Ticket } from '@tandem/contracts';
import { Link } from 'react-router-dom';
import { useSession } from '../../../app/api';
import { cn } from '../../../lib/cn';
import { t } from '../../../lib/staff-texts';
import { Time } from '../../../ui/Time';

/** Classes for a vertical line with dots. */
export const lineClasses =
  'relative flex flex-col gap-2.5 pt-0.5 before:absolute before:top-2 before:bottom-2 before:left-[3px] before:w-px before:bg-line-strong';

export function Dot({ green }: { green?: boolean }) {
  return (
    <span
      aria-hidden
      className={cn('absolute top-1.5 left-0 size-[7px] rounded-full ring-3 ring-surface', green ? 'bg-green-solid' : 'bg-control')}
    />
  );
}

/** The events of the ticket that were sent to webhook endpoints, for admins. */
export function DeliveriesLink({ ticket }: { ticket: Ticket }) {
  const { role } = useSession().profile;
  if (role !== 'admin') return null;
  return (
    <Link
      to={`/settings?tab=webhooks&ticket=${ticket.id}`}
      className="mt-2 inline-block text-xs text-muted underline underline-offset-2 hover:text-accent-text"
    >
      {t('tickets.panel.webhook_deliveries')}
    </Link>
  );
}

/** When the ticket was created, updated and resolved. */
export function Timeline({ ticket }: { ticket: Ticket }) {
  const moments: [string, string | null][] = [
    [t('tickets.panel.created'), ticket.created_at],
    [t('tickets.panel.updated'), ticket.updated_at],
    [t('tickets.panel.resolved'), ticket.resolved_at],
  ];
  return (
    <ol className={lineClasses}>
      {moments.map(
        ([name, at]) =>
          at && (
            <li key={name} className="relative flex items-baseline justify-between gap-3 pl-5">
              <Dot green={name === 'Resolved'} />
              <span>{name}</span>
              <Time iso={at} className="text-xs text-muted" />
            </li>
          ),
      )}
    </ol>
  );
}
