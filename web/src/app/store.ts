import {
  combineSlices,
  configureStore,
  createAction,
  createListenerMiddleware,
  type ThunkAction,
  type UnknownAction,
} from '@reduxjs/toolkit';
import { setupListeners, type QueryCacheKey } from '@reduxjs/toolkit/query';
import { claimUnsentWork, onSignOut } from '../lib/session-cleanup';
import { api } from './api';
import { listenToTabs } from './session-channel';

/** Slices that features add when their code is loaded, with `slice.injectInto(rootReducer)`. */
// oxlint-disable-next-line typescript/no-empty-object-type -- each feature adds its slice
export interface LazyLoadedSlices {}
export const rootReducer = combineSlices(api).withLazyLoadedSlices<LazyLoadedSlices>();
export type RootState = ReturnType<typeof rootReducer>;

const listeners = createListenerMiddleware();

/** Another user may sign in: every slice starts again, including those that are added later. */
const sessionEnded = createAction('session/ended');
function reduce(state: RootState | undefined, action: UnknownAction): RootState {
  const isReset = state !== undefined && sessionEnded.match(action);
  // RTK Query resets its cache itself, and keeps its configuration.
  return rootReducer(isReset ? { [api.reducerPath]: state[api.reducerPath] } : state, action);
}

/** Only RTK Query and slices write the store, so the checks for hand-written reducers are not needed. */
export function createStore() {
  const store = configureStore({
    reducer: reduce,
    middleware: (standard) =>
      standard({ immutableCheck: false, serializableCheck: false }).prepend(listeners.middleware).concat(api.middleware),
    // Notify subscribers in a microtask, not with the next frame, so that a toast never precedes the update it reports.
    enhancers: (standard) => standard({ autoBatch: { type: 'tick' } }),
  });
  setupListeners(store.dispatch);
  onSignOut({
    drop: () => {
      store.dispatch(sessionEnded());
      store.dispatch(api.util.resetApiState());
    },
  });
  return store;
}

let appStore: ReturnType<typeof createStore> | undefined;
/** The page's store. It outlives visits of public pages, because messages may still be in flight. */
export function getAppStore(): ReturnType<typeof createStore> {
  if (appStore) return appStore;
  // Even on a public page, a message must not be sent after another user has signed in, in any tab.
  listenToTabs((message) => {
    if (message.type === 'session') claimUnsentWork(message.session.profile.user_id);
  });
  return (appStore = createStore());
}

export type AppStore = ReturnType<typeof createStore>;
export type AppDispatch = AppStore['dispatch'];
export type AppThunk<Result = void> = ThunkAction<Result, RootState, unknown, UnknownAction>;

/**
 * Drops all cached responses; only for when no page is shown that reads them. Unlike `resetApiState`, it aborts no requests: a message may
 * still be waiting for the connection.
 */
export const dropResponses = (): AppThunk => (dispatch, getState) => {
  const keys = Object.keys(getState().api.queries) as QueryCacheKey[];
  for (const queryCacheKey of keys) dispatch(api.internalActions.removeQueryResult({ queryCacheKey }));
};

/** Adds side effects of actions, such as persistence. Call it once, when the module is loaded. */
export const startAppListening = listeners.startListening.withTypes<RootState, AppDispatch>();

startAppListening({
  matcher: api.endpoints.readSession.matchFulfilled,
  effect: ({ payload }) => claimUnsentWork(payload.profile.user_id),
});
