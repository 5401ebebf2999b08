import type { WebhookEndpoint } from '@tandem/contracts';
import { useNow } from '../../../lib/now';
import { t } from '../../../lib/staff-texts';
import { Badge } from '../../../ui/Badge';
import { endpointState, msText, percentText } from './endpoint-labels';
import { Sparkline } from './Sparkline';

export function StateBadge({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { label, tone } = endpointState(endpoint, useNow());
  return <Badge tone={tone}>{label}</Badge>;
}

/** The last 24 hours: the counts per hour, the success rate and the durations. */
export function Health({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { health } = endpoint;
  const figures = [
    { name: t('settings.webhooks.success'), value: percentText(health.success_rate) },
    { name: 'p50', value: msText(health.p50_ms) },
    { name: 'p95', value: msText(health.p95_ms) },
    { name: t('settings.webhooks.waiting'), value: health.pending.toLocaleString('en-US') },
  ];
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
      <Sparkline health={health} />
      <dl className="flex flex-wrap gap-x-5 gap-y-2" aria-label={t('settings.webhooks.last_24_hours')}>
        {figures.map(({ name, value }) => (
          <div key={name}>
            <dt className="text-2xs text-muted">{name}</dt>
            <dd className="text-sm font-medium tabular">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
