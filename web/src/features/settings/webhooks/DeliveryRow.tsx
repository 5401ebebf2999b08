import type { WebhookDelivery, WebhookEndpoint } from '@tandem/contracts';
import { formatClock } from '../../../lib/dates';
import { useNow } from '../../../lib/now';
import { t } from '../../../lib/staff-texts';
import { Badge } from '../../../ui/Badge';
import { causeLabels, outcomeText, stateLooks } from './delivery-labels';
import { endpointName } from './endpoint-labels';
import { Instant } from './Instant';

export function DeliveryState({ state }: Pick<WebhookDelivery, 'state'>) {
  const { label, tone } = stateLooks[state];
  return <Badge tone={tone}>{label}</Badge>;
}

interface DeliveryRowProps {
  delivery: WebhookDelivery;
  endpoint: WebhookEndpoint | undefined;
  /** Whether the list has deliveries to several endpoints. */
  isNamed: boolean;
  isSelected: boolean;
  isOpen: boolean;
  onSelect: (selected: boolean) => void;
  onOpen: () => void;
}

/** One delivery: its event, ticket, outcome and time. A click opens it. */
export function DeliveryRow({ delivery, endpoint, isNamed, isSelected, isOpen, onSelect, onOpen }: DeliveryRowProps) {
  const now = useNow();
  const { event, ticket_number, created_at, cause, attempts } = delivery;
  const at = formatClock(created_at, now, true);
  return (
    <li className={`relative flex items-start gap-3 px-4 py-2.5 hover:bg-hover ${isSelected || isOpen ? 'bg-accent-soft' : ''}`}>
      <input
        type="checkbox"
        aria-label={
          ticket_number
            ? t('settings.webhooks.select_event_of_ticket_number', { event, ticket_number, at })
            : t('settings.webhooks.select_event_at', { event, at })
        }
        checked={isSelected}
        onChange={(change) => onSelect(change.target.checked)}
        className="relative z-10 mt-1 size-4 sm:mt-0.5 shrink-0 accent-accent touch:size-5"
      />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="shrink-0 sm:w-20">
          <DeliveryState state={delivery.state} />
        </span>
        <button
          type="button"
          onClick={onOpen}
          className="min-w-0 flex-1 truncate text-left font-mono text-xs font-medium after:absolute after:inset-0 sm:w-48 sm:flex-none"
        >
          {event}
          {ticket_number && <span className="sr-only"> {t('settings.webhooks.of_ticket_number', { ticket_number })}</span>}
        </button>
        <span className="flex min-w-0 basis-full items-baseline gap-3 text-xs text-muted sm:flex-1 sm:basis-0">
          <span aria-hidden className="shrink-0 tabular empty:hidden sm:w-20 sm:empty:block">
            {ticket_number}
          </span>
          <span className="min-w-0 flex-1 sm:truncate">
            {endpoint && isNamed && <span className="text-ink">{endpointName(endpoint)} · </span>}
            {[
              outcomeText(delivery, endpoint !== undefined && endpoint.state !== 'active', now),
              attempts > 1 && t('settings.webhooks.attempts_count', { attempts }),
              cause !== 'event' && causeLabels[cause],
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
          <Instant iso={created_at} className="shrink-0" />
        </span>
      </div>
    </li>
  );
}
