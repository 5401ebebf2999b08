import type { MfaChallenge, Session } from '@tandem/contracts';
import {
  confirmEmail,
  confirmEmailChange,
  readInstallation,
  requestPasswordReset,
  resendConfirmation,
  resetPassword,
  signIn,
  signUp,
  verifyMfa,
} from '@tandem/contracts/endpoints';
import { api } from '../../app/api';
import { endpoint } from '../../app/endpoint';
import { postToTabs } from '../../app/session-channel';
import { clearSessionEnd } from '../../app/session-end';
import type { AppDispatch } from '../../app/store';
import { recordUserActivity } from '../../lib/activity';
import { call, type BodyOf } from '../../lib/call';
import { claimUnsentWork } from '../../lib/session-cleanup';

export type SignUpForm = BodyOf<typeof signUp>;

export const isChallenge = (answer: Session | MfaChallenge): answer is MfaChallenge => 'mfa_required' in answer;

/** The response is the session: store it for the guard and send it to the other tabs. */
async function begin(session: Session, dispatch: AppDispatch): Promise<void> {
  clearSessionEnd();
  recordUserActivity();
  claimUnsentWork(session.profile.user_id);
  await dispatch(api.util.upsertQueryData('readSession', undefined, session));
  postToTabs({ type: 'session', session });
}

export const {
  useSignInMutation,
  useVerifyMfaMutation,
  useReadInstallationQuery,
  useSignUpMutation,
  useConfirmEmailMutation,
  useResendConfirmationMutation,
  useRequestPasswordResetMutation,
  useResetPasswordMutation,
  useConfirmEmailChangeMutation,
} = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    signIn: build.mutation({
      ...endpoint((body: BodyOf<typeof signIn>) => call(signIn, { body })),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer && !isChallenge(answer.data)) await begin(answer.data, dispatch);
      },
    }),
    verifyMfa: build.mutation({
      ...endpoint((body: BodyOf<typeof verifyMfa>) => call(verifyMfa, { body })),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer) await begin(answer.data, dispatch);
      },
    }),
    readInstallation: build.query(endpoint(() => call(readInstallation))),
    signUp: build.mutation(endpoint((body: BodyOf<typeof signUp>) => call(signUp, { body }))),
    confirmEmail: build.mutation({
      ...endpoint((body: BodyOf<typeof confirmEmail>) => call(confirmEmail, { body })),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer?.data.session) await begin(answer.data.session, dispatch);
      },
    }),
    resendConfirmation: build.mutation(endpoint((body: BodyOf<typeof resendConfirmation>) => call(resendConfirmation, { body }))),
    requestPasswordReset: build.mutation(endpoint((body: BodyOf<typeof requestPasswordReset>) => call(requestPasswordReset, { body }))),
    // Ends every session of the account, including one of this browser.
    resetPassword: build.mutation({
      ...endpoint((body: BodyOf<typeof resetPassword>) => call(resetPassword, { body })),
      invalidatesTags: (answer) => (answer ? ['Session'] : []),
    }),
    confirmEmailChange: build.mutation({
      ...endpoint((body: BodyOf<typeof confirmEmailChange>) => call(confirmEmailChange, { body })),
      invalidatesTags: (answer) => (answer ? ['Session'] : []),
    }),
  }),
});
