import type { WebhookEndpoint } from '@tandem/contracts';
import { webhookEventTypes } from '@tandem/contracts/values';
import { KeyRound, Send, TriangleAlert } from 'lucide-react';
import { Link } from 'react-router-dom';
import { conditionSentence } from '../../../app/conditions/condition-sentence';
import { useConditionNames } from '../../../app/conditions/use-condition-names';
import { useNow } from '../../../lib/now';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Countdown } from '../../../ui/Countdown';
import { Rich } from '../../../ui/Rich';
import { endpointName, endpointState } from './endpoint-labels';
import { EndpointMenu, type EndpointAction } from './EndpointMenu';
import { Health, StateBadge } from './Health';

const eventsText = ({ events }: WebhookEndpoint): string =>
  events.length === 0 || events.length === webhookEventTypes.length ? t('settings.webhooks.all_events') : events.join(', ');

/** Which events are sent to the endpoint: 'All events, if priority is Urgent'. */
function useEventsText(endpoint: WebhookEndpoint): string {
  const { condition } = endpoint;
  const names = useConditionNames(condition);
  if (!condition) return eventsText(endpoint);
  return t('settings.webhooks.events_if', { events: eventsText(endpoint), condition: conditionSentence(condition, names) });
}

/** The state in a sentence: as a warning if the endpoint fails or was disabled. Also a secret that is being replaced. */
export function EndpointStatus({ endpoint, onAction }: { endpoint: WebhookEndpoint; onAction: (action: EndpointAction) => void }) {
  const now = useNow();
  const { previous_secret_until } = endpoint;
  const { text, tone } = endpointState(endpoint, now);
  return (
    <>
      {tone === 'red' ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border border-red-line bg-red-soft px-3 py-2 text-red-text">
          <TriangleAlert className="size-4 shrink-0" aria-hidden />
          <p className="min-w-0 flex-1 basis-60">{text}</p>
          {endpoint.state === 'disabled' && (
            <Button size="sm" onClick={() => onAction('resume')}>
              {t('settings.webhooks.resume')}
            </Button>
          )}
        </div>
      ) : (
        <p className="text-muted">{text}</p>
      )}
      {previous_secret_until && Date.parse(previous_secret_until) > now && (
        <p className="flex items-center gap-1.5 text-xs text-amber-text">
          <KeyRound className="size-3.5 shrink-0" aria-hidden />
          <span>
            <Rich
              text={t('settings.webhooks.old_secret_also_signs_for')}
              tags={{ countdown: () => <Countdown until={previous_secret_until} /> }}
            />
          </span>
        </p>
      )}
    </>
  );
}

interface EndpointCardProps {
  endpoint: WebhookEndpoint;
  to: string;
  onAction: (action: EndpointAction) => void;
}

/** One endpoint in the list, with the health of its last 24 hours. */
export function EndpointCard({ endpoint, to, onAction }: EndpointCardProps) {
  const events = useEventsText(endpoint);
  return (
    <li className="flex flex-col gap-3 border-b p-4 last:border-b-0">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="flex min-w-0 items-center gap-2">
            <Link to={to} className="truncate font-medium hover:underline" title={endpoint.url}>
              {endpointName(endpoint)}
            </Link>
            <StateBadge endpoint={endpoint} />
          </p>
          {endpoint.description && <p className="truncate font-mono text-xs text-muted">{endpoint.url}</p>}
        </div>
        <div className="flex shrink-0 items-center gap-1">
          <Button
            size="sm"
            onClick={() => onAction('test')}
            aria-label={t('settings.webhooks.send_test_to_endpoint_name', { endpointName: endpointName(endpoint) })}
          >
            <Send aria-hidden />
            <span className="max-sm:sr-only">{t('settings.webhooks.send_test')}</span>
          </Button>
          <EndpointMenu endpoint={endpoint} onAction={onAction} />
        </div>
      </div>
      <EndpointStatus endpoint={endpoint} onAction={onAction} />
      {(endpoint.last_success_at ?? endpoint.failing_since) && <Health endpoint={endpoint} />}
      <p className="truncate text-xs text-muted" title={events}>
        {[
          events,
          endpoint.payload === 'thin' && t('settings.webhooks.thin'),
          endpoint.include_internal_notes && t('settings.webhooks.with_internal_notes'),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </li>
  );
}
