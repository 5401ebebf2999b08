import { useSyncExternalStore } from 'react';
import { onSignOut } from './session-cleanup';

export interface ExternalStore<State> {
  get: () => State;
  /** Notifies subscribers, unless `next` is the current state. */
  set: (next: State) => void;
  /** A hook that returns the state, or the part of it that `select` returns. */
  use: <Part = State>(select?: (state: State) => Part) => Part;
}

/**
 * State outside React and the Redux store, which only pages of signed-in users have. When the session ends it is set to `initial()`.
 * `connect` runs while the store has subscribers; it returns the function that ends it.
 */
export function createExternalStore<State>(initial: () => State, connect?: () => () => void): ExternalStore<State> {
  let state = initial();
  let disconnect: (() => void) | undefined;
  const listeners = new Set<() => void>();
  const set = (next: State) => {
    if (Object.is(next, state)) return;
    state = next;
    for (const listener of listeners) listener();
  };
  const subscribe = (listener: () => void) => {
    if (listeners.size === 0) disconnect = connect?.();
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) disconnect?.();
    };
  };
  onSignOut({ drop: () => set(initial()) });
  return {
    get: () => state,
    set,
    use: <Part = State>(select: (state: State) => Part = (whole) => whole as unknown as Part) =>
      useSyncExternalStore(
        subscribe,
        () => select(state),
        () => select(state),
      ),
  };
}
