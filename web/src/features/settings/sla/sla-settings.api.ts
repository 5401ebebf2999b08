import type { CreateSlaPolicy, UpdateOrganization, UpdateSlaPolicy } from '@tandem/contracts';
import {
  createSlaPolicy,
  deleteSlaPolicy,
  listSlaPolicies,
  readOrganization,
  updateOrganization,
  updateSlaPolicy,
} from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { endpoint } from '../../../app/endpoint';
import { again, readAgain } from '../../../app/read-again';
import type { AppDispatch } from '../../../app/store';
import { call } from '../../../lib/call';

/** The response, or undefined if the request failed: its caller reports the error. */
const done = <T>(fulfilled: Promise<T>): Promise<T | undefined> => fulfilled.catch(() => undefined);
const listAgain = (dispatch: AppDispatch) => readAgain(() => dispatch(slaSettingsApi.endpoints.listSlaPolicies.initiate(undefined, again)));

const slaSettingsApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    // Policy changes are not pushed as events: refetch on every visit.
    listSlaPolicies: build.query({ ...endpoint(() => call(listSlaPolicies)), keepUnusedDataFor: 0 }),
    createSlaPolicy: build.mutation({
      ...endpoint(({ policy: body, key }: { policy: CreateSlaPolicy; key: string }) =>
        call(createSlaPolicy, { body, headers: { 'idempotency-key': key } }),
      ),
      onQueryStarted: async (_policy, { dispatch, queryFulfilled }) => {
        if (await done(queryFulfilled)) await listAgain(dispatch);
      },
    }),
    updateSlaPolicy: build.mutation({
      ...endpoint(({ id, changes }: { id: string; changes: UpdateSlaPolicy }) => call(updateSlaPolicy, { params: { id }, body: changes })),
      // The switch changes immediately, and reverts if the server rejects the request. The refetched list shows the policy that was
      // deactivated.
      onQueryStarted: async ({ id, changes }, { dispatch, queryFulfilled }) => {
        const patch = dispatch(
          slaSettingsApi.util.updateQueryData('listSlaPolicies', undefined, (policies) => {
            for (const each of policies) if (each.id === id) Object.assign(each, changes);
          }),
        );
        if (await done(queryFulfilled)) await listAgain(dispatch);
        else patch.undo();
      },
    }),
    deleteSlaPolicy: build.mutation({
      ...endpoint((id: string) => call(deleteSlaPolicy, { params: { id } })),
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        if (!(await done(queryFulfilled))) return;
        dispatch(
          slaSettingsApi.util.updateQueryData('listSlaPolicies', undefined, (policies) => policies.filter((each) => each.id !== id)),
        );
      },
    }),
    readWorkingTime: build.query({
      ...endpoint((id: string) => call(readOrganization, { params: { id } })),
      providesTags: ['Organization'],
    }),
    saveWorkingTime: build.mutation({
      ...endpoint(({ id, changes }: { id: string; changes: UpdateOrganization }) =>
        call(updateOrganization, { params: { id }, body: changes }),
      ),
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
