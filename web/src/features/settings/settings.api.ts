import type { AuditEntry } from '@tandem/contracts';
import { listAuditLog } from '@tandem/contracts/endpoints';
import { api } from '../../app/api';
import { infiniteEndpoint, type PageOf } from '../../app/endpoint';
import { call } from '../../lib/call';
import { auditCsvUrl } from '../../lib/browser-urls';
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
export const auditCsvAddress = (filters: AuditFilters): string => auditCsvUrl(queryOf(filters));
