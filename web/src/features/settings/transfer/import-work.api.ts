import { cancelImport, checkImport, listImportProblems, previewImport, startImport, undoImport } from '@tandem/contracts/endpoints';
import type { ImportProblemCode } from '@tandem/contracts/values';
import { endpoint, infiniteEndpoint } from '../../../app/endpoint';
import { call } from '../../../lib/call';
import { importList, importsApi, oneImport } from './imports.api';

const problemPageSize = 50;

/** What the server does with an import, and what it has found. */
const importWorkApi = importsApi.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => {
    /** A call that only needs the import, and returns it in its new state. */
    const step = (operation: typeof checkImport) =>
      build.mutation({
        ...endpoint((id: string) => call(operation, { params: { id } })),
        // If it fails, another admin may have changed the import.
        invalidatesTags: (_result, error, id) => (error ? [importList, oneImport(id)] : [importList]),
        onQueryStarted: (id, { dispatch, queryFulfilled }) => {
          queryFulfilled.then(({ data }) => dispatch(importsApi.util.upsertQueryData('readImport', id, data))).catch(() => undefined);
        },
      });
    return {
      checkImport: step(checkImport),
      startImport: step(startImport),
      cancelImport: step(cancelImport),
      undoImport: step(undoImport),
      /** `updated_at` of the import: its tickets are read again after each change. */
      previewImport: build.query({
        ...endpoint(({ id }: { id: string; updated_at: string }) => call(previewImport, { params: { id } })),
        keepUnusedDataFor: 0,
      }),
      listImportProblems: build.infiniteQuery({
        ...infiniteEndpoint(({ id, code }: { id: string; code: ImportProblemCode }, cursor) =>
          call(listImportProblems, { params: { id }, query: { code, limit: problemPageSize, cursor } }),
        ),
        keepUnusedDataFor: 0,
      }),
    };
  },
});

export const {
  useCheckImportMutation,
  useStartImportMutation,
  useCancelImportMutation,
  useUndoImportMutation,
  usePreviewImportQuery,
  useListImportProblemsInfiniteQuery,
} = importWorkApi;
