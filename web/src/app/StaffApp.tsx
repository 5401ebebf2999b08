import { useState } from 'react';
import { Provider } from 'react-redux';
import { Outlet } from 'react-router-dom';
import { SessionTimeout } from './SessionTimeout';
import { createStore } from './store';

/** Everything that needs the store. Public pages are outside of it and load none of its code. */
export function StaffApp() {
  const [store] = useState(createStore);
  return (
    <Provider store={store}>
      <Outlet />
      <SessionTimeout />
    </Provider>
  );
}
