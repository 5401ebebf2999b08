import { webhookDeliveryStates, sentEventTypes } from '@tandem/contracts/values';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { periods } from './delivery-labels';
import type { DeliveryOwner, DeliveryQuery } from './deliveries.api';
import { idIn } from './use-console';

export interface Filters {
  state?: NonNullable<DeliveryQuery['state']>;
  event?: NonNullable<DeliveryQuery['event']>;
  period?: (typeof periods)[number]['value'];
  /** Id of the ticket. */
  ticket?: string;
}

const values = {
  state: webhookDeliveryStates,
  event: sentEventTypes,
  period: periods.map(({ value }) => value),
} as const;
const choices = ['state', 'event', 'period'] as const;

/** Invalid values are ignored, so that a mistyped link still shows the deliveries. */
function filtersOf(params: URLSearchParams, withTicket: boolean): Filters {
  const chosen = choices.map((name) => [name, values[name].find((value) => value === params.get(name))]);
  const filters = [...chosen, ['ticket', withTicket ? idIn(params, 'ticket') : undefined]];
  return Object.fromEntries(filters.filter(([, value]) => value !== undefined)) as Filters;
}

/** The filters in the address, so that they are the same after a reload, in a link, and when the user returns. */
export function useDeliveryFilters(owner: DeliveryOwner) {
  const [params, setParams] = useSearchParams();
  // In the list of one ticket, the ticket in the address is the owner of the list.
  const withTicket = 'endpoint_id' in owner;
  const names = withTicket ? ([...choices, 'ticket'] as const) : choices;
  const current = JSON.stringify(filtersOf(params, withTicket));
  // The same object until a filter changes: the start of a period is computed once.
  const filters = useMemo(() => JSON.parse(current) as Filters, [current]);
  const setFilters = (next: Filters) => {
    const search = new URLSearchParams(params);
    for (const name of names) {
      if (next[name]) search.set(name, next[name]);
      else search.delete(name);
    }
    setParams(search, { replace: true });
  };
  return { filters, setFilters };
}
