import { useState } from 'react';
import { Provider } from 'react-redux';
import { Outlet } from 'react-router-dom';
import { SessionTimeout } from './SessionTimeout';
import { dropResponses, getAppStore } from './store';

/** Everything that needs the store. Public pages are outside of it and load none of its code. */
export function StaffApp() {
  const [store] = useState(() => {
    const appStore = getAppStore();
    // Public pages, which may have been shown in between, do not keep the data up to date. Here, and not in an effect, because the effects
    // of the pages run before. React may call this more than once before it shows the pages: nothing has been requested by then.
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
