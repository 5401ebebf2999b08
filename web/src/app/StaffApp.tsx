import { useState } from 'react';
import { Provider } from 'react-redux';
import { Outlet } from 'react-router-dom';
import { SessionTimeout } from './SessionTimeout';
import { dropResponses, getAppStore } from './store';

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
      <SessionTimeout />
    </Provider>
  );
}
