import { render, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { Provider } from 'react-redux';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { renderApp } from '../testing/render';
import { aMember, aSession, backend } from '../testing/backend';
import { answer, api, server } from '../testing/server';
import { Guard } from './guards';
import { createStore } from './store';

it('shows a spinner until the session is loaded', async () => {
  server.use(http.get(api('/auth/session'), async () => new Promise(() => undefined)));
  renderApp('/dashboard');
  expect(await screen.findByRole('status')).toHaveTextContent('Loading');
});

it('redirects signed-out users to /auth and, once signed in, back to the requested page', async () => {
  const { person, address } = renderApp('/tickets?status=open');
  await person.type(await screen.findByLabelText('Email'), 'ada@northwind.example');
  expect(address()).toBe('/auth');
  await person.type(screen.getByLabelText('Password'), 'password1');
  await person.click(screen.getByRole('button', { name: 'Sign In' }));
  await waitFor(() => expect(address()).toBe('/tickets?status=open'));
});

it('redirects a user without an organization to onboarding', async () => {
  backend.signIn(aSession(null));
  const { address } = renderApp('/tickets');
  expect(await screen.findByLabelText('Organization Name')).toBeInTheDocument();
  expect(address()).toBe('/onboarding');
});

it('offers Try Again if the session cannot be loaded, instead of signing out', async () => {
  backend.signIn();
  server.use(http.get(api('/auth/session'), () => answer(null, { status: 418 }), { once: true }));
  const { address } = renderApp('/dashboard');
  expect(await screen.findByText('Something went wrong')).toBeInTheDocument();
  expect(address()).toBe('/dashboard');
});

describe.each([
  ['a minimum role', { minimumRole: 'manager' as const }],
  ['a list of roles', { allowed: ['admin', 'manager'] as const }],
])('with %s', (_, guard) => {
  const open = (role: 'agent' | 'manager' | 'admin') => {
    backend.signIn(aSession(aMember({ role })));
    render(
      <Provider store={createStore()}>
        <MemoryRouter initialEntries={['/analytics']}>
          <Routes>
            <Route element={<Guard {...guard} />}>
              <Route path="/analytics" element={<p>Analytics</p>} />
            </Route>
            <Route path="/dashboard" element={<p>Dashboard</p>} />
          </Routes>
        </MemoryRouter>
      </Provider>,
    );
  };
  it('admits the role', async () => {
    open('manager');
    expect(await screen.findByText('Analytics')).toBeInTheDocument();
  });
  it('redirects a lower role to the dashboard', async () => {
    open('agent');
    expect(await screen.findByText('Dashboard')).toBeInTheDocument();
  });
});

it('shows the not-found page for any unknown path', async () => {
  renderApp('/no/such/page');
  expect(await screen.findByRole('heading', { name: 'Oops! Page not found' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
});
