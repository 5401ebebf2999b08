import type { WebhookEndpoint } from '@tandem/contracts';
import { History, Send } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { Rich } from '../../../ui/Rich';
import { Deliveries } from './Deliveries';
import { EndpointStatus } from './EndpointCard';
import { endpointName } from './endpoint-labels';
import { EndpointMenu, type EndpointAction } from './EndpointMenu';
import { Health, StateBadge } from './Health';
import { Replays } from './Replays';
import { VerifyCard } from './VerifyCard';

interface EndpointPageProps {
  endpoint: WebhookEndpoint;
  back: ReactNode;
  onAction: (action: EndpointAction) => void;
}

function Summary({ endpoint, onAction }: Omit<EndpointPageProps, 'back'>) {
  return (
    <div className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-60">
          <h2 className="flex min-w-0 items-center gap-2 text-md font-semibold">
            <span className="truncate">{endpointName(endpoint)}</span>
            <StateBadge endpoint={endpoint} />
          </h2>
          <p className="font-mono text-xs break-all text-muted">{endpoint.url}</p>
        </div>
        <div className="flex shrink-0 items-center gap-1.5">
          <Button size="sm" onClick={() => onAction('test')}>
            <Send aria-hidden />
            {t('settings.webhooks.send_test')}
          </Button>
          <Button size="sm" onClick={() => onAction('replay')} disabled={endpoint.state !== 'active'}>
            <History aria-hidden />
            {t('settings.webhooks.send_missed')}
          </Button>
          <EndpointMenu endpoint={endpoint} onAction={onAction} />
        </div>
      </div>
      <EndpointStatus endpoint={endpoint} onAction={onAction} />
      <Health endpoint={endpoint} />
      <p className="text-xs text-muted">
        <Rich
          text={
            endpoint.payload === 'thin'
              ? t('settings.webhooks.signed_with_secret_thin', { version: endpoint.version })
              : t('settings.webhooks.signed_with_secret_full', { version: endpoint.version })
          }
          tags={{ secret: () => <span className="font-mono">{endpoint.secret_last_four}</span> }}
        />
      </p>
    </div>
  );
}

/** One endpoint with its health, deliveries and replays. */
export function EndpointPage({ endpoint, back, onAction }: EndpointPageProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-5">
      {back}
      <Card aria-label={endpointName(endpoint)}>
        <Summary endpoint={endpoint} onAction={onAction} />
        <Replays endpointId={endpoint.id} />
      </Card>
      <Card aria-labelledby={id}>
        <CardHeader id={id} title={t('settings.webhooks.deliveries')} />
        <Deliveries owner={{ endpoint_id: endpoint.id }} endpoints={[endpoint]} empty={t('settings.webhooks.no_deliveries_yet')} />
      </Card>
      <VerifyCard endpoint={endpoint} />
    </div>
  );
}
