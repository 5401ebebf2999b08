import { useSyncExternalStore } from 'react';

/** A request that has not reached the server and will be sent again. */
export interface WaitingRequest {
  /** The request's idempotency key. */
  key: string;
  label: string;
  isStored: boolean;
  withdraw: () => void;
}
interface Connection {
  isLost: boolean;
  waiting: readonly WaitingRequest[];
}

/** A stream also breaks briefly when an access token expires or a server is replaced: only a longer break counts as an outage. */
const streamBreakMs = 3_000;

let isOffline = !navigator.onLine;
let isStreamBroken = false;
let waiting: readonly WaitingRequest[] = [];
let snapshot: Connection = { isLost: isOffline, waiting };
let breaking: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const wakers = new Set<() => void>();

function update(): void {
  snapshot = { isLost: isOffline || isStreamBroken || waiting.length > 0, waiting };
  for (const listener of listeners) listener();
}
function wake(): void {
  for (const waker of wakers) waker();
}

addEventListener('offline', () => {
  isOffline = true;
  update();
});
addEventListener('online', () => {
  isOffline = false;
  update();
  wake();
});

/** Reports whether the page's event stream is open or broken. */
export function reportStream(isOpen: boolean): void {
  if (!isOpen) {
    breaking ??= setTimeout(() => {
      isStreamBroken = true;
      update();
    }, streamBreakMs);
    return;
  }
  clearTimeout(breaking);
  breaking = undefined;
  if (isStreamBroken) {
    isStreamBroken = false;
    update();
  }
  wake();
}

export function addWaiting(request: WaitingRequest): void {
  if (waiting.some(({ key }) => key === request.key)) return;
  waiting = [...waiting, request];
  update();
}
export function removeWaiting(key: string): void {
  if (!waiting.some((each) => each.key === key)) return;
  waiting = waiting.filter((each) => each.key !== key);
  update();
}

/** Calls `waker` when the connection may be back. Returns a function that unregisters it. */
export function onWake(waker: () => void): () => void {
  wakers.add(waker);
  return () => wakers.delete(waker);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
/** Whether the page has lost its connection to the server, and the requests that wait for it. */
export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => snapshot);
export const useWaiting = (key: string): WaitingRequest | undefined => useConnection().waiting.find((each) => each.key === key);

addEventListener('beforeunload', (event) => {
  if (waiting.some(({ isStored }) => !isStored)) event.preventDefault();
});
