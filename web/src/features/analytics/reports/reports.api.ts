import { createReport, deleteReport, listReports, updateReport } from '@tandem/contracts/endpoints';
import type { ReportFrequency } from '@tandem/contracts/values';
import { api } from '../../../app/api';
import { endpoint } from '../../../app/endpoint';
import { call } from '../../../lib/call';

interface ReportChoice {
  frequency: ReportFrequency;
  recipient_ids: string[];
  /** Null: the organization's. */
  time_zone: string | null;
}

export const { useListReportsQuery, useCreateReportMutation, useUpdateReportMutation, useDeleteReportMutation } = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    listReports: build.query({ ...endpoint(() => call(listReports)), providesTags: ['Reports'] }),
    createReport: build.mutation({
      ...endpoint(({ key, ...body }: ReportChoice & { key: string }) => call(createReport, { body, headers: { 'idempotency-key': key } })),
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
