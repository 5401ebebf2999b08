import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import type { AppDispatch } from './store';

const load = () => import('./live');
const retryMs = 5_000;

// Requested together with the page but not part of its first load: the first screen does not wait for the event stream.
void load().catch(() => undefined);

/** Keeps the organization's event stream open while the page is shown. */
export function useLive(): void {
  const dispatch = useDispatch<AppDispatch>();
  useEffect(() => {
    let close: (() => void) | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isStopped = false;
    const open = () =>
      void load().then(
        ({ openLive }) => {
          if (!isStopped) close = openLive(dispatch);
        },
        () => {
          if (!isStopped) timer = setTimeout(open, retryMs);
        },
      );
    open();
    return () => {
      isStopped = true;
      clearTimeout(timer);
      close?.();
    };
  }, [dispatch]);
}
