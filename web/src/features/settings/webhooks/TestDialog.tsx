import type { WebhookEndpoint } from '@tandem/contracts';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { Dialog } from '../../../ui/Dialog';
import { Field } from '../../../ui/Field';
import { Select } from '../../../ui/Select';
import { Spinner } from '../../../ui/Spinner';
import { eventOptions, testResult } from './delivery-labels';
import { endpointName } from './endpoint-labels';
import { useReadWebhookDeliveryQuery, useTestWebhookEndpointMutation, type TestEvent } from './deliveries.api';

const pollMs = 1_000;

/** The first attempt decides: the later ones follow the normal delays. */
function Result({ id, onOpen }: { id: string; onOpen: () => void }) {
  const [isDone, setIsDone] = useState(false);
  const { data } = useReadWebhookDeliveryQuery(id, { pollingInterval: isDone ? 0 : pollMs });
  const hasResult = data !== undefined && (data.attempts > 0 || data.state !== 'pending');
  if (hasResult && !isDone) setIsDone(true);
  if (!data || !hasResult)
    return (
      <p className="flex items-center gap-2 text-muted">
        <Spinner label={t('settings.webhooks.waiting_for_answer')} />
        <span aria-hidden>{t('settings.webhooks.waiting_for_answer_status')}</span>
      </p>
    );
  const { isSuccess, text } = testResult(data);
  return (
    <Alert tone={isSuccess ? 'success' : 'destructive'}>
      <p>{text}</p>
      <button type="button" className="mt-1 font-medium underline" onClick={onOpen}>
        {t('settings.webhooks.view_request_and_response')}
      </button>
    </Alert>
  );
}

interface TestDialogProps {
  endpoint: WebhookEndpoint;
  onClose: () => void;
  onOpenDelivery: (id: string) => void;
}

/** Sends a sample of any event and shows the answer. */
export function TestDialog({ endpoint, onClose, onOpenDelivery }: TestDialogProps) {
  const [event, setEvent] = useState('webhook.test');
  const [sent, setSent] = useState<string>();
  const [test, { isLoading }] = useTestWebhookEndpointMutation();
  const send = async () => {
    const answer = await test({ id: endpoint.id, event: event as TestEvent });
    if (answer.data) setSent(answer.data.id);
    else notify.problem(answer.error, t('settings.webhooks.failed_to_send_test_event'));
  };
  const footer = (
    <>
      <Button onClick={onClose}>{sent ? t('settings.webhooks.done') : t('settings.webhooks.cancel')}</Button>
      <Button variant="primary" busy={isLoading} onClick={() => void send()}>
        {!isLoading && <Send aria-hidden />}
        {sent ? t('settings.webhooks.send_another') : t('settings.webhooks.send')}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('settings.webhooks.send_test_to_endpoint_label', { endpointName: endpointName(endpoint) })}
      description={t('settings.webhooks.what_test_sends')}
      footer={footer}
    >
      <div className="flex flex-col gap-4 pt-1">
        <Field label={t('settings.webhooks.event')}>
          {(control) => <Select {...control} value={event} options={eventOptions} onChange={setEvent} />}
        </Field>
        {sent && <Result key={sent} id={sent} onOpen={() => onOpenDelivery(sent)} />}
      </div>
    </Dialog>
  );
}
