import type { Integration, SyncLogEntry } from '@tandem/contracts';
import { syncFieldLabels } from '@tandem/contracts/values';
import { CircleX, Info, ScrollText, TriangleAlert, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Badge, type BadgeTone } from '../../ui/Badge';
import { Dialog } from '../../ui/Dialog';
import { EmptyState } from '../../ui/EmptyState';
import { Select } from '../../ui/Select';
import { Time } from '../../ui/Time';
import { useReadSyncLogInfiniteQuery, type LogLevel } from './integration.api';
import { SyncList } from './SyncList';

const levels: Record<LogLevel, { label: string; tone: BadgeTone; icon: LucideIcon }> = {
  error: { label: 'Error', tone: 'red', icon: CircleX },
  warning: { label: 'Warning', tone: 'amber', icon: TriangleAlert },
  info: { label: 'Info', tone: 'gray', icon: Info },
};
const everything = 'all';
const choices = [
  { value: everything, label: 'Everything' },
  { value: 'error', label: 'Errors' },
  { value: 'warning', label: 'Warnings' },
  { value: 'info', label: 'Info' },
];
const directions = { to_task: 'Ticket to task', to_ticket: 'Task to ticket' };

function LogRow({ entry }: { entry: SyncLogEntry }) {
  const { label, tone, icon: Icon } = levels[entry.level];
  const about = [entry.direction && directions[entry.direction], entry.field && syncFieldLabels[entry.field]].filter(Boolean).join(', ');
  return (
    <li className="grid gap-x-3 gap-y-1 py-2.5 sm:grid-cols-[5.5rem_minmax(0,1fr)_auto] sm:items-baseline">
      <Badge tone={tone} className="justify-self-start">
        <Icon aria-hidden />
        {label}
      </Badge>
      <div className="min-w-0">
        <p className="[overflow-wrap:anywhere]">{entry.message}</p>
        <p className="flex flex-wrap gap-x-2 text-xs text-muted">
          {entry.ticket_id && (
            <Link to={`/tickets/${entry.ticket_id}`} className="tabular text-accent-text hover:underline">
              {entry.ticket_number ?? 'Open the ticket'}
            </Link>
          )}
          {about && <span>{about}</span>}
        </p>
      </div>
      <Time iso={entry.created_at} className="text-xs whitespace-nowrap text-muted" />
    </li>
  );
}

function Entries({ id, shown }: { id: string; shown: string }) {
  const level = shown === everything ? undefined : (shown as LogLevel);
  const query = useReadSyncLogInfiniteQuery({ id, ...(level ? { level } : {}) });
  const empty = (
    <EmptyState icon={ScrollText} title="No entries">
      {level ? 'No entries of this kind in the last 30 days.' : 'Sync activity of the last 30 days appears here.'}
    </EmptyState>
  );
  return (
    <SyncList
      label="Sync log"
      query={query}
      errorTitle="Couldn’t load the log"
      empty={empty}
      row={(entry) => <LogRow key={entry.id} entry={entry} />}
    />
  );
}

/** Log of the sync with its errors, latest first. */
export function SyncLog({ integration, onClose }: { integration: Integration; onClose: () => void }) {
  const [shown, setShown] = useState(everything);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Sync log"
      description={`${integration.list_name}, last 30 days, newest first`}
      wide
    >
      <Select look="filter" label="Filter entries" value={shown} options={choices} onChange={setShown} className="mb-2 w-32" />
      <div className="min-h-80">
        <Entries key={shown} id={integration.id} shown={shown} />
      </div>
    </Dialog>
  );
}
