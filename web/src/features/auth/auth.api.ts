import type { Session } from '@tandem/contracts';
import { api } from '../../app/api';

export interface SignUpForm {
  email: string;
  password: string;
  first_name: string;
  last_name: string;
}

export const { useSignInMutation, useSignUpMutation, useConfirmEmailMutation, useResendConfirmationMutation } = api.injectEndpoints({
  endpoints: (build) => ({
    signIn: build.mutation<Session, { email: string; password: string }>({
      query: (body) => ({ path: '/auth/sign-in', method: 'POST', body }),
      // The answer is the session: the guard knows at once who is there.
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(() => undefined);
        if (answer) await dispatch(api.util.upsertQueryData('readSession', undefined, answer.data));
      },
    }),
    signUp: build.mutation<{ message: string }, SignUpForm>({ query: (body) => ({ path: '/auth/sign-up', method: 'POST', body }) }),
    confirmEmail: build.mutation<{ email: string }, { token: string }>({
      query: (body) => ({ path: '/auth/confirm-email', method: 'POST', body }),
    }),
    resendConfirmation: build.mutation<{ message: string }, { email: string }>({
      query: (body) => ({ path: '/auth/resend-confirmation', method: 'POST', body }),
    }),
  }),
});
