import type { Profile } from '@tandem/contracts';
import {
  beginMfa,
  changeEmail,
  changePassword,
  confirmMfa,
  disableMfa,
  listDevices,
  readMfa,
  renewRecoveryCodes,
  revokeDevice,
  revokeOtherDevices,
  updateProfile,
} from '@tandem/contracts/endpoints';
import { api as base } from '../../app/api';
import { endpoint } from '../../app/endpoint';
import { call, type BodyOf } from '../../lib/call';

const devices = base.enhanceEndpoints({ addTagTypes: ['Mfa', 'Devices'] }).injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    listDevices: build.query({ ...endpoint(() => call(listDevices)), providesTags: ['Devices'] }),
  }),
});
export const { useListDevicesQuery } = devices;

export const {
  useUpdateProfileMutation,
  useChangeEmailMutation,
  useChangePasswordMutation,
  useReadMfaQuery,
  useBeginMfaMutation,
  useConfirmMfaMutation,
  useDisableMfaMutation,
  useRenewRecoveryCodesMutation,
  useRevokeDeviceMutation,
  useRevokeOtherDevicesMutation,
} = devices.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    updateProfile: build.mutation({
      ...endpoint((body: BodyOf<typeof updateProfile>) => call(updateProfile, { body })),
      onQueryStarted: async (changes, { dispatch, queryFulfilled }) => {
        const show = (profile: Partial<Profile>) =>
          dispatch(base.util.updateQueryData('readSession', undefined, (session) => void Object.assign(session.profile, profile)));
        const shown = show(changes);
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer) show(answer.data);
        else shown.undo();
      },
    }),
    changeEmail: build.mutation(endpoint((body: BodyOf<typeof changeEmail>) => call(changeEmail, { body }))),
    // Also ends all other sessions.
    changePassword: build.mutation({
      ...endpoint((body: BodyOf<typeof changePassword>) => call(changePassword, { body })),
      invalidatesTags: (_, error) => (error ? [] : ['Devices']),
    }),
    readMfa: build.query({ ...endpoint(() => call(readMfa)), providesTags: ['Mfa'] }),
    beginMfa: build.mutation(endpoint((body: BodyOf<typeof beginMfa>) => call(beginMfa, { body }))),
    // The session includes whether two-factor sign-in must still be set up, so it is read again.
    confirmMfa: build.mutation({
      ...endpoint((body: BodyOf<typeof confirmMfa>) => call(confirmMfa, { body })),
      invalidatesTags: (_, error) => (error ? [] : ['Mfa', 'Session']),
    }),
    disableMfa: build.mutation({
      ...endpoint((body: BodyOf<typeof disableMfa>) => call(disableMfa, { body })),
      invalidatesTags: (_, error) => (error ? [] : ['Mfa', 'Session']),
    }),
    renewRecoveryCodes: build.mutation({
      ...endpoint((body: BodyOf<typeof renewRecoveryCodes>) => call(renewRecoveryCodes, { body })),
      invalidatesTags: (_, error) => (error ? [] : ['Mfa']),
    }),
    // Removed from the list immediately (optimistic); refetched whether the request succeeds or fails.
    revokeDevice: build.mutation({
      ...endpoint((id: string) => call(revokeDevice, { params: { id } })),
      invalidatesTags: ['Devices'],
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        const hidden = dispatch(devices.util.updateQueryData('listDevices', undefined, (list) => list.filter((each) => each.id !== id)));
        await queryFulfilled.catch(hidden.undo);
      },
    }),
    revokeOtherDevices: build.mutation({
      ...endpoint(() => call(revokeOtherDevices)),
      invalidatesTags: ['Devices'],
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const hidden = dispatch(devices.util.updateQueryData('listDevices', undefined, (list) => list.filter(({ current }) => current)));
        await queryFulfilled.catch(hidden.undo);
      },
    }),
  }),
});
