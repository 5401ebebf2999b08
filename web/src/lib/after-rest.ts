/**
 * Starts `work` once the reader has rested for `pauseMs`. Returns a function that cancels it, for an effect that runs again with each
 * change: only the result of the last request arrives.
 */
export function afterRest<T>(pauseMs: number, work: (signal: AbortSignal) => Promise<T>, onResult: (result: T) => void): () => void {
  const cancelling = new AbortController();
  const { signal } = cancelling;
  const timer = setTimeout(() => {
    work(signal).then(
      (result) => {
        if (!signal.aborted) onResult(result);
      },
      () => undefined, // Cancelled.
    );
  }, pauseMs);
  return () => {
    clearTimeout(timer);
    cancelling.abort();
  };
}
