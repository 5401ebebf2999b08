import { QueryStatus } from '@reduxjs/toolkit/query/react';
import type { BulkChange, Ticket, TicketSummary } from '@tandem/contracts';
import { changeTickets, listTickets } from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { endpoint, infiniteEndpoint, pageEndpoint } from '../../../app/endpoint';
import { again } from '../../../app/read-again';
import type { AppDispatch, AppStore } from '../../../app/store';
import { call } from '../../../lib/call';
import { publishTicketChange } from '../../../lib/ticket-changes';
import { mergePages, type ListPage } from './list-merge';
import { lists, type Answered, type Cache, type RowChange } from './loaded-lists';
import type { TicketFilters } from './ticket-filters';
import { queryOf } from './ticket-query';

/** The first page is small because it is reloaded on every change; large later pages save calls. */
const firstPageSize = 30;
const nextPageSize = 100;

export type TicketPage = ListPage;

export const ticketListApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    // Without a tag, which would reload all pages on every event. use-live-list.ts keeps the list up to date.
    listTickets: build.infiniteQuery({
      ...infiniteEndpoint((filters: TicketFilters, cursor) =>
        call(listTickets, { query: { ...queryOf(filters), limit: cursor ? nextPageSize : firstPageSize, cursor } }),
      ),
      structuralSharing: false,
    }),
    /** Loads the first page or certain tickets without touching the loaded list. */
    peekTickets: build.query({
      ...pageEndpoint(({ filters, ids }: { filters: TicketFilters; ids?: string[] }) =>
        call(listTickets, { query: { ...queryOf(filters), limit: ids ? 100 : firstPageSize, ids: ids?.join(',') } }),
      ),
      keepUnusedDataFor: 0,
    }),
    changeTickets: build.mutation({
      ...endpoint(({ ids, changes }: BulkChange & { shown: (ticket: TicketSummary) => RowChange }) =>
        call(changeTickets, { body: { ids, changes } }),
      ),
      invalidatesTags: (_result, _error, { ids }) => ['TicketList', 'Stats', ...ids.map((id) => ({ type: 'Ticket' as const, id }))],
      onQueryStarted: async ({ ids, shown }, cache) => {
        const sent = cache.queryFulfilled.then(({ data }) => data);
        await showInLists(cache, ids, shown, sent);
      },
    }),
  }),
});

// ---- the user's own changes -----------------------------------------------------------------------------------

/** Local changes that the server has not confirmed yet; they override rows that are read in the meantime. */
const pendingChanges = new Map<string, RowChange>();

const listsOf = ({ getState }: Cache) => {
  const state = getState() as ReturnType<AppStore['getState']>;
  return ticketListApi.util.selectCachedArgsForQuery(state, 'listTickets').map((filters) => ({
    filters,
    pages: ticketListApi.endpoints.listTickets.select(filters)(state).data?.pages ?? [],
  }));
};

/** The rows of tickets in all loaded lists, by id. */
export function findRows(cache: Cache, ids: Iterable<string>): Map<string, TicketSummary> {
  const wanted = new Set(ids);
  const rows = listsOf(cache).flatMap(({ pages }) => pages.flatMap(({ items }) => items));
  return new Map(rows.filter(({ id }) => wanted.has(id)).map((ticket) => [ticket.id, ticket]));
}

/** The rows of all lists that are loaded, some of them several times. */
export const loadedRows = (cache: Cache): TicketSummary[] => listsOf(cache).flatMap(({ pages }) => pages.flatMap(({ items }) => items));

/** Changes rows in all lists that show them. Touches only these rows, because lists are long. */
export function changeRows(cache: Cache, ids: Iterable<string>, change: (ticket: TicketSummary) => RowChange): void {
  const wanted = new Set(ids);
  for (const { filters, pages } of listsOf(cache)) {
    const places = pages.flatMap(({ items }, page) =>
      items.flatMap((ticket, row) => (wanted.has(ticket.id) ? [{ page, row, now: { ...ticket, ...change(ticket) } }] : [])),
    );
    if (places.length === 0) continue;
    cache.dispatch(
      ticketListApi.util.updateQueryData('listTickets', filters, (draft) => {
        for (const { page, row, now } of places) draft.pages[page]!.items[row] = now;
      }),
    );
  }
}

/** Shows in all lists whether the user has read a ticket; rows that already show it are not rendered again. */
export function showUnread(cache: Cache, id: string, is_unread: boolean): void {
  const isShown = listsOf(cache).some(({ pages }) =>
    pages.some(({ items }) => items.some((row) => row.id === id && row.is_unread !== is_unread)),
  );
  if (isShown) changeRows(cache, [id], () => ({ is_unread }));
}

/** Converts a ticket to a list row. */
export function rowOf(ticket: NonNullable<Answered['ticket']>): RowChange {
  const { description, organization_id: _, watchers: __, ...row } = ticket as Ticket;
  return { ...row, ...(description === undefined ? {} : { description_preview: description?.slice(0, 200) ?? null }) };
}

/** Shows a change in all lists immediately. The server's response then replaces it, and refused changes are reverted. */
export async function showInLists(
  cache: Cache,
  ids: readonly string[],
  shown: (ticket: TicketSummary) => RowChange,
  sent: Promise<readonly Answered[]>,
): Promise<void> {
  const before = new Map<string, RowChange>();
  changeRows(cache, ids, (ticket) => {
    const change = shown(ticket);
    before.set(ticket.id, Object.fromEntries(Object.keys(change).map((name) => [name, ticket[name as keyof TicketSummary]])));
    pendingChanges.set(ticket.id, change);
    return change;
  });
  const answers = new Map((await sent.catch(() => [])).map(({ id, ticket }) => [id, ticket]));
  for (const id of ids) pendingChanges.delete(id);
  changeRows(cache, ids, (ticket) => {
    const answer = answers.get(ticket.id);
    if (!answer) return before.get(ticket.id) ?? {};
    return answer.version >= ticket.version ? rowOf(answer) : {};
  });
  for (const id of answers.keys()) publishTicketChange({ id, isNew: false });
}

Object.assign(lists, { findRows, showInLists, showUnread });

// ---- changes by others ----------------------------------------------------------------------------------------

const idsAtOnce = 100;
/** After a gap at most this many rows are requested by id; rows further down are reloaded on scrolling. */
const maxIds = 300;
const whilePendingMs = 150;

const chunksOf = (ids: string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / idsAtOnce) }, (_, index) => ids.slice(index * idsAtOnce, (index + 1) * idsAtOnce));

const peek = async (dispatch: AppDispatch, filters: TicketFilters, ids?: string[]): Promise<TicketPage> =>
  dispatch(ticketListApi.endpoints.peekTickets.initiate({ filters, ...(ids ? { ids } : {}) }, again)).unwrap();

/** The pages whose rows can be requested by id after a gap. */
function keepable(pages: TicketPage[]): TicketPage[] {
  let rows = 0;
  return pages.filter(({ items }, index) => (rows += items.length) <= maxIds || index === 0);
}

/**
 * Brings a loaded list up to date: one call for its first page and, if rows further down changed, one per hundred of them. Returns the ids
 * of new rows.
 */
export async function refreshList(
  { dispatch, getState }: Cache,
  filters: TicketFilters,
  changed: 'all' | ReadonlySet<string>,
): Promise<string[]> {
  const entry = () => ticketListApi.endpoints.listTickets.select(filters)(getState() as ReturnType<AppStore['getState']>);
  const all = changed === 'all' || changed.size > maxIds;
  const kept = () => (all ? keepable(entry().data?.pages ?? []) : (entry().data?.pages ?? []));
  if (!entry().data) return [];
  const first = await peek(dispatch, filters);
  const inFirst = new Set(first.items.map(({ id }) => id));
  const wanted = all ? kept().flatMap(({ items }) => items.map(({ id }) => id)) : [...changed];
  const ids = first.pagination.next_cursor === null ? [] : wanted.filter((id) => !inFirst.has(id));
  const answers = await Promise.all(chunksOf(ids).map((chunk) => peek(dispatch, filters, chunk)));
  // A page that is still loading would overwrite the merged result.
  while (entry().status === QueryStatus.pending) await new Promise((resolve) => setTimeout(resolve, whilePendingMs));

  const known = new Set(kept().flatMap(({ items }) => items.map(({ id }) => id)));
  const found = answers.flatMap(({ items }) => items);
  const merged = mergePages(kept(), { first, asked: new Set(ids), found }, filters.sort).map((page) => ({
    ...page,
    items: page.items.map((ticket) => (pendingChanges.has(ticket.id) ? { ...ticket, ...pendingChanges.get(ticket.id) } : ticket)),
  }));
  const pageParams = (entry().data?.pageParams ?? [null]).slice(0, merged.length);
  dispatch(ticketListApi.util.updateQueryData('listTickets', filters, () => ({ pages: merged, pageParams })));
  return merged.flatMap(({ items }) => items.map(({ id }) => id)).filter((id) => !known.has(id));
}

export const { useListTicketsInfiniteQuery, useChangeTicketsMutation } = ticketListApi;
