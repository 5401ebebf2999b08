import type {
  Invitation,
  Member,
  OfferedInvitation,
  Organization,
  SaveTicketPrefix,
  TicketPrefix,
  UpdateMember,
  UpdateOrganization,
} from '@tandem/contracts';
import type { Role } from '@tandem/contracts/values';
import { api } from '../../app/api';

const member = (id: string) => `/team/members/${encodeURIComponent(id)}`;
const invitation = (id: string) => `/team/invitations/${encodeURIComponent(id)}`;
const offer = (token: string) => `/invitations/${encodeURIComponent(token)}`;

export const teamApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    // ---- organization
    readOrganization: build.query<Organization, string>({
      query: (id) => ({ path: `/organizations/${encodeURIComponent(id)}` }),
      providesTags: ['Organization'],
    }),
    updateOrganization: build.mutation<Organization, { id: string; changes: UpdateOrganization }>({
      query: ({ id, changes }) => ({ path: `/organizations/${encodeURIComponent(id)}`, method: 'PATCH', body: changes }),
      // The session contains the organization, too: the rail shows its name.
      invalidatesTags: ['Organization', 'Session'],
      // Switches and selects change immediately; text fields show what was typed until it is saved.
      onQueryStarted: async ({ id, changes }, { dispatch, queryFulfilled }) => {
        const show = (now: Partial<Organization>) =>
          dispatch(teamApi.util.updateQueryData('readOrganization', id, (organization) => void Object.assign(organization, now)));
        const { require_mfa_for_admins, instant_lookup, customer_follow_up } = changes;
        const now = { require_mfa_for_admins, instant_lookup, customer_follow_up };
        const chosen = Object.fromEntries(Object.entries(now).filter(([, value]) => value !== undefined));
        const patch = Object.keys(chosen).length === 0 ? undefined : show(chosen);
        const answer = await queryFulfilled.catch(() => patch?.undo());
        if (answer) show(answer.data);
      },
    }),

    readTicketPrefix: build.query<TicketPrefix, void>({ query: () => ({ path: '/ticket-prefix' }), providesTags: ['Organization'] }),
    saveTicketPrefix: build.mutation<TicketPrefix, SaveTicketPrefix>({
      query: (body) => ({ path: '/ticket-prefix', method: 'PUT', body }),
      // Also after a refusal: the first ticket may have arrived in the meantime.
      invalidatesTags: ['Organization'],
    }),

    // ---- members
    updateMember: build.mutation<Member, { user_id: string; changes: UpdateMember }>({
      query: ({ user_id, changes }) => ({ path: member(user_id), method: 'PATCH', body: changes }),
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
    resetMemberMfa: build.mutation<Member, string>({
      query: (user_id) => ({ path: `${member(user_id)}/mfa`, method: 'DELETE' }),
      invalidatesTags: ['Members'],
    }),

    // ---- invitations, for admins
    listInvitations: build.query<Invitation[], void>({ query: () => ({ path: '/team/invitations' }), providesTags: ['Invitations'] }),
    createInvitation: build.mutation<Invitation, { email: string; role: Role; key: string }>({
      query: ({ key, ...body }) => ({ path: '/team/invitations', method: 'POST', body, headers: { 'idempotency-key': key } }),
      invalidatesTags: ['Invitations'],
    }),
    resendInvitation: build.mutation<Invitation, string>({
      query: (id) => ({ path: `${invitation(id)}/resend`, method: 'POST', body: {} }),
      invalidatesTags: ['Invitations'],
    }),
    cancelInvitation: build.mutation<Invitation, string>({
      query: (id) => ({ path: invitation(id), method: 'DELETE' }),
      invalidatesTags: ['Invitations'],
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        const patch = dispatch(
          teamApi.util.updateQueryData('listInvitations', undefined, (pending) => pending.filter((each) => each.id !== id)),
        );
        await queryFulfilled.catch(() => patch.undo());
      },
    }),

    // ---- invitation, for the invited person
    readInvitation: build.query<OfferedInvitation, string>({ query: (token) => ({ path: offer(token) }), keepUnusedDataFor: 0 }),
    // Invalidates nothing: the page redirects once it has refetched the session with the organization.
    acceptInvitation: build.mutation<Member, string>({
      query: (token) => ({ path: `${offer(token)}/accept`, method: 'POST', body: {} }),
    }),
    declineInvitation: build.mutation<unknown, string>({
      query: (token) => ({ path: `${offer(token)}/decline`, method: 'POST', body: {} }),
    }),
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
