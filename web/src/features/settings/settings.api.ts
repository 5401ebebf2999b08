import type { AuditEntry } from '@tandem/contracts';
import { downloadAuditLog, listAuditLog } from '@tandem/contracts/endpoints';
import { api } from '../../app/api';
import { infiniteEndpoint, type PageOf } from '../../app/endpoint';
import { call } from '../../lib/call';
import { urlOf } from '../../lib/api-url';
import { queryOf, type AuditFilters } from './audit-filters';

export const auditPageSize = 25;

export type AuditPage = PageOf<AuditEntry>;

export const settingsApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    listAuditLog: build.infiniteQuery({
      ...infiniteEndpoint((filters: AuditFilters, cursor) =>
        call(listAuditLog, { query: { ...queryOf(filters), limit: auditPageSize, cursor } }),
      ),
      // New entries are not pushed as events: read the log again on every visit.
      keepUnusedDataFor: 0,
    }),
  }),
});

export const { useListAuditLogInfiniteQuery } = settingsApi;

/** Address of the same entries as a CSV file. */
export const auditCsvAddress = (filters: AuditFilters): string => urlOf(call(downloadAuditLog, { query: queryOf(filters) }));
