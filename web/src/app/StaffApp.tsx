import { lazy, Suspense, useEffect, useState } from 'react';
import { Provider } from 'react-redux';
import { Outlet } from 'react-router-dom';
import { api } from './api';
import { dropResponses, getAppStore } from './store';

// Requested together with the page but not part of its first load: it does nothing in the first minute.
const sessionTimeout = import('./SessionTimeout');
const SessionTimeout = lazy(() => sessionTimeout.then((module) => ({ default: module.SessionTimeout })));

/** Reads the session before the first render, which then shows the page instead of a spinner. */
export async function readFirstSession(): Promise<void> {
  await getAppStore().dispatch(api.endpoints.readSession.initiate(undefined, { subscribe: false }));
}

let wasShown = false;

/** Everything that needs the store. Public pages are outside of it and load none of its code. */
export function StaffApp() {
  const [store] = useState(() => {
    const appStore = getAppStore();
    // Removes cached responses, because public pages, which may have been shown in between, do not update them. Not in an effect, because the
    // effects of the pages run earlier. React may call this more than once, but only before the pages send requests.
    if (wasShown) appStore.dispatch(dropResponses());
    return appStore;
  });
  useEffect(() => void (wasShown = true), []);
  return (
    <Provider store={store}>
      <Outlet />
      <Suspense fallback={null}>
        <SessionTimeout />
      </Suspense>
    </Provider>
  );
}
