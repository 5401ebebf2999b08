import { useSyncExternalStore } from 'react';

/** A request that has not reached the server and is sent again. */
export interface WaitingRequest {
  /** Its idempotency key. */
  key: string;
  label: string;
  isStored: boolean;
  withdraw: () => void;
}
interface Connection {
  isLost: boolean;
  waiting: readonly WaitingRequest[];
}

/** A stream breaks for a moment when an access token ends or a server is replaced: that is no outage. */
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

/** For the event stream of a page: broken, or open again. */
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

/** Calls back when the connection may be there again. */
export function onWake(waker: () => void): () => void {
  wakers.add(waker);
  return () => wakers.delete(waker);
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
/** Whether the page has lost the server, and what waits for it. */
export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => snapshot);
export const useWaiting = (key: string): WaitingRequest | undefined => useConnection().waiting.find((each) => each.key === key);

addEventListener('beforeunload', (event) => {
  if (waiting.some(({ isStored }) => !isStored)) event.preventDefault();
});
