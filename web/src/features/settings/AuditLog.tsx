import type { AuditEntry } from '@tandem/contracts';
import { ScrollText } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { useMedia } from '../../lib/media';
import { messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { Card, CardHeader } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorNote } from '../../ui/ErrorNote';
import { Skeleton } from '../../ui/Skeleton';
import { Time } from '../../ui/Time';
import { useBrowserName } from '../../lib/browser-name';
import { auditFiltersOf, isFiltered, withoutAuditFilters } from './audit-filters';
import { changeLabels, isSystemEntry, eventTitle, locationLabel, actorLabel } from './audit-labels';
import { AuditFilterBar } from './AuditFilterBar';
import { DownloadCsv } from './DownloadCsv';
import { useListAuditLogInfiniteQuery } from './settings.api';
import { SeverityBadge } from './SeverityBadge';

function Changes({ entry }: { entry: AuditEntry }) {
  return changeLabels(entry).map(({ name, from, to }) => (
    <p key={name} className="text-xs break-words text-muted">
      {name}: {from} <span aria-hidden>→</span>
      <span className="sr-only">{t('settings.became')}</span> <span className="text-ink">{to}</span>
    </p>
  ));
}

function What({ entry }: { entry: AuditEntry }) {
  return (
    <>
      <p className="font-medium">{eventTitle(entry)}</p>
      {entry.target && <p className="text-xs break-words text-muted">{entry.target}</p>}
    </>
  );
}

function Where({ entry, browser }: { entry: AuditEntry; browser: string | undefined }) {
  return (
    <>
      <span className="tabular">{locationLabel(entry)}</span>
      {entry.user_agent && (
        <span className="block text-xs break-words text-muted" title={entry.user_agent}>
          {browser}
        </span>
      )}
    </>
  );
}

const columns = [
  { heading: t('settings.when'), width: 'w-32' },
  { heading: t('settings.who'), width: 'w-[22%]' },
  { heading: t('settings.what'), width: 'w-[22%]' },
  { heading: t('settings.severity'), width: 'w-22' },
  { heading: t('settings.location'), width: 'w-[15%]' },
  { heading: t('settings.change'), width: '' },
];
const cell = 'px-3 py-2.5 align-top';

interface EntryTableProps {
  entries: AuditEntry[];
  browserName: NonNullable<ReturnType<typeof useBrowserName>>;
}

function EntryTable({ entries, browserName }: EntryTableProps) {
  return (
    <table className="w-full table-fixed text-left">
      <caption className="sr-only">{t('settings.audit_log_of_organization')}</caption>
      <thead className="border-b bg-sunken text-xs text-muted">
        <tr>
          {columns.map(({ heading, width }) => (
            <th key={heading} scope="col" className={`px-3 py-2 font-medium ${width}`}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y">
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td className={`${cell} text-muted`}>
              <Time iso={entry.occurred_at} />
            </td>
            <td className={`${cell} break-words`}>{actorLabel(entry)}</td>
            <td className={cell}>
              <What entry={entry} />
            </td>
            <td className={cell}>
              <SeverityBadge severity={entry.severity} />
            </td>
            <td className={cell}>
              <Where entry={entry} browser={browserName(entry.user_agent)} />
            </td>
            <td className={cell}>
              <Changes entry={entry} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Narrow layout, also next to the navigation on a small laptop: one card per entry. */
function EntryList({ entries }: { entries: AuditEntry[] }) {
  return (
    <ul aria-label={t('settings.audit_log_of_organization')} className="divide-y">
      {entries.map((entry) => (
        <li key={entry.id} className="flex flex-col gap-1 px-3 py-3">
          <div className="flex items-start justify-between gap-3">
            <div className="min-w-0">
              <What entry={entry} />
            </div>
            <SeverityBadge severity={entry.severity} />
          </div>
          <Changes entry={entry} />
          <p className="text-xs break-words text-muted">
            {actorLabel(entry)} <span aria-hidden>·</span> <Time iso={entry.occurred_at} />
            {!isSystemEntry(entry) && (
              <>
                {' '}
                <span aria-hidden>·</span> {locationLabel(entry)}
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}

function LogSkeleton() {
  return (
    <div aria-hidden className="divide-y">
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className="flex gap-6 px-4 py-3.5">
          <Skeleton className="h-4 w-32" />
          <Skeleton className="h-4 w-40 max-md:hidden" />
          <Skeleton className="h-4 flex-1" />
          <Skeleton className="h-4 w-14" />
        </div>
      ))}
    </div>
  );
}

function Entries() {
  const [params, setParams] = useSearchParams();
  const filters = auditFiltersOf(params);
  const wide = useMedia('(min-width: 1280px)');
  const browserName = useBrowserName();
  const { data, error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useListAuditLogInfiniteQuery(filters);
  const entries = data?.pages.flatMap(({ items }) => items);
  if (!entries && error)
    return (
      <ErrorNote title={t('settings.failed_to_load_log')} detail={messageOf(error, '')} onRetry={() => void refetch()} busy={isFetching} />
    );
  // A browser's name that arrives later would make its row higher, and move all below.
  if (!entries || !browserName) return <LogSkeleton />;
  if (entries.length === 0) {
    return (
      <EmptyState
        icon={ScrollText}
        title={t('settings.no_entries')}
        action={
          isFiltered(filters) && (
            <Button onClick={() => setParams(withoutAuditFilters(params), { replace: true })}>{t('settings.clear_filters')}</Button>
          )
        }
      >
        {isFiltered(filters) ? t('settings.no_entries_match_filters') : t('settings.what_audit_log_contains')}
      </EmptyState>
    );
  }
  return (
    <>
      {wide ? <EntryTable entries={entries} browserName={browserName} /> : <EntryList entries={entries} />}
      {error && !isFetching && (
        <p role="alert" className="px-4 pt-3 text-center text-red-text">
          {t('settings.failed_to_load_log')}
        </p>
      )}
      {hasNextPage && (
        <div className="flex justify-center border-t p-4">
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {error ? t('settings.try_again') : t('settings.load_more')}
          </Button>
        </div>
      )}
    </>
  );
}

/** The server's audit log: which user did what in the organization, for admins. */
export function AuditLog() {
  const [params] = useSearchParams();
  return (
    <Card aria-labelledby="audit-log" className="min-w-0">
      <CardHeader id="audit-log" title={t('settings.audit_log')} actions={<DownloadCsv filters={auditFiltersOf(params)} />} />
      <AuditFilterBar />
      <Entries />
    </Card>
  );
}
