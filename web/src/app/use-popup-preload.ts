import { useEffect } from 'react';

const idleAfterMs = 2_500;

/** Loads the code of popups once the first page is done, so that the first key press or click shows them immediately. */
export function usePopupPreload(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      const popups = [import('../ui/SelectPopup'), import('../ui/MenuPopup'), import('./palette/CommandPalette')];
      // Offline, they are requested again when they are opened.
      void Promise.allSettled(popups);
    }, idleAfterMs);
    return () => clearTimeout(timer);
  }, []);
}
