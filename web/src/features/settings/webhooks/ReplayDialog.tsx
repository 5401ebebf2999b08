import type { WebhookEndpoint } from '@tandem/contracts';
import { webhookRules } from '@tandem/contracts/values';
import { useMemo, useState } from 'react';
import { notify } from '../../../lib/notify';
import { useNow } from '../../../lib/now';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { Rich } from '../../../ui/Rich';
import { Select } from '../../../ui/Select';
import { endpointName } from './endpoint-labels';
import { localValue, missedSince, whichOptions } from './replay-labels';
import { useCountReplayQuery, useReplayWebhooksMutation, type Replay } from './deliveries.api';

/** The number of events that a replay would send, before it is started. */
function Count({ id, body }: { id: string; body: Replay }) {
  const { currentData, error, isFetching } = useCountReplayQuery({ id, body }, { refetchOnMountOrArgChange: true });
  const count = currentData?.count;
  return (
    <p role="status" className="rounded-md border bg-sunken px-3 py-2">
      {error && !isFetching && t('settings.webhooks.couldnt_count_events_reason', { reason: messageOf(error, '') })}
      {!error && count === undefined && t('settings.webhooks.counting')}
      {count === 0 && t('settings.webhooks.nothing_to_send')}
      {count !== undefined && count > 0 && (
        <Rich
          text={t('settings.webhooks.events_will_be_sent_after', { count })}
          tags={{ b: (inside) => <b className="font-semibold tabular">{inside}</b> }}
        />
      )}
    </p>
  );
}

/** Sends the events of a period again, by default those that never arrived. */
export function ReplayDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const now = useNow();
  const [since, setSince] = useState(() => localValue(missedSince(endpoint, now)));
  const [which, setWhich] = useState<NonNullable<Replay['which']>>('missed');
  const [key] = useState(() => crypto.randomUUID());
  const [replay, { isLoading }] = useReplayWebhooksMutation();
  const start = new Date(since);
  const isValid = !Number.isNaN(start.getTime()) && start.getTime() < now;
  const body = useMemo(() => ({ since: isValid ? new Date(since).toISOString() : '', which }), [since, which, isValid]);
  const oldest = localValue(now - webhookRules.retentionDays * 86_400_000);
  const { currentData } = useCountReplayQuery({ id: endpoint.id, body }, { skip: !isValid });
  const confirm = async () => {
    const answer = await replay({ id: endpoint.id, body, key });
    if (answer.error) return notify.problem(answer.error, t('settings.webhooks.failed_to_start_sending'));
    notify.success(t('settings.webhooks.sending_started'));
    onClose();
  };
  const footer = (
    <>
      <Button onClick={onClose}>{t('settings.webhooks.cancel')}</Button>
      <Button variant="primary" busy={isLoading} disabled={!isValid || !currentData?.count} onClick={() => void confirm()}>
        {t('settings.webhooks.send_them')}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('settings.webhooks.send_missed_events_to_endpoint', { endpointName: endpointName(endpoint) })}
      description={t('settings.webhooks.what_replay_does')}
      footer={footer}
    >
      <div className="flex flex-col gap-4 pt-1">
        <Field
          label={t('settings.webhooks.everything_since')}
          error={isValid ? undefined : t('settings.webhooks.enter_time_in_past')}
          hint={t('settings.webhooks.at_most_30_days_ago')}
        >
          {(control) => (
            <Input
              {...control}
              type="datetime-local"
              min={oldest}
              max={localValue(now)}
              value={since}
              onChange={(event) => setSince(event.target.value)}
            />
          )}
        </Field>
        <Field label={t('settings.webhooks.which_events')}>
          {(control) => <Select {...control} value={which} options={whichOptions} onChange={(value) => setWhich(value as typeof which)} />}
        </Field>
        {isValid && <Count id={endpoint.id} body={body} />}
      </div>
    </Dialog>
  );
}
