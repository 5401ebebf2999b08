import { useState } from 'react';
import { Provider } from 'react-redux';
import { Outlet } from 'react-router-dom';
import { api } from './api';
import { SessionTimeout } from './SessionTimeout';
import { getAppStore } from './store';

/** Everything that needs the store. Public pages are outside of it and load none of its code. */
export function StaffApp() {
  const [store] = useState(() => {
    const appStore = getAppStore();
    // Public pages, which may have been shown in between, do not keep the data up to date. Not on leaving: in development, React unmounts
    // and mounts each component once more.
    appStore.dispatch(api.util.resetApiState());
    return appStore;
  });
  return (
    <Provider store={store}>
      <Outlet />
      <SessionTimeout />
    </Provider>
  );
}
