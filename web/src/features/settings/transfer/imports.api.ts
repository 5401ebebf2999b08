import type { Import } from '@tandem/contracts';
import { announceImportFile, createImport, listImports, readImport, removeImportFile, updateImport } from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { endpoint, infiniteEndpoint } from '../../../app/endpoint';
import { call, type BodyOf } from '../../../lib/call';

export type ImportChanges = BodyOf<typeof updateImport>;

const pageSize = 25;

/** The tags of the list and of one import. */
export const importList = { type: 'Imports' as const, id: 'list' };
export const oneImport = (id: string) => ({ type: 'Imports' as const, id });

/** The number of changes of each import that the server has not answered: only the last answer replaces what the page shows. */
const unanswered = new Map<string, number>();
const count = (id: string, by: 1 | -1): number => {
  const next = (unanswered.get(id) ?? 0) + by;
  unanswered.set(id, next);
  return next;
};

/** The import with the changes, before the server confirms them. */
export function withChanges(current: Import, { options, mappings, teammates, statuses, priorities }: ImportChanges): Import {
  return {
    ...current,
    options: { ...current.options, ...options },
    files: current.files.map((file) => {
      const change = mappings?.find(({ file_id }) => file_id === file.id);
      return change ? { ...file, kind: change.kind, mapping: change.mapping } : file;
    }),
    teammates: current.teammates.map((each) => ({ ...each, ...teammates?.find(({ key }) => key === each.key) })),
    statuses: current.statuses.map((each) => ({ ...each, ...statuses?.find(({ value }) => value === each.value) })),
    priorities: current.priorities.map((each) => ({ ...each, ...priorities?.find(({ value }) => value === each.value) })),
  };
}

export const importsApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    listImports: build.infiniteQuery({
      ...infiniteEndpoint((_: void, cursor) => call(listImports, { query: { limit: pageSize, cursor } })),
      providesTags: [importList],
    }),
    readImport: build.query({
      ...endpoint((id: string) => call(readImport, { params: { id } })),
      providesTags: (_result, _error, id) => [oneImport(id)],
    }),
    createImport: build.mutation({
      ...endpoint(({ body, key }: { body: BodyOf<typeof createImport>; key: string }) =>
        call(createImport, { body, headers: { 'idempotency-key': key } }),
      ),
      invalidatesTags: [importList],
    }),
    updateImport: build.mutation({
      ...endpoint(({ id, changes }: { id: string; changes: ImportChanges }) => call(updateImport, { params: { id }, body: changes })),
      invalidatesTags: (_result, error, { id }) => (error ? [oneImport(id)] : []),
      onQueryStarted: async ({ id, changes }, { dispatch, queryFulfilled }) => {
        const show = (change: (current: Import) => Import) => dispatch(importsApi.util.updateQueryData('readImport', id, change));
        count(id, 1);
        show((current) => withChanges(current, changes));
        const saved = await queryFulfilled.then(({ data }) => data).catch(() => undefined);
        if (count(id, -1) === 0 && saved) show(() => saved);
      },
    }),
    announceImportFile: build.mutation({
      ...endpoint(({ id, file_name, size }: { id: string; file_name: string; size: number }) =>
        call(announceImportFile, { params: { id }, body: { file_name, size } }),
      ),
      invalidatesTags: (_result, _error, { id }) => [oneImport(id)],
    }),
    removeImportFile: build.mutation({
      ...endpoint(({ id, file_id }: { id: string; file_id: string }) => call(removeImportFile, { params: { id, file_id } })),
      invalidatesTags: (_result, _error, { id }) => [oneImport(id)],
    }),
  }),
});

export const refreshImport = (id: string) => importsApi.util.invalidateTags([oneImport(id)]);

export const {
  useListImportsInfiniteQuery,
  useReadImportQuery,
  useCreateImportMutation,
  useUpdateImportMutation,
  useRemoveImportFileMutation,
} = importsApi;
