import { useEffect } from 'react';
import { Provider } from 'react-redux';
import { Outlet } from 'react-router-dom';
import { api } from './api';
import { SessionTimeout } from './SessionTimeout';
import { getAppStore } from './store';

/** Everything that needs the store. Public pages are outside of it and load none of its code. */
export function StaffApp() {
  const store = getAppStore();
  // Data on public pages is not kept up to date, so it is read again afterwards.
  useEffect(() => () => void store.dispatch(api.util.resetApiState()), [store]);
  return (
    <Provider store={store}>
      <Outlet />
      <SessionTimeout />
    </Provider>
  );
}
