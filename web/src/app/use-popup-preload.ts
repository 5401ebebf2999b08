import { useEffect } from 'react';

const idleAfterMs = 2_500;

/** Loads the code of popups once the first page is done, so that the first key press or click shows them immediately. */
export function usePopupPreload(): void {
  useEffect(() => {
    // Offline, they are requested again when they are opened.
    const timer = setTimeout(() => void import('./popups').then(({ loadPopups }) => loadPopups()).catch(() => undefined), idleAfterMs);
    return () => clearTimeout(timer);
  }, []);
}
