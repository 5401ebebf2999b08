import type { WebhookReplay } from '@tandem/contracts';
import { Pause, Play, X } from 'lucide-react';
import { useState } from 'react';
import { formatDate } from '../../../lib/dates';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { replayText } from './replay-labels';
import { useListWebhookReplaysQuery, useUpdateWebhookReplayMutation } from './deliveries.api';

const pollMs = 5_000;
const shownAtMost = 3;
const isUnderWay = ({ state }: WebhookReplay): boolean => state === 'running' || state === 'paused';

function ReplayItem({ replay }: { replay: WebhookReplay }) {
  const [update, { isLoading }] = useUpdateWebhookReplayMutation();
  const { state, since, sent, total } = replay;
  const set = async (next: 'running' | 'paused' | 'cancelled') => {
    const { error } = await update({ id: replay.id, state: next });
    if (error) notify.problem(error, t('settings.webhooks.couldnt_change_replay'));
  };
  const text = replayText(replay);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium tabular">{text}</p>
        <p className="text-xs text-muted">{t('settings.webhooks.missed_events_since_date', { date: formatDate(since) })}</p>
        {isUnderWay(replay) && (
          <progress
            aria-label={text}
            max={Math.max(total, 1)}
            value={sent}
            className="mt-1.5 block h-1.5 w-full overflow-hidden rounded-full accent-accent [&::-webkit-progress-bar]:bg-hover [&::-webkit-progress-value]:bg-accent"
          />
        )}
      </div>
      {isUnderWay(replay) && (
        <div className="flex gap-1.5">
          <Button size="sm" busy={isLoading} onClick={() => void set(state === 'running' ? 'paused' : 'running')}>
            {state === 'running' ? <Pause aria-hidden /> : <Play aria-hidden />}
            {state === 'running' ? t('settings.webhooks.pause') : t('settings.webhooks.continue')}
          </Button>
          <Button size="sm" variant="ghost" onClick={() => void set('cancelled')}>
            <X aria-hidden />
            {t('settings.webhooks.cancel')}
          </Button>
        </div>
      )}
    </li>
  );
}

/** The latest replays of an endpoint; empty without any. */
export function Replays({ endpointId }: { endpointId: string }) {
  const [isRunning, setIsRunning] = useState(false);
  const { data = [] } = useListWebhookReplaysQuery(endpointId, {
    pollingInterval: isRunning ? pollMs : 0,
    skipPollingIfUnfocused: true,
    refetchOnMountOrArgChange: true,
  });
  const runs = data.some(({ state }) => state === 'running');
  if (runs !== isRunning) setIsRunning(runs);
  if (data.length === 0) return null;
  return (
    <ul aria-label={t('settings.webhooks.replays')} className="divide-y border-t">
      {data.slice(0, shownAtMost).map((replay) => (
        <ReplayItem key={replay.id} replay={replay} />
      ))}
    </ul>
  );
}
