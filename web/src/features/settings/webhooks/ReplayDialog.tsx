import type { WebhookEndpoint } from '@tandem/contracts';
import { webhookRules } from '@tandem/contracts/values';
import { useMemo, useState } from 'react';
import { notify } from '../../../lib/notify';
import { useNow } from '../../../lib/now';
import { messageOf } from '../../../lib/problem';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { Select } from '../../../ui/Select';
import { endpointName } from './EndpointMenu';
import { localValue, missedSince, whichOptions } from './replay-labels';
import { useCountReplayQuery, useReplayWebhooksMutation, type Replay } from './deliveries.api';

/** The number of events that a replay would send, before it is started. */
function Count({ id, body }: { id: string; body: Replay }) {
  const { currentData, error, isFetching } = useCountReplayQuery({ id, body }, { refetchOnMountOrArgChange: true });
  const count = currentData?.count;
  return (
    <p role="status" className="rounded-md border bg-sunken px-3 py-2">
      {error && !isFetching && `Couldn’t count the events. ${messageOf(error, '')}`}
      {!error && count === undefined && 'Counting…'}
      {count === 0 && 'Nothing to send: every such event has arrived.'}
      {count !== undefined && count > 0 && (
        <>
          <b className="font-semibold tabular">{count.toLocaleString('en-US')}</b> {count === 1 ? 'event' : 'events'} will be sent, after
          new ones and with their original ids.
        </>
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
    if (answer.error) return notify.problem(answer.error, 'Failed to start sending');
    notify.success('Sending started. Its progress is on the endpoint’s page.');
    onClose();
  };
  const footer = (
    <>
      <Button onClick={onClose}>Cancel</Button>
      <Button variant="primary" busy={isLoading} disabled={!isValid || !currentData?.count} onClick={() => void confirm()}>
        Send them
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Send missed events to ${endpointName(endpoint)}`}
      description="Sends events from the time when your receiver was down, paused or disabled."
      footer={footer}
    >
      <div className="flex flex-col gap-4 pt-1">
        <Field label="Everything since" error={isValid ? undefined : 'Enter a time in the past'} hint="At most 30 days ago.">
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
        <Field label="Which events">
          {(control) => <Select {...control} value={which} options={whichOptions} onChange={(value) => setWhich(value as typeof which)} />}
        </Field>
        {isValid && <Count id={endpoint.id} body={body} />}
      </div>
    </Dialog>
  );
}
