import { useState } from 'react';
import { Provider } from 'react-redux';
import { Outlet } from 'react-router-dom';
import { SessionTimeout } from './SessionTimeout';
import { createStore } from './store';

/** Everything that needs the store. The public pages live outside and load none of it. */
export function StaffApp() {
  const [store] = useState(createStore);
  return (
    <Provider store={store}>
      <Outlet />
      <SessionTimeout />
    </Provider>
  );
}
