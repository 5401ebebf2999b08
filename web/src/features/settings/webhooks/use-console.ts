import { useSearchParams } from 'react-router-dom';

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
type Place = 'endpoint' | 'ticket' | 'delivery';

export function idIn(params: URLSearchParams, name: Place): string | undefined {
  const value = params.get(name);
  return value && uuid.test(value) ? value : undefined;
}

/** The part of the console that is open. It is in the address, so that a link to a delivery can be shared. */
export function useConsole() {
  const [params, setParams] = useSearchParams();
  const openDelivery = (id: string | undefined) => {
    const next = new URLSearchParams(params);
    if (id) next.set('delivery', id);
    else next.delete('delivery');
    setParams(next, { replace: id === undefined });
  };
  return { endpoint: idIn(params, 'endpoint'), ticket: idIn(params, 'ticket'), delivery: idIn(params, 'delivery'), openDelivery };
}

export const listAddress = '/settings?tab=webhooks';
export const endpointAddress = (id: string): string => `${listAddress}&endpoint=${id}`;
