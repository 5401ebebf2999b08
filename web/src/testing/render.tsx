import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router-dom';
import { AppRoutes } from '../app/router';
import { Toasts } from '../ui/Toast';

let current: ReturnType<typeof useLocation>;
function Address() {
  current = useLocation();
  return null;
}

/** Renders the whole app at an address, with a user-event session. */
export function renderApp(path: string) {
  const view = render(
    <MemoryRouter initialEntries={[path]}>
      <AppRoutes />
      <Toasts />
      <Address />
    </MemoryRouter>,
  );
  return { ...view, person: userEvent.setup(), address: () => `${current.pathname}${current.search}` };
}
