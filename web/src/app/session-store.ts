import type { Session } from '@tandem/contracts';
import { useCallback } from 'react';
import { useDispatch } from 'react-redux';
import { useLocation, useNavigate } from 'react-router-dom';
import { notify } from '../lib/notify';
import { claimUnsentWork, dropUnsentWork, finishUnsentWork } from '../lib/session-cleanup';
import { mayHaveSession } from '../lib/session-cookie';
import { t } from '../lib/staff-texts';
import { api } from './api';
import { postToTabs } from './session-channel';
import { clearSessionEnd, recordSessionEnd, type EndReason } from './session-end';
import type { AppDispatch } from './store';

/** The user must see the end of the session even if the server does not answer. */
const longestSignOutMs = 3_000;

const { useQueryState } = api.endpoints.readSession;

/** The cached session, without a request. */
export function useKnownSession(): Session | undefined {
  const { currentData, isError } = useQueryState();
  return isError ? undefined : currentData;
}

/** Applies a session that the server or another tab reported: its deadlines and the user's role. */
export function useAdoptSession(): (session: Session) => void {
  const dispatch = useDispatch<AppDispatch>();
  return useCallback(
    (session) => {
      // The user signed out while the request was in flight.
      if (!mayHaveSession()) return;
      clearSessionEnd();
      // If another user signed in, they must not see the previous user's data.
      claimUnsentWork(session.profile.user_id);
      void dispatch(api.util.upsertQueryData('readSession', undefined, session));
    },
    [dispatch],
  );
}

/** Shows the sign-in page and clears all cached data. */
export function useForgetSession(): (reason: EndReason) => void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return useCallback(
    (reason) => {
      recordSessionEnd(reason === 'signed_out' ? { reason } : { reason, from: `${pathname}${search}` });
      void navigate('/auth', { replace: true });
      dropUnsentWork();
    },
    [navigate, pathname, search],
  );
}

/**
 * Signs out, here and in every tab. After a timeout the local session ends even without a response from the server. If a sign-out that the user
 * asked for fails, it shows an error instead of silently leaving the session open.
 */
export function useSignOut(): (reason?: EndReason) => Promise<void> {
  const dispatch = useDispatch<AppDispatch>();
  const forget = useForgetSession();
  return useCallback(
    async (reason = 'signed_out') => {
      if (reason === 'signed_out') finishUnsentWork();
      const answered = dispatch(api.endpoints.signOut.initiate(undefined, { track: false }));
      const answer = await Promise.race([answered, new Promise<undefined>((resolve) => setTimeout(resolve, longestSignOutMs))]);
      const isOver = answer && (!answer.error || ('status' in answer.error && answer.error.status === 401));
      if (!isOver && reason === 'signed_out') return notify.error(t('app.couldnt_sign_out'));
      forget(reason);
      postToTabs({ type: 'ended', reason });
    },
    [dispatch, forget],
  );
}
