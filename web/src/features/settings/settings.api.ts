import type { AuditEntry, Pagination } from '@tandem/contracts';
import { api } from '../../app/api';
import { queryOf, type AuditFilters } from './audit-filters';

export const auditPageSize = 25;

export interface AuditPage {
  items: AuditEntry[];
  pagination: Pagination;
}
const noPages: Pagination = { page: null, limit: auditPageSize, total: 0, next_cursor: null };

export const settingsApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    listAuditLog: build.infiniteQuery<AuditPage, AuditFilters, string | null>({
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ pagination }) => pagination.next_cursor },
      query: ({ queryArg, pageParam }) => ({
        path: '/audit-log',
        query: { ...queryOf(queryArg), limit: auditPageSize, cursor: pageParam ?? undefined },
      }),
      transformResponse: (items: AuditEntry[], meta) => ({ items, pagination: meta?.pagination ?? noPages }),
      // New entries are not pushed as events: read the log again on every visit.
      keepUnusedDataFor: 0,
    }),
  }),
});

export const { useListAuditLogInfiniteQuery } = settingsApi;

/** Address of the same entries as a CSV file. */
export const auditCsvAddress = (filters: AuditFilters): string => {
  const query = new URLSearchParams(queryOf(filters)).toString();
  return `/api/v1/audit-log.csv${query ? `?${query}` : ''}`;
};
