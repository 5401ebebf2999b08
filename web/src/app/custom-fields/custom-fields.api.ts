import type { CustomField } from '@tandem/contracts';
import { listCustomFields } from '@tandem/contracts/endpoints';
import { useMemo } from 'react';
import { call } from '../../lib/call';
import { api } from '../api';
import { endpoint } from '../endpoint';
import type { RootState } from '../store';

/** The organization's custom fields, then the deleted ones that can be restored. Loaded once; changes of admins here replace it. */
export const customFieldsApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    listCustomFields: build.query({
      ...endpoint(() => call(listCustomFields)),
      providesTags: ['CustomFields'],
      keepUnusedDataFor: 600,
    }),
  }),
});
export const { useListCustomFieldsQuery } = customFieldsApi;

const inUse = (fields: readonly CustomField[]) => fields.filter(({ deleted_at }) => deleted_at === null);
const none: CustomField[] = [];

/** The fields that are in use, in their order; empty until they are loaded. */
export function useCustomFields(): CustomField[] {
  const { data = none } = useListCustomFieldsQuery();
  return useMemo(() => inUse(data), [data]);
}

/** Like `useCustomFields`, for code outside components. */
export const knownCustomFields = (state: RootState): CustomField[] =>
  inUse(customFieldsApi.endpoints.listCustomFields.select()(state).data ?? none);
