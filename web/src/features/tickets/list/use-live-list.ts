import { useEffect, useLayoutEffect, useRef } from 'react';
import { useStore } from 'react-redux';
import type { AppStore } from '../../../app/store';
import { onRead } from '../../../lib/ticket-changes';
import { syncList } from './sync-list';
import { paramsOf, type TicketFilters } from './ticket-filters';
import { showUnread } from './ticket-list.api';

/** Applies ticket events to the loaded list while it is shown. Calls `onNew` with the ids of new tickets. */
export function useLiveList(filters: TicketFilters, isShown: boolean, onNew: (ids: string[]) => void): void {
  const store = useStore() as AppStore;
  const sync = useRef<ReturnType<typeof syncList>>(undefined);
  const latest = useRef({ filters, onNew, isShown });
  useLayoutEffect(() => {
    latest.current = { filters, onNew, isShown };
  });
  const key = paramsOf(filters).toString();
  useEffect(() => {
    const started = syncList(store, latest.current.filters, (ids) => latest.current.onNew(ids));
    sync.current = started;
    started.show(latest.current.isShown);
    return started.stop;
  }, [store, key]);
  useEffect(() => sync.current?.show(isShown), [isShown]);
  useEffect(() => onRead((id, isUnread) => showUnread(store, id, isUnread)), [store]);
}
