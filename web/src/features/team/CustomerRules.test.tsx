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
const replies = () => screen.findByRole('combobox', { name: 'Replies to resolved tickets' });

it('shows the effect of a reply, and saves another choice immediately', async () => {
  const { person } = renderApp('/settings?tab=portal');
  expect(await replies()).toHaveTextContent('Don’t allow');
  await person.click(await replies());
  await person.click(await screen.findByRole('option', { name: 'Reopen the ticket' }));
  expect(await screen.findByText('Settings saved!')).toBeInTheDocument();
  expect(team.bodies).toEqual([{ customer_follow_up: 'reopen' }]);
  expect(await replies()).toHaveTextContent('Reopen the ticket');
});

it('toggles the instant lookup and explains it', async () => {
  const { person } = renderApp('/settings?tab=portal');
  const lookup = await screen.findByRole('switch', { name: 'Show tickets instantly on the lookup page' });
  expect(screen.getByText('Customers get links to their tickets by email.')).toBeInTheDocument();
  lookup.focus();
  await person.keyboard('{Enter}');
  await waitFor(() => expect(lookup).toBeChecked());
  expect(team.bodies).toEqual([{ instant_lookup: true }]);
  expect(screen.getByText(/can see it/)).toBeInTheDocument();
});

it('reverts with an error if the server rejects it', async () => {
  server.use(http.patch(api('/organizations/:id'), () => refuse('permission.denied')));
  const { person } = renderApp('/settings?tab=portal');
  const lookup = await screen.findByRole('switch', { name: 'Show tickets instantly on the lookup page' });
  await person.click(lookup);
  expect(await screen.findByText(/^Failed to save settings/)).toBeInTheDocument();
  await waitFor(() => expect(lookup).not.toBeChecked());
});
