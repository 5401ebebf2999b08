import { useSyncExternalStore } from 'react';

const onVisibility = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};

/** Whether the user can see this tab. */
export const useTabVisible = (): boolean => useSyncExternalStore(onVisibility, () => document.visibilityState === 'visible');
