import type { Backfill as BackfillState } from '@tandem/contracts';
import { History } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { notify } from '../../lib/notify';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { integrationApi, useReadBackfillQuery, useStartBackfillMutation } from './integration.api';

const runningMs = 2_500;
/** Poll interval until all tickets from before the connection are known. */
const countingMs = 5_000;

function Progress({ backfill: { total, created, failed } }: { backfill: BackfillState }) {
  const seen = created + failed;
  const percent = total === 0 ? 0 : Math.min(100, Math.round((seen / total) * 100));
  return (
    <div className="flex flex-col gap-1.5">
      <div className="tabular flex justify-between gap-3 text-xs text-muted">
        <span>
          {t('integration.backfill_progress', { created, total })}
          {failed > 0 && <span className="text-red-text">{t('integration.backfill_failed', { failed })}</span>}
        </span>
        <span aria-hidden className="shrink-0">
          {percent} %
        </span>
      </div>
      <span
        role="progressbar"
        aria-label={t('integration.creating_tasks_for_older_tickets')}
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        className="block h-1.5 overflow-hidden rounded-full bg-line"
      >
        <span className="block h-full rounded-full bg-accent transition-[width] duration-300" style={{ width: `${percent}%` }} />
      </span>
    </div>
  );
}

/** Result of the last backfill, and the number of tickets that still have no task. */
function Offer({ backfill, busy, onStart }: { backfill: BackfillState; busy: boolean; onStart: () => void }) {
  const { state, created, failed, matching, is_complete } = backfill;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {state === 'done' && (
        <span className="text-xs text-muted">
          {t('integration.older_tickets_synced', { created })}
          {failed > 0 && <span className="text-red-text">{t('integration.backfill_failed_see_log', { failed })}</span>}
        </span>
      )}
      {matching > 0 && (
        <Button size="sm" busy={busy} onClick={onStart}>
          {!busy && <History aria-hidden />}
          {t('integration.create_tasks_for_older', { matching })}
        </Button>
      )}
      {!is_complete && <span className="text-xs text-muted">{t('integration.still_counting_older_tickets')}</span>}
    </div>
  );
}

/** Refetches the integrations when the backfill is done, because their counts include the new tasks. */
function useReadAgainAtItsEnd(state: BackfillState['state'] | undefined) {
  const dispatch = useDispatch();
  const before = useRef(state);
  useEffect(() => {
    if (before.current === 'running' && state === 'done') dispatch(integrationApi.util.invalidateTags(['Integrations']));
    before.current = state;
  }, [state, dispatch]);
}

function Known({ id }: { id: string }) {
  const [period, setPeriod] = useState(0);
  const { data, isError, isFetching, refetch } = useReadBackfillQuery(id, { pollingInterval: period, skipPollingIfUnfocused: true });
  const [start, { isLoading }] = useStartBackfillMutation();
  const wanted = data?.state === 'running' ? runningMs : data && !data.is_complete ? countingMs : 0;
  if (wanted !== period) setPeriod(wanted);
  useReadAgainAtItsEnd(data?.state);
  const begin = async () => {
    const { error } = await start(id);
    if (error) notify.problem(error, t('integration.couldnt_start'));
  };
  if (!data && isError)
    return (
      <Button size="sm" variant="ghost" className="self-start" busy={isFetching} onClick={() => void refetch()}>
        {t('integration.couldnt_count_older_tickets')}
      </Button>
    );
  if (!data) return null;
  if (data.state === 'running') return <Progress backfill={data} />;
  if (data.state === 'not_begun' && data.matching === 0 && data.is_complete) return null;
  return <Offer backfill={data} busy={isLoading} onStart={() => void begin()} />;
}

/** Creates tasks for tickets older than the integration: shows how many there are, and the progress. */
export function Backfill({ id, isAskedFor }: { id: string; isAskedFor: boolean }) {
  const [asked, setAsked] = useState(false);
  if (isAskedFor || asked) return <Known id={id} />;
  return (
    <Button size="sm" variant="ghost" className="self-start" onClick={() => setAsked(true)}>
      <History aria-hidden />
      {t('integration.find_older_tickets')}
    </Button>
  );
}
