import type { Pagination } from '@tandem/contracts';
import type { ApiRequest } from '../lib/http';

interface Definition<Arg, Result> {
  query: (arg: Arg) => ApiRequest<Result>;
  /** Never set: TypeScript infers the result from it. */
  transformResponse?: (data: Result) => Result;
}

/**
 * For `build.query` and `build.mutation`: the argument, the request and the result of an endpoint, which all follow from one operation.
 * `build.query(endpoint((id: string) => call(readTicket, { params: { id } })))`
 */
export const endpoint: {
  <Result>(query: () => ApiRequest<Result>): Definition<void, Result>;
  <Arg, Result>(query: (arg: Arg) => ApiRequest<Result>): Definition<Arg, Result>;
} = <Arg, Result>(query: (arg: Arg) => ApiRequest<Result>): Definition<Arg, Result> => ({ query });

/** One page of a list. */
export interface PageOf<Item> {
  items: Item[];
  pagination: Pagination;
}
export interface ResponseMeta {
  pagination?: Pagination;
}
const pageOf = <Item>(items: Item[], meta: ResponseMeta | undefined): PageOf<Item> => ({
  items,
  pagination: meta?.pagination ?? { page: null, limit: items.length, total: items.length, next_cursor: null },
});

/** Like `endpoint`, for one page of a paginated operation. */
export const pageEndpoint = <Arg, Item>(query: (arg: Arg) => ApiRequest<Item[]>) => ({
  query: query as (arg: Arg) => ApiRequest,
  transformResponse: (items: Item[], meta: ResponseMeta | undefined): PageOf<Item> => pageOf(items, meta),
});

/** Like `endpoint`, for `build.infiniteQuery` and a paginated operation. The first page has no cursor. */
export const infiniteEndpoint = <Arg, Item>(query: (arg: Arg, cursor: string | undefined) => ApiRequest<Item[]>) => ({
  infiniteQueryOptions: {
    initialPageParam: null,
    getNextPageParam: ({ pagination }: PageOf<Item>): string | null => pagination.next_cursor,
  },
  query: ({ queryArg, pageParam }: { queryArg: Arg; pageParam: string | null }): ApiRequest => query(queryArg, pageParam ?? undefined),
  transformResponse: (items: Item[], meta: ResponseMeta | undefined): PageOf<Item> => pageOf(items, meta),
});
