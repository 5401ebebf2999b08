import { useSyncExternalStore } from 'react';

let current = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // The clock does not run without subscribers.
  if (!timer) current = Date.now();
  timer ??= setInterval(() => {
    current = Date.now();
    for (const each of listeners) each();
  }, 30_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

/** The current time, updated every 30 s: one shared clock for all relative times on the page. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => current);
