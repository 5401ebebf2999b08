import type { Organization, UpdateMember, UpdateOrganization } from '@tandem/contracts';
import {
  acceptInvitation,
  cancelInvitation,
  createInvitation,
  declineInvitation,
  listInvitations,
  readInvitation,
  readOrganization,
  readTicketPrefix,
  resendInvitation,
  resetMemberMfa,
  saveTicketPrefix,
  updateMember,
  updateOrganization,
} from '@tandem/contracts/endpoints';
import type { Role } from '@tandem/contracts/values';
import { api } from '../../app/api';
import { endpoint } from '../../app/endpoint';
import { call, type BodyOf } from '../../lib/call';

const organizationApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    readOrganization: build.query({
      ...endpoint((id: string) => call(readOrganization, { params: { id } })),
      providesTags: ['Organization'],
    }),
    updateOrganization: build.mutation({
      ...endpoint(({ id, changes }: { id: string; changes: UpdateOrganization }) =>
        call(updateOrganization, { params: { id }, body: changes }),
      ),
      // The session contains the organization, too: the rail shows its name.
      invalidatesTags: ['Organization', 'Session'],
      // Switches and selects change immediately; text fields show the typed text until it is saved.
      onQueryStarted: async ({ id, changes }, { dispatch, queryFulfilled }) => {
        const show = (now: Partial<Organization>) =>
          dispatch(organizationApi.util.updateQueryData('readOrganization', id, (organization) => void Object.assign(organization, now)));
        const { require_mfa_for_admins, instant_lookup, customer_follow_up } = changes;
        const now = { require_mfa_for_admins, instant_lookup, customer_follow_up };
        const chosen = Object.fromEntries(Object.entries(now).filter(([, value]) => value !== undefined));
        const patch = Object.keys(chosen).length === 0 ? undefined : show(chosen);
        const answer = await queryFulfilled.catch(() => patch?.undo());
        if (answer) show(answer.data);
      },
    }),

    readTicketPrefix: build.query({ ...endpoint(() => call(readTicketPrefix)), providesTags: ['Organization'] }),
    saveTicketPrefix: build.mutation({
      ...endpoint((body: BodyOf<typeof saveTicketPrefix>) => call(saveTicketPrefix, { body })),
      // Also after a refusal: the first ticket may have arrived in the meantime.
      invalidatesTags: ['Organization'],
    }),
  }),
});

const membersApi = organizationApi.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    updateMember: build.mutation({
      ...endpoint(({ user_id, changes }: { user_id: string; changes: UpdateMember }) =>
        call(updateMember, { params: { userId: user_id }, body: changes }),
      ),
      // The user may have changed their own role.
      invalidatesTags: ['Members', 'Session'],
      onQueryStarted: async ({ user_id, changes }, { dispatch, queryFulfilled }) => {
        const patch = dispatch(
          api.util.updateQueryData('listMembers', undefined, (members) => {
            for (const each of members) if (each.user_id === user_id) Object.assign(each, changes);
          }),
        );
        await queryFulfilled.catch(() => patch.undo());
      },
    }),
    resetMemberMfa: build.mutation({
      ...endpoint((user_id: string) => call(resetMemberMfa, { params: { userId: user_id } })),
      invalidatesTags: ['Members'],
    }),
  }),
});

export const teamApi = membersApi.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    // ---- for admins
    listInvitations: build.query({ ...endpoint(() => call(listInvitations)), providesTags: ['Invitations'] }),
    createInvitation: build.mutation({
      ...endpoint(({ key, ...body }: { email: string; role: Role; key: string }) =>
        call(createInvitation, { body, headers: { 'idempotency-key': key } }),
      ),
      invalidatesTags: ['Invitations'],
    }),
    resendInvitation: build.mutation({
      ...endpoint((id: string) => call(resendInvitation, { params: { id } })),
      invalidatesTags: ['Invitations'],
    }),
    cancelInvitation: build.mutation({
      ...endpoint((id: string) => call(cancelInvitation, { params: { id } })),
      invalidatesTags: ['Invitations'],
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        const patch = dispatch(
          teamApi.util.updateQueryData('listInvitations', undefined, (pending) => pending.filter((each) => each.id !== id)),
        );
        await queryFulfilled.catch(() => patch.undo());
      },
    }),

    // ---- for the invited person
    readInvitation: build.query({ ...endpoint((token: string) => call(readInvitation, { params: { token } })), keepUnusedDataFor: 0 }),
    // Invalidates nothing: the page redirects once it has refetched the session with the organization.
    acceptInvitation: build.mutation(endpoint((token: string) => call(acceptInvitation, { params: { token } }))),
    declineInvitation: build.mutation(endpoint((token: string) => call(declineInvitation, { params: { token } }))),
  }),
});

export const {
  useReadOrganizationQuery,
  useUpdateOrganizationMutation,
  useReadTicketPrefixQuery,
  useSaveTicketPrefixMutation,
  useUpdateMemberMutation,
  useResetMemberMfaMutation,
  useListInvitationsQuery,
  useCreateInvitationMutation,
  useResendInvitationMutation,
  useCancelInvitationMutation,
  useReadInvitationQuery,
  useAcceptInvitationMutation,
  useDeclineInvitationMutation,
} = teamApi;
