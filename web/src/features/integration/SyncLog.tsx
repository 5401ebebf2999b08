import type { Integration, SyncLogEntry } from '@tandem/contracts';
import { syncFieldLabels } from '@tandem/contracts/values';
import { CircleX, Info, ScrollText, TriangleAlert, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { t } from '../../lib/staff-texts';
import { Badge, type BadgeTone } from '../../ui/Badge';
import { Dialog } from '../../ui/Dialog';
import { EmptyState } from '../../ui/EmptyState';
import { Select } from '../../ui/Select';
import { Time } from '../../ui/Time';
import { useReadSyncLogInfiniteQuery, type LogLevel } from './integration.api';
import { SyncList } from './SyncList';

const levels: Record<LogLevel, { label: string; tone: BadgeTone; icon: LucideIcon }> = {
  error: { label: t('integration.error'), tone: 'red', icon: CircleX },
  warning: { label: t('integration.warning'), tone: 'amber', icon: TriangleAlert },
  info: { label: t('integration.info'), tone: 'gray', icon: Info },
};
const everything = 'all';
const choices = [
  { value: everything, label: t('integration.everything') },
  { value: 'error', label: t('integration.errors') },
  { value: 'warning', label: t('integration.warnings') },
  { value: 'info', label: t('integration.info') },
];
const directions = { to_task: t('integration.ticket_to_task'), to_ticket: t('integration.task_to_ticket') };

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
              {entry.ticket_number ?? t('integration.open_ticket')}
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
    <EmptyState icon={ScrollText} title={t('integration.no_entries')}>
      {level ? t('integration.no_entries_of_this_kind') : t('integration.no_sync_activity_yet')}
    </EmptyState>
  );
  return (
    <SyncList
      label={t('integration.sync_log')}
      query={query}
      errorTitle={t('integration.couldnt_load_log')}
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
      title={t('integration.sync_log')}
      description={t('integration.list_name_last_30_days', { list_name: integration.list_name })}
      wide
    >
      <Select
        look="filter"
        label={t('integration.filter_entries')}
        value={shown}
        options={choices}
        onChange={setShown}
        className="mb-2 w-32"
      />
      <div className="min-h-80">
        <Entries key={shown} id={integration.id} shown={shown} />
      </div>
    </Dialog>
  );
}
