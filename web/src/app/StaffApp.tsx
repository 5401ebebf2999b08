import { lazy, Suspense, useState } from 'react';
import { Provider } from 'react-redux';
import { Outlet } from 'react-router-dom';
import { dropResponses, getAppStore } from './store';

// Requested together with the page but not part of its first load: it does nothing in the first minute.
const sessionTimeout = import('./SessionTimeout');
const SessionTimeout = lazy(() => sessionTimeout.then((module) => ({ default: module.SessionTimeout })));

/** Everything that needs the store. Public pages are outside of it and load none of its code. */
export function StaffApp() {
  const [store] = useState(() => {
    const appStore = getAppStore();
    // Removes cached responses, because public pages, which may have been shown in between, do not update them. Not in an effect, because the
    // effects of the pages run earlier. React may call this more than once, but only before the pages send requests.
    appStore.dispatch(dropResponses());
    return appStore;
  });
  return (
    <Provider store={store}>
      <Outlet />
      <Suspense fallback={null}>
        <SessionTimeout />
      </Suspense>
    </Provider>
  );
}
