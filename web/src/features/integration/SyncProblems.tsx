import type { Integration, SyncProblem } from '@tandem/contracts';
import { syncFieldLabels, syncProblemLabels } from '@tandem/contracts/values';
import { CircleCheck, CirclePause, CircleX, TriangleAlert, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { t } from '../../lib/staff-texts';
import { Badge, type BadgeTone } from '../../ui/Badge';
import { Dialog } from '../../ui/Dialog';
import { EmptyState } from '../../ui/EmptyState';
import { Rich } from '../../ui/Rich';
import { Select } from '../../ui/Select';
import { Time } from '../../ui/Time';
import { useListSyncProblemsInfiniteQuery, type ProblemKind } from './integration.api';
import { SyncList } from './SyncList';
import { TryAllAgain } from './TryAllAgain';

const looks: Record<ProblemKind, { tone: BadgeTone; icon: LucideIcon }> = {
  failed: { tone: 'red', icon: CircleX },
  stopped: { tone: 'red', icon: CirclePause },
  differs: { tone: 'amber', icon: TriangleAlert },
};
const everything = 'all';
const choices = [
  { value: everything, label: t('integration.all_problems') },
  ...Object.entries(syncProblemLabels).map(([value, label]) => ({ value, label })),
];

function ProblemRow({ problem }: { problem: SyncProblem }) {
  const { kind, fields, reason, subject, ticket_id, ticket_number, task_url, synced_at } = problem;
  const { tone, icon: Icon } = looks[kind];
  return (
    <li className="grid gap-x-3 gap-y-1 py-2.5 sm:grid-cols-[5.5rem_minmax(0,1fr)] sm:items-baseline">
      <Badge tone={tone} className="justify-self-start">
        <Icon aria-hidden />
        {syncProblemLabels[kind]}
      </Badge>
      <div className="min-w-0">
        <p className="truncate">
          <Link to={`/tickets/${ticket_id}`} className="tabular text-accent-text hover:underline">
            {ticket_number ?? t('integration.open_ticket')}
          </Link>{' '}
          <span dir="auto">{subject}</span>
        </p>
        <p className="[overflow-wrap:anywhere]">
          {fields.length > 0 && <span className="font-medium">{fields.map((field) => syncFieldLabels[field]).join(', ')}: </span>}
          {reason}
        </p>
        <p className="flex flex-wrap gap-x-2 text-xs text-muted">
          {synced_at && (
            <span>
              <Rich text={t('integration.last_synced')} tags={{ time: () => <Time iso={synced_at} relative /> }} />
            </span>
          )}
          {task_url && (
            <a href={task_url} target="_blank" rel="noopener noreferrer" className="text-accent-text hover:underline">
              <Rich text={t('integration.open_task_in_new_tab')} tags={{ span: (inside) => <span className="sr-only">{inside}</span> }} />
            </a>
          )}
        </p>
      </div>
    </li>
  );
}

function Problems({ id, shown }: { id: string; shown: string }) {
  const kind = shown === everything ? undefined : (shown as ProblemKind);
  const query = useListSyncProblemsInfiniteQuery({ id, ...(kind ? { kind } : {}) });
  const empty = (
    <EmptyState icon={CircleCheck} title={t('integration.no_problems')}>
      {kind ? t('integration.no_ticket_has_this_problem') : t('integration.no_sync_problems')}
    </EmptyState>
  );
  return (
    <SyncList
      label={t('integration.tickets_with_problems')}
      query={query}
      errorTitle={t('integration.couldnt_load_problems')}
      empty={empty}
      row={(problem) => <ProblemRow key={problem.ticket_id} problem={problem} />}
    />
  );
}

/** Tickets that are not in sync with their task, and why. */
export function SyncProblems({ integration, onClose }: { integration: Integration; onClose: () => void }) {
  const [shown, setShown] = useState(everything);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('integration.sync_problems')}
      description={t('integration.list_name_newest_tickets_first', { list_name: integration.list_name })}
      wide
    >
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <Select look="filter" label={t('integration.problem')} value={shown} options={choices} onChange={setShown} className="w-36" />
        <TryAllAgain integration={integration} />
      </div>
      <div className="min-h-80">
        <Problems key={shown} id={integration.id} shown={shown} />
      </div>
    </Dialog>
  );
}
