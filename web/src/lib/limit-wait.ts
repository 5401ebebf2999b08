import { createExternalStore } from './external-store';

/** When the requests that the rate limit refused will be repeated (Unix ms). */
const waits = createExternalStore<readonly { until: number }[]>(() => []);

/** Resolves after the `Retry-After` time; rejects with the signal's reason if the request is aborted. */
export async function waitForLimit(seconds: number, signal?: AbortSignal): Promise<void> {
  const wait = { until: Date.now() + seconds * 1_000 };
  waits.set([...waits.get(), wait]);
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, seconds * 1_000);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      });
    });
  } finally {
    waits.set(waits.get().filter((each) => each !== wait));
  }
}

/** When refused requests will be repeated (Unix ms); undefined if none is waiting. */
export const useLimitWait = (): number | undefined =>
  waits.use((all) => (all.length === 0 ? undefined : Math.max(...all.map(({ until }) => until))));
