import type { Integration, TaskTool } from '@tandem/contracts';
import { ChevronRight } from 'lucide-react';
import { lazy, Suspense, useId, useState } from 'react';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Rich } from '../../ui/Rich';
import { Time } from '../../ui/Time';
import { Backfill } from './Backfill';
import { HealthBadge } from './HealthBadge';
import { IntegrationActions } from './IntegrationActions';
import { OrderButtons } from './OrderButtons';
import { TryAllAgain } from './TryAllAgain';

const SyncProblems = lazy(() => import('./SyncProblems').then((module) => ({ default: module.SyncProblems })));

const number = new Intl.NumberFormat('en-US');

/** Workspace, space and list, outermost first. */
function ListPath({ integration, id }: { integration: Integration; id: string }) {
  const { workspace_name, space_name, list_name } = integration;
  return (
    <h3 id={id} className="font-normal text-muted wrap-anywhere">
      {[workspace_name, space_name].map(
        (name, index) =>
          name !== null && (
            <span key={index}>
              {name}
              <ChevronRight className="mx-1 inline size-3 text-faint" aria-hidden />
              <span className="sr-only">, </span>
            </span>
          ),
      )}
      <span className="font-medium text-ink">{list_name}</span>
    </h3>
  );
}

function Counts({
  integration: { linked_count, pending_count, failed_count, differing_count, last_sync_at },
}: {
  integration: Integration;
}) {
  const counts = [
    { key: 'linked', value: linked_count, always: true },
    { key: 'pending', value: pending_count, always: true },
    { key: 'failed', value: failed_count, always: false, classes: 'text-red-text font-medium' },
    { key: 'differing', value: differing_count, always: false, classes: 'text-amber-text font-medium' },
  ].filter(({ value, always }) => always || value > 0);
  return (
    <p className="tabular flex flex-wrap gap-x-3 text-xs text-muted">
      <span>
        {last_sync_at ? (
          <>
            <Rich text={t('integration.last_sync')} tags={{ part: () => <Time iso={last_sync_at} relative /> }} />
          </>
        ) : (
          t('integration.not_synced_yet')
        )}
      </span>
      {counts.map(({ key, value, classes }) => (
        <span key={key} className={classes}>
          {number.format(value)} {key}
        </span>
      ))}
    </p>
  );
}

/** Which new tickets the integration takes, with its position in the order. */
const takes: Record<Integration['rules']['create'], (place: number) => string> = {
  matching: (place) => t('integration.place_tickets_that_match_rules', { place }),
  all: (place) => t('integration.place_all_tickets', { place }),
  none: () => t('integration.linked_manually'),
};

/** All problems, the most important first. */
function HealthProblems({ problems: [first, ...others], isSerious }: { problems: string[]; isSerious: boolean }) {
  if (first === undefined) return null;
  return (
    <>
      {isSerious ? <Alert tone="destructive">{first}</Alert> : <p className="text-muted">{first}</p>}
      {others.length > 0 && (
        <ul aria-label={t('integration.more_problems')} className="flex list-disc flex-col gap-1 ps-5 text-muted">
          {others.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function ProblemActions({ integration }: { integration: Integration }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="flex flex-wrap gap-1.5">
      <Button size="sm" onClick={() => setIsOpen(true)}>
        {t('integration.see_what_failed')}
      </Button>
      <TryAllAgain integration={integration} />
      <Suspense fallback={null}>{isOpen && <SyncProblems integration={integration} onClose={() => setIsOpen(false)} />}</Suspense>
    </div>
  );
}

interface IntegrationRowProps {
  integration: Integration;
  /** Undefined if this installation no longer supports the tool. */
  tool: TaskTool | undefined;
  /** Counts the older tickets without a task automatically. */
  countsOlder: boolean;
  /** Shows the tool's name, if there are integrations of several tools. */
  namesTool: boolean;
  /** Undefined if there is only one integration. */
  place: { all: Integration[]; index: number } | undefined;
}

/** One integration: its list, its health, and its actions. */
export function IntegrationRow({ integration, tool, countsOlder, namesTool, place }: IntegrationRowProps) {
  const id = useId();
  const { health, is_active, pause_reason, failed_count, differing_count } = integration;
  // If the whole connection is broken, its card already shows that.
  const isSerious = health === 'broken' && pause_reason !== 'connection_broken';
  return (
    <li aria-labelledby={id} className="flex flex-col gap-3 p-4">
      <div className="flex items-start gap-3 max-sm:flex-col">
        <div className="min-w-0 flex-1 max-sm:w-full">
          <ListPath integration={integration} id={id} />
          <div className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <HealthBadge health={health} />
            {place && <Badge tone="plain">{takes[integration.rules.create](place.index + 1)}</Badge>}
            {tool && namesTool && <Badge tone="plain">{tool.name}</Badge>}
            <Counts integration={integration} />
          </div>
        </div>
        <div className="flex items-center gap-1.5">
          {place && <OrderButtons {...place} />}
          <IntegrationActions integration={integration} tool={tool} />
        </div>
      </div>
      <HealthProblems problems={integration.health_problems} isSerious={isSerious} />
      {failed_count + differing_count > 0 && <ProblemActions integration={integration} />}
      {is_active && <Backfill id={integration.id} isAskedFor={countsOlder} />}
    </li>
  );
}
