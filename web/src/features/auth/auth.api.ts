import type { ConfirmedEmail, MfaChallenge, Session } from '@tandem/contracts';
import { api } from '../../app/api';
import { postToTabs } from '../../app/session-channel';
import { clearSessionEnd } from '../../app/session-end';
import type { AppDispatch } from '../../app/store';
import { recordUserActivity } from '../../lib/activity';

export interface SignUpForm {
  email: string;
  password: string;
  first_name: string;
  last_name: string;
}

export const isChallenge = (answer: Session | MfaChallenge): answer is MfaChallenge => 'mfa_required' in answer;

/** The response is the session: store it for the guard and send it to the other tabs. */
async function begin(session: Session, dispatch: AppDispatch): Promise<void> {
  clearSessionEnd();
  recordUserActivity();
  await dispatch(api.util.upsertQueryData('readSession', undefined, session));
  postToTabs({ type: 'session', session });
}

export const {
  useSignInMutation,
  useVerifyMfaMutation,
  useSignUpMutation,
  useConfirmEmailMutation,
  useResendConfirmationMutation,
  useRequestPasswordResetMutation,
  useResetPasswordMutation,
  useConfirmEmailChangeMutation,
} = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    signIn: build.mutation<Session | MfaChallenge, { email: string; password: string }>({
      query: (body) => ({ path: '/auth/sign-in', method: 'POST', body }),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer && !isChallenge(answer.data)) await begin(answer.data, dispatch);
      },
    }),
    verifyMfa: build.mutation<Session, { mfa_token: string; code: string }>({
      query: (body) => ({ path: '/auth/mfa', method: 'POST', body }),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer) await begin(answer.data, dispatch);
      },
    }),
    signUp: build.mutation<{ message: string }, SignUpForm>({ query: (body) => ({ path: '/auth/sign-up', method: 'POST', body }) }),
    confirmEmail: build.mutation<ConfirmedEmail, { token: string }>({
      query: (body) => ({ path: '/auth/confirm-email', method: 'POST', body }),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer?.data.session) await begin(answer.data.session, dispatch);
      },
    }),
    resendConfirmation: build.mutation<{ message: string }, { email: string }>({
      query: (body) => ({ path: '/auth/resend-confirmation', method: 'POST', body }),
    }),
    requestPasswordReset: build.mutation<{ message: string }, { email: string }>({
      query: (body) => ({ path: '/auth/password/forgot', method: 'POST', body }),
    }),
    // Ends every session of the account, including one of this browser.
    resetPassword: build.mutation<{ email: string }, { token: string; password: string }>({
      query: (body) => ({ path: '/auth/password/reset', method: 'POST', body }),
      invalidatesTags: (answer) => (answer ? ['Session'] : []),
    }),
    confirmEmailChange: build.mutation<{ email: string }, { token: string }>({
      query: (body) => ({ path: '/auth/confirm-email-change', method: 'POST', body }),
      invalidatesTags: (answer) => (answer ? ['Session'] : []),
    }),
  }),
});
