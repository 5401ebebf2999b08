import type { Session } from '@tandem/contracts';
import { useCallback } from 'react';
import { useDispatch } from 'react-redux';
import { useLocation, useNavigate } from 'react-router-dom';
import { mayHaveSession } from '../lib/http';
import { notify } from '../lib/notify';
import { dropAll, finishAll } from '../lib/parting';
import { api } from './api';
import { tellTabs } from './session-channel';
import { forgetSessionEnd, noteSessionEnd, type EndReason } from './session-end';
import type { AppDispatch } from './store';

/** The end of a session must be seen even when the server does not answer. */
const longestSignOutMs = 3_000;

const { useQueryState } = api.endpoints.readSession;

/** Who is signed in as far as this tab knows, without asking. */
export function useKnownSession(): Session | undefined {
  const { currentData, isError } = useQueryState();
  return isError ? undefined : currentData;
}

/** Takes over what the server, or another tab, said of the session: its deadlines, its person's role. */
export function useAdoptSession(): (session: Session) => void {
  const dispatch = useDispatch<AppDispatch>();
  const known = useKnownSession()?.profile.user_id;
  return useCallback(
    (session) => {
      // Signed out while the answer was on its way.
      if (!mayHaveSession()) return;
      forgetSessionEnd();
      // What one person read is not for the next one's eyes.
      if (known !== undefined && known !== session.profile.user_id) {
        dropAll();
        dispatch(api.util.resetApiState());
      }
      void dispatch(api.util.upsertQueryData('readSession', undefined, session));
    },
    [dispatch, known],
  );
}

/** Shows the sign-in page and forgets everything that was read. */
export function useForgetSession(): (reason: EndReason) => void {
  const dispatch = useDispatch<AppDispatch>();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return useCallback(
    (reason) => {
      noteSessionEnd(reason === 'signed_out' ? { reason } : { reason, from: `${pathname}${search}` });
      void navigate('/auth', { replace: true });
      dropAll();
      dispatch(api.util.resetApiState());
    },
    [dispatch, navigate, pathname, search],
  );
}

/**
 * Signs out, here and in every tab. What ends by the clock ends whatever the server says; whoever wants to leave is told when that did
 * not work, instead of leaving an open session behind.
 */
export function useSignOut(): (reason?: EndReason) => Promise<void> {
  const dispatch = useDispatch<AppDispatch>();
  const forget = useForgetSession();
  return useCallback(
    async (reason = 'signed_out') => {
      if (reason === 'signed_out') finishAll();
      const answered = dispatch(api.endpoints.signOut.initiate(undefined, { track: false }));
      const answer = await Promise.race([answered, new Promise<undefined>((resolve) => setTimeout(resolve, longestSignOutMs))]);
      const isOver = answer && (!answer.error || ('status' in answer.error && answer.error.status === 401));
      if (!isOver && reason === 'signed_out') return notify.error('You could not be signed out. Check your connection and try again.');
      forget(reason);
      tellTabs({ type: 'ended', reason });
    },
    [dispatch, forget],
  );
}
