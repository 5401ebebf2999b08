import { X } from 'lucide-react';
import { useState, type SubmitEvent } from 'react';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Input } from '../../../ui/Input';
import { Select, type SelectOption } from '../../../ui/Select';
import type { Filters } from './delivery-filters';
import { eventOptions, periods, stateOptions } from './delivery-labels';
import { useLazyFindTicketsByNumberQuery, useReadDeliveryTicketQuery } from './deliveries.api';

const all = (label: string): SelectOption => ({ value: 'all', label });

interface TicketFieldProps {
  onChange: (ticketId: string) => void;
  autoFocus: boolean;
}
/** Finds the ticket with the number that the user types. */
function TicketField({ onChange, autoFocus }: TicketFieldProps) {
  const [find, { isFetching }] = useLazyFindTicketsByNumberQuery();
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const number = text.trim().toUpperCase();
    if (number === '') return;
    const { data, error } = await find(number);
    const ticket = data?.find(({ ticket_number }) => ticket_number.toUpperCase() === number);
    if (ticket) onChange(ticket.id);
    else
      setProblem(
        error
          ? messageOf(error, t('settings.webhooks.couldnt_search_for_ticket'))
          : t('settings.webhooks.no_ticket_has_number_number', { number }),
      );
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="flex items-center gap-1.5">
      <Input
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setProblem(undefined);
        }}
        autoFocus={autoFocus}
        aria-label={t('settings.webhooks.ticket_number')}
        aria-invalid={problem !== undefined}
        aria-busy={isFetching}
        placeholder={t('settings.webhooks.ticket_number')}
        maxLength={50}
        className="h-7 w-32 px-2 text-xs touch:h-9"
      />
      {problem && (
        <span role="alert" className="text-xs text-red-text">
          {problem}
        </span>
      )}
    </form>
  );
}

function TicketChip({ id, autoFocus, onRemove }: { id: string; autoFocus: boolean; onRemove: () => void }) {
  const { data } = useReadDeliveryTicketQuery(id);
  const name = data
    ? t('settings.webhooks.ticket_ticket_number', { ticket_number: data.ticket_number })
    : t('settings.webhooks.one_ticket');
  return (
    <Button size="sm" autoFocus={autoFocus} aria-label={t('settings.webhooks.name_remove_this_filter', { name })} onClick={onRemove}>
      {name}
      <X aria-hidden />
    </Button>
  );
}

/** A field for the ticket number, which the chosen ticket replaces. The focus moves with it. */
function TicketFilter({ ticket, onChange }: { ticket: string | undefined; onChange: (ticket: string | undefined) => void }) {
  const [isUsed, setIsUsed] = useState(false);
  const change = (id: string | undefined) => {
    setIsUsed(true);
    onChange(id);
  };
  return ticket ? (
    <TicketChip id={ticket} autoFocus={isUsed} onRemove={() => change(undefined)} />
  ) : (
    <TicketField autoFocus={isUsed} onChange={change} />
  );
}

interface DeliveryFiltersProps {
  filters: Filters;
  onChange: (filters: Filters) => void;
  /** Whether the list has deliveries of several tickets. */
  hasTicket: boolean;
}

/** The deliveries can be filtered by state, event, ticket and time. */
export function DeliveryFilters({ filters, onChange, hasTicket }: DeliveryFiltersProps) {
  const choice = (name: 'state' | 'event' | 'period', label: string, options: readonly SelectOption[]) => (
    <Select
      look="filter"
      label={label}
      value={filters[name] ?? 'all'}
      active={filters[name] !== undefined}
      options={options}
      onChange={(value) => {
        const { [name]: _, ...others } = filters;
        onChange(value === 'all' ? others : { ...others, [name]: value });
      }}
      className="max-w-48"
    />
  );
  const { ticket, ...others } = filters;
  return (
    <div role="group" aria-label={t('settings.webhooks.filters')} className="flex flex-wrap items-center gap-1.5">
      {choice('state', t('settings.webhooks.state'), [all(t('settings.webhooks.all_states')), ...stateOptions])}
      {choice('event', t('settings.webhooks.event'), [all(t('settings.webhooks.all_events')), ...eventOptions])}
      {choice('period', t('settings.webhooks.time'), [all(t('settings.webhooks.last_30_days')), ...periods])}
      {hasTicket && <TicketFilter ticket={ticket} onChange={(id) => onChange(id ? { ...others, ticket: id } : others)} />}
      {Object.keys(filters).length > 0 && (
        <Button variant="ghost" size="sm" onClick={() => onChange({})}>
          {t('settings.webhooks.clear')}
        </Button>
      )}
    </div>
  );
}
