import { createExport, deleteExport, linkExport, listExports } from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { endpoint, infiniteEndpoint } from '../../../app/endpoint';
import { call } from '../../../lib/call';

const pageSize = 25;

const exportsApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    listExports: build.infiniteQuery({
      ...infiniteEndpoint((_: void, cursor) => call(listExports, { query: { limit: pageSize, cursor } })),
      providesTags: ['Exports'],
    }),
    createExport: build.mutation({
      ...endpoint(({ has_files, key }: { has_files: boolean; key: string }) =>
        call(createExport, { body: { has_files }, headers: { 'idempotency-key': key } }),
      ),
      // If it is refused, another admin may have started one.
      invalidatesTags: ['Exports'],
    }),
    linkExport: build.mutation(endpoint((id: string) => call(linkExport, { params: { id } }))),
    deleteExport: build.mutation({
      ...endpoint((id: string) => call(deleteExport, { params: { id } })),
      invalidatesTags: ['Exports'],
    }),
  }),
});

export const { useListExportsInfiniteQuery, useCreateExportMutation, useLinkExportMutation, useDeleteExportMutation } = exportsApi;
