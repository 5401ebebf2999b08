import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { tabStorage } from '../lib/tab-storage';
import { useSession } from './api';
import type { AppDispatch } from './store';

/** What a reload left unsent goes out from every page; without such texts the outbox's code is not loaded. */
export function useResumedOutbox(): void {
  const dispatch = useDispatch<AppDispatch>();
  const { user_id } = useSession().profile;
  useEffect(() => {
    if (tabStorage.read('outbox') === undefined) return;
    void import('../features/tickets/composer/resume').then(({ resumeOutbox }) => resumeOutbox(user_id, dispatch));
  }, [user_id, dispatch]);
}
