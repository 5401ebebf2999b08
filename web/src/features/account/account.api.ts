import type { Device, MfaState, Profile } from '@tandem/contracts';
import { api as base } from '../../app/api';

export interface ProfileChanges {
  first_name: string | null;
  last_name: string | null;
}
/** The current password, required again for sensitive changes. */
interface Proof {
  current_password: string;
}

const devices = base.enhanceEndpoints({ addTagTypes: ['Mfa', 'Devices'] }).injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    listDevices: build.query<Device[], void>({ query: () => ({ path: '/auth/sessions' }), providesTags: ['Devices'] }),
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
    updateProfile: build.mutation<Profile, ProfileChanges>({
      query: (body) => ({ path: '/me', method: 'PATCH', body }),
      onQueryStarted: async (changes, { dispatch, queryFulfilled }) => {
        const show = (profile: Partial<Profile>) =>
          dispatch(base.util.updateQueryData('readSession', undefined, (session) => void Object.assign(session.profile, profile)));
        const shown = show(changes);
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer) show(answer.data);
        else shown.undo();
      },
    }),
    changeEmail: build.mutation<{ message: string }, Proof & { email: string }>({
      query: (body) => ({ path: '/me/email', method: 'POST', body }),
    }),
    // Also ends all other sessions.
    changePassword: build.mutation<unknown, Proof & { new_password: string }>({
      query: (body) => ({ path: '/me/password', method: 'POST', body }),
      invalidatesTags: (_, error) => (error ? [] : ['Devices']),
    }),
    readMfa: build.query<MfaState, void>({ query: () => ({ path: '/me/mfa' }), providesTags: ['Mfa'] }),
    beginMfa: build.mutation<{ secret: string; otpauth_uri: string }, Proof>({
      query: (body) => ({ path: '/me/mfa', method: 'POST', body }),
    }),
    // The session includes whether two-factor sign-in must still be set up, so it is read again.
    confirmMfa: build.mutation<{ recovery_codes: string[] }, { code: string }>({
      query: (body) => ({ path: '/me/mfa/confirm', method: 'POST', body }),
      invalidatesTags: (_, error) => (error ? [] : ['Mfa', 'Session']),
    }),
    disableMfa: build.mutation<MfaState, Proof>({
      query: (body) => ({ path: '/me/mfa', method: 'DELETE', body }),
      invalidatesTags: (_, error) => (error ? [] : ['Mfa', 'Session']),
    }),
    renewRecoveryCodes: build.mutation<{ recovery_codes: string[] }, Proof>({
      query: (body) => ({ path: '/me/mfa/recovery-codes', method: 'POST', body }),
      invalidatesTags: (_, error) => (error ? [] : ['Mfa']),
    }),
    // Removed from the list immediately (optimistic); refetched whether the request succeeds or fails.
    revokeDevice: build.mutation<unknown, string>({
      query: (id) => ({ path: `/auth/sessions/${encodeURIComponent(id)}`, method: 'DELETE' }),
      invalidatesTags: ['Devices'],
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        const hidden = dispatch(devices.util.updateQueryData('listDevices', undefined, (list) => list.filter((each) => each.id !== id)));
        await queryFulfilled.catch(hidden.undo);
      },
    }),
    revokeOtherDevices: build.mutation<{ ended: number }, void>({
      query: () => ({ path: '/auth/sessions', method: 'DELETE' }),
      invalidatesTags: ['Devices'],
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const hidden = dispatch(devices.util.updateQueryData('listDevices', undefined, (list) => list.filter(({ current }) => current)));
        await queryFulfilled.catch(hidden.undo);
      },
    }),
  }),
});
