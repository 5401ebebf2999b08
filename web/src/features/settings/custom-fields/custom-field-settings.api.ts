import type { CustomField } from '@tandem/contracts';
import {
  createCustomField,
  deleteCustomField,
  orderCustomFields,
  restoreCustomField,
  updateCustomField,
} from '@tandem/contracts/endpoints';
import { customFieldsApi } from '../../../app/custom-fields/custom-fields.api';
import { endpoint } from '../../../app/endpoint';
import { call, type BodyOf } from '../../../lib/call';

/** The response, or undefined if the request failed: its caller reports the error. */
const responseOf = async <T>(fulfilled: Promise<{ data: T }>): Promise<T | undefined> =>
  (await fulfilled.catch(() => ({ data: undefined }))).data;

const fieldSettingsApi = customFieldsApi.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    createCustomField: build.mutation({
      ...endpoint(({ field, key }: { field: BodyOf<typeof createCustomField>; key: string }) =>
        call(createCustomField, { body: field, headers: { 'idempotency-key': key } }),
      ),
      onQueryStarted: async (_field, { dispatch, queryFulfilled }) => {
        const field = await responseOf(queryFulfilled);
        if (field) dispatch(updateList((fields) => withLast(fields, field)));
      },
    }),
    updateCustomField: build.mutation({
      ...endpoint(({ id, changes }: { id: string; changes: BodyOf<typeof updateCustomField> }) =>
        call(updateCustomField, { params: { id }, body: changes }),
      ),
      onQueryStarted: async ({ id }, { dispatch, queryFulfilled }) => {
        const field = await responseOf(queryFulfilled);
        if (field) dispatch(updateList((fields) => fields.map((each) => (each.id === id ? field : each))));
      },
    }),
    deleteCustomField: build.mutation({
      ...endpoint((id: string) => call(deleteCustomField, { params: { id } })),
      // Rules that use the field are turned off.
      invalidatesTags: ['Rules'],
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        if (!(await responseOf(queryFulfilled))) return;
        const deleted = { position: 0, deleted_at: new Date().toISOString() };
        dispatch(
          updateList((fields) => {
            const field = fields.find((each) => each.id === id);
            return field ? withLast(fields, { ...field, ...deleted }) : fields;
          }),
        );
      },
    }),
    restoreCustomField: build.mutation({
      ...endpoint((id: string) => call(restoreCustomField, { params: { id } })),
      onQueryStarted: async (_id, { dispatch, queryFulfilled }) => {
        const field = await responseOf(queryFulfilled);
        if (field) dispatch(updateList((fields) => withLast(fields, field)));
      },
    }),
    orderCustomFields: build.mutation({
      ...endpoint((ids: string[]) => call(orderCustomFields, { body: { ids }, keepalive: true })),
      // Another admin may have added or deleted a field.
      invalidatesTags: (_fields, error) => (error ? ['CustomFields'] : []),
      onQueryStarted: async (_ids, { dispatch, queryFulfilled }) => {
        const ordered = await responseOf(queryFulfilled);
        if (ordered) dispatch(updateList((fields) => [...ordered, ...fields.filter(isDeleted)]));
      },
    }),
  }),
});

export const isDeleted = ({ deleted_at }: CustomField): boolean => deleted_at !== null;

/** The list with a field after those that are in use, or after all if it is deleted. */
function withLast(fields: readonly CustomField[], field: CustomField): CustomField[] {
  const others = fields.filter(({ id }) => id !== field.id);
  const inUse = others.filter((each) => !isDeleted(each));
  const deleted = others.filter(isDeleted);
  return isDeleted(field) ? [...inUse, ...deleted, field] : [...inUse, field, ...deleted];
}

const updateList = (change: (fields: CustomField[]) => CustomField[]) =>
  fieldSettingsApi.util.updateQueryData('listCustomFields', undefined, change);

export const {
  useCreateCustomFieldMutation,
  useUpdateCustomFieldMutation,
  useDeleteCustomFieldMutation,
  useRestoreCustomFieldMutation,
  useOrderCustomFieldsMutation,
} = fieldSettingsApi;
