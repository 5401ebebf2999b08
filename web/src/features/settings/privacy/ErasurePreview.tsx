import type { ErasurePreview as Preview } from '@tandem/contracts';
import { erasureRemains, type ErasureRemain } from '@tandem/contracts/values';
import { ChevronRight } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { Link } from 'react-router-dom';
import { t } from '../../../lib/staff-texts';
import { countedKinds } from './erasure-labels';

const Counts = ({ kinds }: { kinds: ReturnType<typeof countedKinds> }) => (
  <dl className="grid grid-cols-2 gap-x-4 gap-y-3 rounded-lg border px-4 py-3 sm:grid-cols-4">
    {kinds.map(({ kind, label, count }) => (
      <div key={kind} className="flex flex-col-reverse">
        <dt className="text-xs text-muted">{label}</dt>
        <dd className="text-md font-semibold tabular">{count.toLocaleString('en-US')}</dd>
      </div>
    ))}
  </dl>
);

function LatestTickets({ tickets }: Pick<Preview, 'tickets'>) {
  const id = useId();
  return (
    <div>
      <h4 id={id} className="mb-1 text-xs font-medium text-muted">
        {t('settings.privacy.latest_tickets')}
      </h4>
      <ul aria-labelledby={id} className="-mx-2">
        {tickets.map((ticket) => (
          <li key={ticket.id}>
            <Link to={`/tickets/${ticket.id}`} className="flex h-7 items-center gap-2 rounded-md px-2 hover:bg-hover touch:h-10">
              <span className="shrink-0 text-xs text-muted tabular">{ticket.ticket_number}</span>
              <span className="truncate" dir="auto" title={ticket.subject}>
                {ticket.subject}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Known only when the tickets are erased. */
const notCertain: readonly ErasureRemain[] = ['articles'];

function Remains({ hasTasks }: { hasTasks: boolean }) {
  const remains = (Object.keys(erasureRemains) as ErasureRemain[]).filter(
    (remain) => !notCertain.includes(remain) && (hasTasks || remain !== 'task_tool'),
  );
  return (
    <details className="group">
      <summary className="flex w-fit cursor-pointer items-center gap-1 font-medium marker:content-none">
        <ChevronRight className="size-4 text-muted transition-transform group-open:rotate-90" aria-hidden />
        {t('settings.privacy.what_remains')}
      </summary>
      <ul className="mt-2 flex list-disc flex-col gap-1 pl-9 text-pretty text-muted marker:text-faint">
        {remains.map((remain) => (
          <li key={remain}>{erasureRemains[remain]}</li>
        ))}
      </ul>
    </details>
  );
}

/** What an erasure of this address would delete, and what it would not. */
export function ErasurePreview({ email, preview }: { email: string; preview: Preview }) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const { counts, tickets, other_tickets, linked_tasks } = preview;
  const kinds = countedKinds(counts);
  // Screen readers start to read here.
  useEffect(() => heading.current?.focus(), [preview]);
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3 border-t pt-4">
      <h3 id={id} ref={heading} tabIndex={-1} className="font-semibold [overflow-wrap:anywhere] outline-none">
        {t('settings.privacy.would_erase', { email })}
      </h3>
      {kinds.length > 0 ? <Counts kinds={kinds} /> : <p className="text-pretty text-muted">{t('settings.privacy.found_nothing')}</p>}
      {tickets.length > 0 && <LatestTickets tickets={tickets} />}
      <ul className="flex list-disc flex-col gap-1 pl-5 text-pretty text-muted marker:text-faint">
        {other_tickets > 0 && <li>{t('settings.privacy.other_tickets', { count: other_tickets })}</li>}
        {linked_tasks > 0 && <li>{t('settings.privacy.linked_tasks', { count: linked_tasks })}</li>}
        <li>{t('settings.privacy.other_services')}</li>
        <li>{t('settings.privacy.archives')}</li>
      </ul>
      <Remains hasTasks={linked_tasks > 0} />
    </section>
  );
}
