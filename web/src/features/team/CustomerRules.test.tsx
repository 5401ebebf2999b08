import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { api, refuse, server } from '../../testing/server';
import { TeamServer } from './testing';

let team: TeamServer;
beforeEach(() => {
  backend.signIn();
  team = new TeamServer().start();
});
const replies = () => screen.findByRole('combobox', { name: 'Replies to resolved and closed tickets' });

it('says what a reply does, and saves another choice at once', async () => {
  const { person } = renderApp('/organization-settings');
  expect(await replies()).toHaveTextContent('Not possible');
  await person.click(await replies());
  await person.click(await screen.findByRole('option', { name: 'Opens the ticket again' }));
  expect(await screen.findByText('Settings saved!')).toBeInTheDocument();
  expect(team.bodies).toEqual([{ customer_follow_up: 'reopen' }]);
  expect(await replies()).toHaveTextContent('Opens the ticket again');
});

it('switches the lookup, and says what that means', async () => {
  const { person } = renderApp('/organization-settings');
  const lookup = await screen.findByRole('switch', { name: 'Open tickets at once on the lookup page' });
  expect(screen.getByText('Customers get the links to their tickets by mail.')).toBeInTheDocument();
  lookup.focus();
  await person.keyboard('{Enter}');
  await waitFor(() => expect(lookup).toBeChecked());
  expect(team.bodies).toEqual([{ instant_lookup: true }]);
  expect(screen.getByText(/sees it at once/)).toBeInTheDocument();
});

it('goes back, and says so, when the server refuses', async () => {
  server.use(http.patch(api('/organizations/:id'), () => refuse('permission.denied')));
  const { person } = renderApp('/organization-settings');
  const lookup = await screen.findByRole('switch', { name: 'Open tickets at once on the lookup page' });
  await person.click(lookup);
  expect(await screen.findByText(/^Failed to save settings/)).toBeInTheDocument();
  await waitFor(() => expect(lookup).not.toBeChecked());
});
