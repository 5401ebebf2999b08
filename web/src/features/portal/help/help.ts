import type { HelpUse } from '@tandem/contracts';
import { recordHelpUse } from '@tandem/contracts/endpoints';
import { useCallback, useEffect, useState } from 'react';
import type { ApiRequest } from '../../../lib/api-request';
import { call } from '../../../lib/call';
import { read, send } from '../../../lib/http';
import type { ApiProblem } from '../../../lib/problem';
import { storage } from '../../../lib/storage';
import { uniqueKey } from '../../../lib/unique';
import { toRemoteData, type RemoteData } from '../portal';

/** Reads once per request object, so create the request with `useMemo`. */
export function useRead<T>(request: ApiRequest<T>): RemoteData<T> & { retry: () => void } {
  const [answer, setAnswer] = useState<{ request: ApiRequest<T>; result: RemoteData<T> }>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const leaving = new AbortController();
    read(request, leaving.signal).then(
      (received) => setAnswer({ request, result: toRemoteData(received) }),
      () => undefined, // The reader has left the page in the meantime.
    );
    return () => leaving.abort();
  }, [request, round]);
  const retry = useCallback(() => {
    setAnswer(undefined);
    setRound((before) => before + 1);
  }, []);
  return { ...(answer?.request === request ? answer.result : { state: 'loading' }), retry };
}

/** Counts a use for the team's figures. A failure is ignored, because the reader loses nothing. */
export const recordUse = (use: HelpUse): void => void send(call(recordHelpUse, { body: use, keepalive: true }));

/** Calls `work` once the reader sees the page. Returns a function that cancels it. */
export function whenVisible(work: () => void): () => void {
  const check = () => {
    if (document.visibilityState !== 'visible') return;
    stop();
    work();
  };
  const stop = () => document.removeEventListener('visibilitychange', check);
  document.addEventListener('visibilitychange', check);
  check();
  return stop;
}

const readerKey = 'help-reader';
let reader: string | undefined;
/** A random value, so that a second rating of this browser replaces the first. Without localStorage it is lost with the page. */
export function readerId(): string {
  reader ??= storage.get(readerKey) ?? uniqueKey();
  storage.set(readerKey, reader);
  return reader;
}

/** There is no such article or category, or its number is refused as invalid input (422). */
export const isUnknown = ({ status }: ApiProblem): boolean => status === 404 || status === 422;
