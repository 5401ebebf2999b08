import { GitMerge } from 'lucide-react';
import { Link } from 'react-router-dom';
import { t } from '../../../lib/staff-texts';
import { Rich } from '../../../ui/Rich';
import { useReadTicketQuery } from '../tickets.api';

/** Replaces the composer of a merged ticket: its conversation continues in the other one. */
export function MergedBanner({ into }: { into: string }) {
  const { data: target } = useReadTicketQuery(into);
  return (
    <p role="status" className="m-4 flex items-center gap-2 rounded-lg border bg-sunken px-4 py-3 text-muted max-md:m-2">
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
