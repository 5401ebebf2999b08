import type { Ticket } from '@tandem/contracts';
import { EyeOff, GitMerge } from 'lucide-react';
import { Link } from 'react-router-dom';
import { formatDay } from '../../../lib/dates';
import { t } from '../../../lib/staff-texts';
import { Rich } from '../../../ui/Rich';
import { useReadTicketQuery } from '../tickets.api';

const banner = 'm-4 flex items-center gap-2 rounded-lg border bg-sunken px-4 py-3 text-muted max-md:m-2';

/** The conversation of a merged ticket continues in the other one. */
function MergedBanner({ into }: { into: string }) {
  const { data: target } = useReadTicketQuery(into);
  return (
    <p role="status" className={banner}>
      <GitMerge className="size-4 shrink-0" aria-hidden />
      <span className="min-w-0">
        <Rich
          text={t('tickets.detail.merged_into')}
          tags={{
            link: () => (
              <Link to={`/tickets/${into}`} className="font-medium text-accent-text hover:underline">
                {target ? `${target.ticket_number} ${target.subject}` : t('tickets.detail.another_ticket')}
              </Link>
            ),
          }}
        />
      </span>
    </p>
  );
}

/** Replaces the composer of a merged or anonymized ticket. */
export function LockedBanner({ ticket: { anonymized_at, merged_into_id } }: { ticket: Ticket }) {
  if (!anonymized_at) return merged_into_id && <MergedBanner into={merged_into_id} />;
  return (
    <p role="status" className={banner}>
      <EyeOff className="size-4 shrink-0" aria-hidden />
      {t('tickets.detail.anonymized', { day: formatDay(anonymized_at) })}
    </p>
  );
}
