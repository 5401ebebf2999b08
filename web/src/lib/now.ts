import { useSyncExternalStore } from 'react';

let current = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // While nobody looked the clock stood still.
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

/** The time, to half a minute: one clock for every relative time on the page. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => current);
