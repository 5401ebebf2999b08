import type { WebhookDeliveryDetails } from '@tandem/contracts';
import { Send, SquareTerminal } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { copyText } from '../../../lib/clipboard';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { CodeBlock } from '../../../ui/CodeBlock';
import { ErrorNote } from '../../../ui/ErrorNote';
import { SidePanel } from '../../../ui/SidePanel';
import { Skeletons } from '../../../ui/Skeleton';
import { Attempt } from './Attempt';
import { lifecycle, type LifecycleStep } from './delivery-labels';
import { deliveryCurl, prettyJson } from './delivery-curl';
import { DeliveryState } from './DeliveryRow';
import { Instant } from './Instant';
import { useConsole } from './use-console';
import { useSendAgain } from './use-send-again';
import { useReadWebhookDeliveryQuery } from './deliveries.api';
import { useListWebhookEndpointsQuery } from './webhooks.api';

const pollMs = 2_000;
const dots: Record<LifecycleStep['tone'], string> = {
  done: 'bg-green-solid',
  failed: 'bg-red-solid',
  next: 'border-2 border-control bg-raised',
};

function Lifecycle({ delivery }: { delivery: WebhookDeliveryDetails }) {
  return (
    <ol
      aria-label={t('settings.webhooks.lifecycle')}
      className="relative flex flex-col gap-2.5 before:absolute before:top-2 before:bottom-2 before:left-[4px] before:w-px before:bg-line-strong"
    >
      {lifecycle(delivery, delivery.attempt_log).map(({ at, label, detail, tone }, index) => (
        <li key={index} className="relative flex flex-wrap items-baseline gap-x-2 pl-6">
          <span aria-hidden className={`absolute top-1.5 left-0 size-[9px] rounded-full ring-3 ring-raised ${dots[tone]}`} />
          <span className="font-medium">{label}</span>
          {detail && <span className="min-w-0 text-muted">{detail}</span>}
          {at && <Instant iso={at} className="ml-auto text-xs text-muted" />}
        </li>
      ))}
    </ol>
  );
}

/** The bytes that were signed, unchanged or indented. */
function Body({ body }: { body: string }) {
  const pretty = prettyJson(body);
  const [isRaw, setIsRaw] = useState(false);
  return (
    <section className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-3">
        <h3 className="font-semibold">{t('settings.webhooks.body')}</h3>
        {pretty && (
          <Button size="sm" variant="ghost" aria-pressed={isRaw} onClick={() => setIsRaw(!isRaw)}>
            {isRaw ? t('settings.webhooks.show_indented') : t('settings.webhooks.show_exact_bytes')}
          </Button>
        )}
      </div>
      <CodeBlock label={t('settings.webhooks.request_body')} code={isRaw || !pretty ? body : pretty} className="max-h-96 overflow-y-auto" />
    </section>
  );
}

function Details({ delivery }: { delivery: WebhookDeliveryDetails }) {
  const { ticket_id, ticket_number, event_id, attempt_log, body } = delivery;
  return (
    <div className="flex flex-col gap-6">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
        <DeliveryState state={delivery.state} />
        {ticket_id && (
          <Link to={`/tickets/${ticket_id}`} className="text-accent-text underline underline-offset-2">
            {ticket_number ?? t('settings.webhooks.open_ticket')}
          </Link>
        )}
        <span className="font-mono text-xs break-all">{event_id}</span>
      </p>
      <Lifecycle delivery={delivery} />
      {attempt_log.length > 0 && (
        <section aria-label={t('settings.webhooks.attempts')} className="flex flex-col gap-2">
          <h3 className="font-semibold">{t('settings.webhooks.attempts')}</h3>
          <ol className="flex flex-col gap-2">
            {[...attempt_log].reverse().map((attempt, index) => (
              <Attempt key={attempt.number} attempt={attempt} isOpenAtFirst={index === 0} />
            ))}
          </ol>
        </section>
      )}
      <Body body={body} />
    </div>
  );
}

function Actions({ delivery }: { delivery: WebhookDeliveryDetails }) {
  const { openDelivery } = useConsole();
  const { sendAgain, isSending } = useSendAgain();
  const { data: endpoints } = useListWebhookEndpointsQuery();
  const endpoint = endpoints?.find(({ id }) => id === delivery.endpoint_id);
  const send = async () => {
    if (await sendAgain([delivery.id])) openDelivery(undefined);
  };
  return (
    <>
      {endpoint && (
        <Button onClick={() => void copyText(deliveryCurl(endpoint.url, delivery), 'Copied!')}>
          <SquareTerminal aria-hidden />
          {t('settings.webhooks.copy_as_c_url')}
        </Button>
      )}
      {endpoint && delivery.state !== 'pending' && (
        <Button variant="primary" busy={isSending} disabled={endpoint.state !== 'active'} onClick={() => void send()}>
          {!isSending && <Send aria-hidden />}
          {endpoint.state === 'active' ? t('settings.webhooks.send_again') : t('settings.webhooks.resume_endpoint_to_send_again')}
        </Button>
      )}
    </>
  );
}

/** One delivery in full. Refreshed while it is waiting for its next attempt. */
export function DeliveryPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const [isPending, setIsPending] = useState(true);
  const { currentData, error, isFetching, refetch } = useReadWebhookDeliveryQuery(id, {
    pollingInterval: isPending ? pollMs : 0,
    skipPollingIfUnfocused: true,
    refetchOnMountOrArgChange: true,
  });
  const waits = !currentData || currentData.state === 'pending';
  if (waits !== isPending) setIsPending(waits);
  return (
    <SidePanel
      open
      onClose={onClose}
      title={currentData?.event ?? t('settings.webhooks.delivery')}
      footer={currentData && <Actions delivery={currentData} />}
    >
      {!currentData && error && (
        <ErrorNote
          title={t('settings.webhooks.couldnt_load_delivery')}
          detail={messageOf(error, '')}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      )}
      {!currentData && !error && <Skeletons className="flex flex-col gap-4" blocks={['h-5 w-1/2', 'h-24', 'h-48']} />}
      {currentData && <Details delivery={currentData} />}
    </SidePanel>
  );
}
