import type { CreateSlaPolicy, Organization, SlaPolicy, UpdateOrganization, UpdateSlaPolicy } from '@tandem/contracts';
import { api } from '../../../app/api';

const policy = (id: string) => `/sla-policies/${encodeURIComponent(id)}`;
const organization = (id: string) => `/organizations/${encodeURIComponent(id)}`;

/** The response, or undefined if the request failed: its caller reports the error. */
const done = <T>(fulfilled: Promise<T>): Promise<T | undefined> => fulfilled.catch(() => undefined);
const listAgain = () => slaSettingsApi.endpoints.listSlaPolicies.initiate(undefined, { forceRefetch: true, subscribe: false });

const slaSettingsApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    // Policy changes are not pushed as events: refetch on every visit.
    listSlaPolicies: build.query<SlaPolicy[], void>({ query: () => ({ path: '/sla-policies' }), keepUnusedDataFor: 0 }),
    createSlaPolicy: build.mutation<SlaPolicy, { policy: CreateSlaPolicy; key: string }>({
      query: ({ policy: body, key }) => ({ path: '/sla-policies', method: 'POST', body, headers: { 'idempotency-key': key } }),
      onQueryStarted: async (_policy, { dispatch, queryFulfilled }) => {
        if (await done(queryFulfilled)) await dispatch(listAgain());
      },
    }),
    updateSlaPolicy: build.mutation<SlaPolicy, { id: string; changes: UpdateSlaPolicy }>({
      query: ({ id, changes }) => ({ path: policy(id), method: 'PATCH', body: changes }),
      // The switch changes immediately, and back if the server refuses. The refetched list shows the policy that was deactivated.
      onQueryStarted: async ({ id, changes }, { dispatch, queryFulfilled }) => {
        const patch = dispatch(
          slaSettingsApi.util.updateQueryData('listSlaPolicies', undefined, (policies) => {
            for (const each of policies) if (each.id === id) Object.assign(each, changes);
          }),
        );
        if (await done(queryFulfilled)) await dispatch(listAgain());
        else patch.undo();
      },
    }),
    deleteSlaPolicy: build.mutation<unknown, string>({
      query: (id) => ({ path: policy(id), method: 'DELETE' }),
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        if (!(await done(queryFulfilled))) return;
        dispatch(
          slaSettingsApi.util.updateQueryData('listSlaPolicies', undefined, (policies) => policies.filter((each) => each.id !== id)),
        );
      },
    }),
    readWorkingTime: build.query<Organization, string>({
      query: (id) => ({ path: organization(id) }),
      providesTags: ['Organization'],
    }),
    saveWorkingTime: build.mutation<Organization, { id: string; changes: UpdateOrganization }>({
      query: ({ id, changes }) => ({ path: organization(id), method: 'PATCH', body: changes }),
      invalidatesTags: ['Organization', 'Session'],
      onQueryStarted: async ({ id }, { dispatch, queryFulfilled }) => {
        const answer = await done(queryFulfilled);
        if (answer) dispatch(slaSettingsApi.util.updateQueryData('readWorkingTime', id, () => answer.data));
      },
    }),
  }),
});

export const {
  useListSlaPoliciesQuery,
  useCreateSlaPolicyMutation,
  useUpdateSlaPolicyMutation,
  useDeleteSlaPolicyMutation,
  useReadWorkingTimeQuery,
  useSaveWorkingTimeMutation,
} = slaSettingsApi;
