import type { CreateMacro, Macro, UpdateMacro } from '@tandem/contracts';
import { createMacro, deleteMacro, listMacros, updateMacro } from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { endpoint } from '../../../app/endpoint';
import { call } from '../../../lib/call';

/** The cached list is updated after the user's own changes; a colleague's change to a shared one appears when the list is next loaded. */
const macrosApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    listMacros: build.query({ ...endpoint(() => call(listMacros)), keepUnusedDataFor: 600 }),
    createMacro: build.mutation({
      ...endpoint(({ macro, key }: { macro: CreateMacro; key: string }) =>
        call(createMacro, { body: macro, headers: { 'idempotency-key': key } }),
      ),
      onQueryStarted: async (_argument, { dispatch, queryFulfilled }) => {
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }));
        if (data) dispatch(macrosApi.util.updateQueryData('listMacros', undefined, (macros) => sorted([...macros, data])));
      },
    }),
    updateMacro: build.mutation({
      ...endpoint(({ id, changes }: { id: string; changes: UpdateMacro }) => call(updateMacro, { params: { id }, body: changes })),
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
    deleteMacro: build.mutation({
      ...endpoint((id: string) => call(deleteMacro, { params: { id } })),
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
