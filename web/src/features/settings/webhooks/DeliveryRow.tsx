import type { WebhookDelivery } from '@tandem/contracts';
import { formatClock, formatDate } from '../../../lib/dates';
import { useNow } from '../../../lib/now';
import { Badge } from '../../../ui/Badge';
import { causeLabels, outcomeText, stateLooks } from './delivery-labels';

export function DeliveryState({ state }: Pick<WebhookDelivery, 'state'>) {
  const { label, tone } = stateLooks[state];
  return <Badge tone={tone}>{label}</Badge>;
}

interface DeliveryRowProps {
  delivery: WebhookDelivery;
  /** The endpoint, if the list has deliveries to several. */
  endpoint: string | undefined;
  isSelected: boolean;
  isOpen: boolean;
  onSelect: (selected: boolean) => void;
  onOpen: () => void;
}

/** One delivery: its event, ticket, outcome and time. A click opens it. */
export function DeliveryRow({ delivery, endpoint, isSelected, isOpen, onSelect, onOpen }: DeliveryRowProps) {
  const now = useNow();
  const { event, ticket_number, created_at, cause, attempts } = delivery;
  const at = formatClock(created_at, now, true);
  return (
    <li className={`relative flex items-start gap-3 px-4 py-2.5 hover:bg-hover ${isSelected || isOpen ? 'bg-accent-soft' : ''}`}>
      <input
        type="checkbox"
        aria-label={`Select ${event}${ticket_number ? ` of ${ticket_number}` : ''}, ${at}`}
        checked={isSelected}
        onChange={(change) => onSelect(change.target.checked)}
        className="relative z-10 mt-1 size-4 shrink-0 accent-accent touch:size-5"
      />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="w-20 shrink-0">
          <DeliveryState state={delivery.state} />
        </span>
        <button
          type="button"
          onClick={onOpen}
          className="min-w-0 truncate text-left font-mono text-xs font-medium after:absolute after:inset-0 sm:w-48 sm:shrink-0"
        >
          {event}
          {ticket_number && <span className="sr-only"> of {ticket_number}</span>}
        </button>
        <span aria-hidden className="shrink-0 text-xs text-muted tabular sm:w-20">
          {ticket_number ?? ''}
        </span>
        <span className="min-w-0 flex-1 basis-48 truncate text-xs text-muted">
          {endpoint && <span className="text-ink">{endpoint} · </span>}
          {outcomeText(delivery, now)}
          {attempts > 1 && ` · ${attempts} attempts`}
          {cause !== 'event' && ` · ${causeLabels[cause]}`}
        </span>
        <time dateTime={created_at} title={formatDate(created_at)} className="ml-auto shrink-0 text-xs text-muted tabular">
          {at}
        </time>
      </div>
    </li>
  );
}
