import type { WebhookEndpoint } from '@tandem/contracts';
import { webhookRules } from '@tandem/contracts/values';
import { ArrowLeft, Plus, SearchX, Webhook } from 'lucide-react';
import { useId } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Skeletons } from '../../../ui/Skeleton';
import { Deliveries } from './Deliveries';
import { useReadDeliveryTicketQuery } from './deliveries.api';
import { DeliveryPanel } from './DeliveryPanel';
import { EndpointCard } from './EndpointCard';
import { EndpointDialogs, useEndpointDialogs, type DialogState } from './EndpointDialogs';
import { EndpointPage } from './EndpointPage';
import { endpointAddress, listAddress, useConsole } from './use-console';
import { useListWebhookEndpointsQuery } from './webhooks.api';

/** The health of 24 hours changes slowly. */
const refreshMs = 15_000;

const back = (
  <Link to={listAddress} className="flex items-center gap-1.5 self-start text-muted hover:text-ink">
    <ArrowLeft className="size-4" aria-hidden />
    {t('settings.webhooks.all_endpoints')}
  </Link>
);

const loading = <Skeletons blocks={['h-24', 'h-24']} />;

function EndpointList({ endpoints, dialogs }: { endpoints: WebhookEndpoint[]; dialogs: DialogState }) {
  const id = useId();
  return (
    <Card aria-labelledby={id}>
      <CardHeader
        id={id}
        title={t('settings.webhooks.webhook_endpoints')}
        actions={
          <div className="flex items-center gap-4">
            <Link to="/docs/api-reference?tab=webhooks" className="text-accent-text underline underline-offset-2">
              {t('settings.webhooks.documentation')}
            </Link>
            <Button size="sm" onClick={dialogs.create} disabled={endpoints.length >= webhookRules.maxEndpoints}>
              <Plus aria-hidden />
              {t('settings.webhooks.new_endpoint')}
            </Button>
          </div>
        }
      />
      {endpoints.length === 0 ? (
        <EmptyState
          icon={Webhook}
          title={t('settings.webhooks.no_webhook_endpoints_yet')}
          action={
            <Button variant="primary" onClick={dialogs.create}>
              {t('settings.webhooks.create_an_endpoint')}
            </Button>
          }
        >
          {t('settings.webhooks.what_endpoints_are')}
        </EmptyState>
      ) : (
        <ul aria-label={t('settings.webhooks.endpoints')}>
          {endpoints.map((endpoint) => (
            <EndpointCard
              key={endpoint.id}
              endpoint={endpoint}
              to={endpointAddress(endpoint.id)}
              onAction={(action) => dialogs.act(endpoint, action)}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The deliveries of one ticket to all endpoints. */
function TicketDeliveries({ ticketId, endpoints }: { ticketId: string; endpoints: WebhookEndpoint[] }) {
  const id = useId();
  const { data: ticket } = useReadDeliveryTicketQuery(ticketId);
  return (
    <div className="flex flex-col gap-5">
      {back}
      <Card aria-labelledby={id}>
        <CardHeader
          id={id}
          title={
            ticket
              ? t('settings.webhooks.deliveries_of_ticket_ticket_number', { ticket_number: ticket.ticket_number })
              : t('settings.webhooks.deliveries_of_one_ticket')
          }
          actions={
            <Link to={`/tickets/${ticketId}`} className="text-accent-text underline underline-offset-2">
              {t('settings.webhooks.open_ticket')}
            </Link>
          }
        />
        <Deliveries owner={{ ticket_id: ticketId }} endpoints={endpoints} empty={t('settings.webhooks.no_event_of_ticket_was_sent')} />
      </Card>
    </div>
  );
}

const unknownEndpoint = (
  <EmptyState
    icon={SearchX}
    title={t('settings.webhooks.this_endpoint_doesnt_exist')}
    action={
      <Button asChild>
        <Link to={listAddress}>{t('settings.webhooks.all_endpoints')}</Link>
      </Button>
    }
  >
    {t('settings.webhooks.it_may_have_been_deleted')}
  </EmptyState>
);

function Content({ endpoints, dialogs }: { endpoints: WebhookEndpoint[]; dialogs: DialogState }) {
  const console = useConsole();
  const endpoint = endpoints.find(({ id }) => id === console.endpoint);
  if (console.ticket && !console.endpoint) return <TicketDeliveries ticketId={console.ticket} endpoints={endpoints} />;
  if (!console.endpoint) return <EndpointList endpoints={endpoints} dialogs={dialogs} />;
  if (!endpoint) return unknownEndpoint;
  return <EndpointPage key={endpoint.id} endpoint={endpoint} back={back} onAction={(action) => dialogs.act(endpoint, action)} />;
}

/** The console for webhooks: endpoints, their deliveries, and one delivery in a side panel. */
export function WebhooksPanel() {
  const navigate = useNavigate();
  const { delivery, openDelivery } = useConsole();
  const dialogs = useEndpointDialogs();
  const { data, error, isFetching, refetch } = useListWebhookEndpointsQuery(undefined, {
    pollingInterval: refreshMs,
    skipPollingIfUnfocused: true,
    refetchOnMountOrArgChange: true,
  });
  if (!data && error)
    return (
      <ErrorNote
        title={t('settings.webhooks.couldnt_load_endpoints')}
        detail={messageOf(error, '')}
        onRetry={() => void refetch()}
        busy={isFetching}
      />
    );
  if (!data) return <Card>{loading}</Card>;
  return (
    <>
      <Content endpoints={data} dialogs={dialogs} />
      {delivery && <DeliveryPanel key={delivery} id={delivery} onClose={() => openDelivery(undefined)} />}
      <EndpointDialogs
        dialogs={dialogs}
        onOpenDelivery={(endpoint, id) => void navigate(`${endpointAddress(endpoint.id)}&delivery=${id}`)}
        onDeleted={() => void navigate(listAddress)}
      />
    </>
  );
}
