import type { WebhookEndpoint } from '@tandem/contracts';
import { RotateCw, Send, Webhook } from 'lucide-react';
import { useMemo, useState } from 'react';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Skeletons } from '../../../ui/Skeleton';
import { periods } from './delivery-labels';
import { useDeliveryFilters, type Filters } from './delivery-filters';
import { DeliveryFilters } from './DeliveryFilters';
import { DeliveryRow } from './DeliveryRow';
import { useConsole } from './use-console';
import { useSendAgain } from './use-send-again';
import { useSteadyList } from './use-steady-list';
import { useListDeliveriesInfiniteQuery, type DeliveryOwner, type DeliveryQuery } from './deliveries.api';

/** Multiplied by the number of loaded pages, because each is fetched again: a user may make 100 requests a minute. */
const refreshMs = 2_000;
const maxSelected = 100;

const queryFrom = ({ period, ticket, ...filter }: Filters): DeliveryQuery => {
  const ms = periods.find(({ value }) => value === period)?.ms;
  return { ...filter, ...(ticket ? { ticket_id: ticket } : {}), ...(ms ? { from: new Date(Date.now() - ms).toISOString() } : {}) };
};

function useDeliveries(owner: DeliveryOwner, filters: Filters, { isHeld, isCovered }: { isHeld: boolean; isCovered: boolean }) {
  // The start of the period changes only with the filter: otherwise every render would start another query.
  const filter = useMemo(() => queryFrom(filters), [filters]);
  const [pages, setPages] = useState(1);
  const query = useListDeliveriesInfiniteQuery(
    { ...owner, filter },
    { pollingInterval: isCovered ? 0 : refreshMs * pages, skipPollingIfUnfocused: true, refetchOnMountOrArgChange: true },
  );
  const loaded = query.data?.pages.length ?? 1;
  if (loaded !== pages) setPages(loaded);
  const items = query.currentData?.pages.flatMap((page) => page.items);
  return { ...query, items, ...useSteadyList(items ?? [], isHeld) };
}

function LoadingRows() {
  return <Skeletons blocks={Array.from({ length: 6 }, () => 'h-5')} />;
}

function Selection({ selected, onDone, onAll }: { selected: string[]; onDone: () => void; onAll: (() => void) | undefined }) {
  const { sendAgain, isSending } = useSendAgain();
  const send = async () => {
    if (await sendAgain(selected)) onDone();
  };
  return (
    <div role="group" aria-label={t('settings.webhooks.selection')} className="flex flex-wrap items-center gap-2">
      <span className="font-medium">{t('settings.webhooks.count_selected', { count: selected.length })}</span>
      <Button size="sm" variant="primary" busy={isSending} onClick={() => void send()}>
        {!isSending && <Send aria-hidden />}
        {t('settings.webhooks.send_again')}
      </Button>
      {onAll && (
        <Button size="sm" variant="ghost" onClick={onAll}>
          {t('settings.webhooks.select_all_loaded')}
        </Button>
      )}
      <Button size="sm" variant="ghost" onClick={onDone}>
        {t('settings.webhooks.clear_selection')}
      </Button>
    </div>
  );
}

interface InsteadProps {
  list: ReturnType<typeof useDeliveries>;
  filters: Filters;
  onClear: () => void;
  empty: string;
}

/** Shown while there are no rows: a placeholder, an error or an empty state. */
function Instead({ list, filters, onClear, empty }: InsteadProps) {
  const { items, error, isFetching, refetch } = list;
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      {!items && error && (
        <ErrorNote
          title={t('settings.webhooks.couldnt_load_deliveries')}
          detail={messageOf(error, '')}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      )}
      {!items && !error && <LoadingRows />}
      {items?.length === 0 && (
        <EmptyState
          icon={Webhook}
          title={t('settings.webhooks.no_deliveries')}
          action={isFiltered && <Button onClick={onClear}>{t('settings.webhooks.clear_filters')}</Button>}
        >
          {isFiltered ? t('settings.webhooks.no_deliveries_match_filters') : empty}
        </EmptyState>
      )}
    </>
  );
}

interface DeliveriesProps {
  owner: DeliveryOwner;
  endpoints: WebhookEndpoint[];
  /** Shown while there are no deliveries at all. */
  empty: string;
}

/** The deliveries of 30 days, newest first, refreshed while the page is visible. */
export function Deliveries({ owner, endpoints, empty }: DeliveriesProps) {
  const { delivery: open, openDelivery } = useConsole();
  const { filters, setFilters } = useDeliveryFilters(owner);
  const [selected, setSelected] = useState<string[]>([]);
  const [isPointed, setIsPointed] = useState(false);
  const isHeld = isPointed || selected.length > 0 || open !== undefined;
  const list = useDeliveries(owner, filters, { isHeld, isCovered: open !== undefined });
  const select = (id: string, on: boolean) =>
    setSelected(on ? [...selected, id].slice(-maxSelected) : selected.filter((each) => each !== id));
  const selectable = list.shown.slice(0, maxSelected).map(({ id }) => id);
  return (
    <>
      {/* One row for both: a second row would move the deliveries under the pointer. */}
      <div className={`flex min-h-12 flex-wrap items-center gap-1.5 border-b px-4 py-2 ${selected.length > 0 ? 'bg-accent-soft' : ''}`}>
        {selected.length === 0 ? (
          <DeliveryFilters filters={filters} onChange={setFilters} hasTicket={'endpoint_id' in owner} />
        ) : (
          <Selection
            selected={selected}
            onDone={() => setSelected([])}
            onAll={selected.length < selectable.length ? () => setSelected(selectable) : undefined}
          />
        )}
        {list.held > 0 && (
          <Button size="sm" variant="ghost" className="ml-auto" onClick={list.release}>
            {t('settings.webhooks.show_held_new', { held: list.held })}
          </Button>
        )}
      </div>
      <Instead list={list} filters={filters} onClear={() => setFilters({})} empty={empty} />
      {list.shown.length > 0 && (
        <ul
          aria-label={t('settings.webhooks.deliveries_newest_first')}
          className="divide-y"
          onPointerEnter={({ pointerType }) => pointerType === 'mouse' && setIsPointed(true)}
          onPointerLeave={() => setIsPointed(false)}
        >
          {list.shown.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              endpoint={endpoints.find(({ id }) => id === delivery.endpoint_id)}
              isNamed={'ticket_id' in owner}
              isSelected={selected.includes(delivery.id)}
              isOpen={open === delivery.id}
              onSelect={(on) => select(delivery.id, on)}
              onOpen={() => openDelivery(delivery.id)}
            />
          ))}
        </ul>
      )}
      <More {...list} />
    </>
  );
}

function More({ items, error, hasNextPage, isFetchingNextPage, fetchNextPage }: ReturnType<typeof useDeliveries>) {
  if (!items || items.length === 0 || !hasNextPage) return null;
  return (
    <div className="flex justify-center border-t p-4">
      <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {error && <RotateCw aria-hidden />}
        {error ? t('settings.webhooks.try_again') : t('settings.webhooks.load_more')}
      </Button>
    </div>
  );
}
