import { useSyncExternalStore } from 'react';

/** Requests that the rate limit refused, each with the time at which it will be repeated. */
const waiting = new Set<{ until: number }>();
const listeners = new Set<() => void>();
/** The latest of these times, as a number so that React can compare snapshots. */
let until: number | undefined;

function update(): void {
  until = waiting.size === 0 ? undefined : Math.max(...[...waiting].map((each) => each.until));
  for (const listener of listeners) listener();
}

/** Resolves after the `Retry-After` time; rejects with the signal's reason if the request is aborted. */
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
/** When refused requests will be repeated (Unix ms); undefined if none is waiting. */
export const useLimitWait = (): number | undefined => useSyncExternalStore(subscribe, () => until);
