import { configureStore } from '@reduxjs/toolkit';
import { setupListeners } from '@reduxjs/toolkit/query';
import { api } from './api';

/** Only answers of the server are in it, and RTK Query alone writes them: the development checks of hand-written reducers find nothing here. */
export function createStore() {
  const store = configureStore({
    reducer: { [api.reducerPath]: api.reducer },
    middleware: (standard) => standard({ immutableCheck: false, serializableCheck: false }).concat(api.middleware),
    // At once and not with the next frame: what says that something was saved must not come before what was saved.
    enhancers: (standard) => standard({ autoBatch: { type: 'tick' } }),
  });
  setupListeners(store.dispatch);
  return store;
}
export type AppStore = ReturnType<typeof createStore>;
export type AppDispatch = AppStore['dispatch'];
