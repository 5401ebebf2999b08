import type { CreateMacro, Macro, UpdateMacro } from '@tandem/contracts';
import { api } from '../../../app/api';

/** The cached list is updated after the user's own changes; a colleague's change of a shared one appears when the list is next loaded. */
const macrosApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    listMacros: build.query<Macro[], void>({ query: () => ({ path: '/macros' }), keepUnusedDataFor: 600 }),
    createMacro: build.mutation<Macro, { macro: CreateMacro; key: string }>({
      query: ({ macro, key }) => ({ path: '/macros', method: 'POST', body: macro, headers: { 'idempotency-key': key } }),
      onQueryStarted: async (_argument, { dispatch, queryFulfilled }) => {
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }));
        if (data) dispatch(macrosApi.util.updateQueryData('listMacros', undefined, (macros) => sorted([...macros, data])));
      },
    }),
    updateMacro: build.mutation<Macro, { id: string; changes: UpdateMacro }>({
      query: ({ id, changes }) => ({ path: `/macros/${id}`, method: 'PATCH', body: changes }),
      onQueryStarted: async ({ id }, { dispatch, queryFulfilled }) => {
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }));
        if (!data) return;
        dispatch(
          macrosApi.util.updateQueryData('listMacros', undefined, (macros) =>
            sorted(macros.map((macro) => (macro.id === id ? data : macro))),
          ),
        );
      },
    }),
    deleteMacro: build.mutation<unknown, string>({
      query: (id) => ({ path: `/macros/${id}`, method: 'DELETE', body: {} }),
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        const gone = dispatch(
          macrosApi.util.updateQueryData('listMacros', undefined, (macros) => macros.filter((macro) => macro.id !== id)),
        );
        await queryFulfilled.catch(() => gone.undo());
      },
    }),
  }),
});

const sorted = (macros: Macro[]): Macro[] => [...macros].sort((one, other) => one.name.localeCompare(other.name));

export const { useListMacrosQuery, useCreateMacroMutation, useUpdateMacroMutation, useDeleteMacroMutation } = macrosApi;
