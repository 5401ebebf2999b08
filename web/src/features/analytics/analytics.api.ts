import { createReport, deleteReport, exportAnalytics, listReports, readAnalytics, updateReport } from '@tandem/contracts/endpoints';
import type { ReportFrequency } from '@tandem/contracts/values';
import { api } from '../../app/api';
import { endpoint } from '../../app/endpoint';
import { urlOf } from '../../lib/api-url';
import { call } from '../../lib/call';
import { queryOf, type AnalyticsView } from './analytics-view';

interface ReportChoice {
  frequency: ReportFrequency;
  recipient_ids: string[];
}

export const { useReadAnalyticsQuery, useListReportsQuery, useCreateReportMutation, useUpdateReportMutation, useDeleteReportMutation } =
  api.injectEndpoints({
    overrideExisting: 'throw',
    endpoints: (build) => ({
      /** The browser sends the entity tag of its last response, so that unchanged figures cost a 304. */
      readAnalytics: build.query({
        ...endpoint((view: AnalyticsView) => call(readAnalytics, { query: queryOf(view) })),
        providesTags: ['Analytics'],
      }),
      listReports: build.query({ ...endpoint(() => call(listReports)), providesTags: ['Reports'] }),
      createReport: build.mutation({
        ...endpoint(({ key, ...body }: ReportChoice & { key: string }) =>
          call(createReport, { body, headers: { 'idempotency-key': key } }),
        ),
        invalidatesTags: ['Reports'],
      }),
      updateReport: build.mutation({
        ...endpoint(({ id, ...body }: ReportChoice & { id: string; version: number }) => call(updateReport, { params: { id }, body })),
        invalidatesTags: ['Reports'],
      }),
      deleteReport: build.mutation({
        ...endpoint((id: string) => call(deleteReport, { params: { id } })),
        invalidatesTags: ['Reports'],
      }),
    }),
  });

/** Address of the page's tickets as a CSV file. */
export const analyticsCsvAddress = (view: AnalyticsView): string => urlOf(call(exportAnalytics, { query: queryOf(view) }));
