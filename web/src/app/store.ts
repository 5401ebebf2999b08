import { configureStore } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { api } from './api';

/** Holds only server responses, and only RTK Query writes them, so the checks for hand-written reducers are not needed. */
export function createStore() {
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: (standard) => standard({ immutableCheck: false, serializableCheck: false }).concat(api.middleware),
    // Notify subscribers in a microtask, not with the next frame, so that a toast never precedes the update it reports.
    enhancers: (standard) => standard({ autoBatch: { type: 'tick' } }),
  });
  setupListeners(store.dispatch);
  return store;
}
export type AppStore = ReturnType<typeof createStore>;
export type AppDispatch = AppStore['dispatch'];
