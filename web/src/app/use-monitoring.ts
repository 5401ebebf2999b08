import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import type * as Monitoring from '../lib/monitoring';
import { useSession } from './api';

// Not needed for the first screen, and the page works without it.
const withMonitoring = (work: (monitoring: typeof Monitoring) => void): void =>
  void import('../lib/monitoring').then(work).catch(() => undefined);

/** Reports errors and performance of pages that a signed-in user opens. */
export function useMonitoring(): void {
  const {
    session_id,
    profile: { user_id },
  } = useSession();
  const { pathname } = useLocation();
  useEffect(() => {
    const stopping = new AbortController();
    withMonitoring(({ startMonitoring }) => {
      if (!stopping.signal.aborted) stopping.signal.addEventListener('abort', startMonitoring({ session_id, user_id }));
    });
    return () => stopping.abort();
  }, [session_id, user_id]);
  useEffect(() => withMonitoring(({ recordNavigation }) => recordNavigation(pathname)), [pathname]);
}
