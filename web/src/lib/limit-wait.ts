import { useSyncExternalStore } from 'react';

/** Requests that wait for the server to take calls again, each with the time at which it is repeated. */
const waiting = new Set<{ until: number }>();
const listeners = new Set<() => void>();
/** The latest of these times: a snapshot, so that React compares numbers. */
let until: number | undefined;

function update(): void {
  until = waiting.size === 0 ? undefined : Math.max(...[...waiting].map((each) => each.until));
  for (const listener of listeners) listener();
}

/** Resolves when `Retry-After` has passed; rejects with the signal's reason when the request is no longer wanted. */
export async function waitForLimit(seconds: number, signal?: AbortSignal): Promise<void> {
  const wait = { until: Date.now() + seconds * 1_000 };
  waiting.add(wait);
  update();
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, seconds * 1_000);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      });
    });
  } finally {
    waiting.delete(wait);
    update();
  }
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
/** When refused requests are repeated (ms since the epoch); undefined while none is waiting. */
export const useLimitWait = (): number | undefined => useSyncExternalStore(subscribe, () => until);
