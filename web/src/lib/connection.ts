import { createExternalStore } from './external-store';

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

interface State {
  isOffline: boolean;
  isStreamBroken: boolean;
  waiting: readonly WaitingRequest[];
}
const store = createExternalStore<State>(() => ({ isOffline: !navigator.onLine, isStreamBroken: false, waiting: [] }));
const change = (news: Partial<State>) => store.set({ ...store.get(), ...news });
let breaking: ReturnType<typeof setTimeout> | undefined;
const wakers = new Set<() => void>();

function wake(): void {
  for (const waker of wakers) waker();
}

addEventListener('offline', () => {
  change({ isOffline: true });
});
addEventListener('online', () => {
  change({ isOffline: false });
  wake();
});

/** Reports whether the page's event stream is open or broken. */
export function reportStream(isOpen: boolean): void {
  if (!isOpen) {
    breaking ??= setTimeout(() => change({ isStreamBroken: true }), streamBreakMs);
    return;
  }
  clearTimeout(breaking);
  breaking = undefined;
  if (store.get().isStreamBroken) change({ isStreamBroken: false });
  wake();
}

export function addWaiting(request: WaitingRequest): void {
  const { waiting } = store.get();
  if (!waiting.some(({ key }) => key === request.key)) change({ waiting: [...waiting, request] });
}
export function removeWaiting(key: string): void {
  const { waiting } = store.get();
  if (waiting.some((each) => each.key === key)) change({ waiting: waiting.filter((each) => each.key !== key) });
}

/** Calls `waker` when the connection may be back. Returns a function that unregisters it. */
export function onWake(waker: () => void): () => void {
  wakers.add(waker);
  return () => wakers.delete(waker);
}

/** Whether the page has lost its connection to the server, and the requests that wait for it. */
export function useConnection(): Connection {
  const { isOffline, isStreamBroken, waiting } = store.use();
  return { isLost: isOffline || isStreamBroken || waiting.length > 0, waiting };
}
export const useWaiting = (key: string): WaitingRequest | undefined => store.use(({ waiting }) => waiting.find((each) => each.key === key));

addEventListener('beforeunload', (event) => {
  if (store.get().waiting.some(({ isStored }) => !isStored)) event.preventDefault();
});
