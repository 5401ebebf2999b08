import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { tabStorage } from '../lib/tab-storage';
import { useSession } from './api';
import type { AppDispatch } from './store';

/** Sends messages that a reload left unsent, from any page. The outbox code is loaded only if there are some. */
export function useResumedOutbox(): void {
  const dispatch = useDispatch<AppDispatch>();
  const { user_id } = useSession().profile;
  useEffect(() => {
    if (tabStorage.read('outbox') === undefined) return;
    void import('../features/tickets/composer/unsent.effects').then(({ startUnsent }) => dispatch(startUnsent(user_id)));
  }, [user_id, dispatch]);
}
