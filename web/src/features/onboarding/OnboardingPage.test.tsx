import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { aSession, backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { api, refuse, server } from '../../testing/server';

beforeEach(() => backend.signIn(aSession(null)));

it('creates the organization, confirms it and opens the dashboard', async () => {
  const { person, address } = renderApp('/onboarding');
  const create = await screen.findByRole('button', { name: 'Create' });
  expect(create).toBeDisabled();
  await person.type(screen.getByLabelText('Organization Name'), '   ');
  expect(create).toBeDisabled();
  await person.type(screen.getByLabelText('Organization Name'), 'Northwind Coffee');
  expect(screen.getByText('http://northwindcoffee.localhost')).toBeInTheDocument();
  await person.click(create);
  expect(await screen.findByText("You're all set!")).toBeInTheDocument();
  expect(screen.getByText(/Your portal is live at/)).toHaveTextContent('http://northwindcoffee.localhost');
  expect(await screen.findByText('Organization created!')).toBeInTheDocument();
  expect(address()).toBe('/onboarding');
  await waitFor(() => expect(address()).toBe('/dashboard'));
});

it('shows no address for a name that is too short for one', async () => {
  const { person } = renderApp('/onboarding');
  await person.type(await screen.findByLabelText('Organization Name'), 'Ö2');
  expect(screen.queryByText(/Your customers will find you at/)).not.toBeInTheDocument();
  await person.type(screen.getByLabelText('Organization Name'), 'Go');
  expect(screen.getByText('http://2go.localhost')).toBeInTheDocument();
});

it('shows why the organization could not be created', async () => {
  server.use(http.post(api('/organizations'), () => refuse('organization.already_set_up')));
  const { person } = renderApp('/onboarding');
  await person.type(await screen.findByLabelText('Organization Name'), 'Northwind{Enter}');
  expect(await screen.findByText('Error creating organization')).toBeInTheDocument();
  expect(screen.getByText('Your account already belongs to an organization')).toBeInTheDocument();
});

it('redirects users with an organization to the dashboard immediately', async () => {
  backend.signIn();
  const { address } = renderApp('/onboarding');
  await waitFor(() => expect(address()).toBe('/dashboard'));
});

it('asks invited users to use the link in their email', async () => {
  renderApp('/onboarding');
  expect(await screen.findByText('Invited to a team? Use the link in your invitation email.')).toBeInTheDocument();
});

it('stays on the form without a success message if the name was rejected', async () => {
  server.use(
    http.post(api('/organizations'), () =>
      refuse('request.invalid', { errors: [{ path: 'name', code: 'too_big', message: 'At most 100 characters' }] }),
    ),
  );
  const { person, address } = renderApp('/onboarding');
  const name = await screen.findByLabelText('Organization Name');
  await person.type(name, 'Northwind{Enter}');
  await screen.findByText('Error creating organization');
  await waitFor(() => expect(name).toHaveAccessibleDescription('At most 100 characters'));
  expect(screen.queryByText("You're all set!")).not.toBeInTheDocument();
  expect(address()).toBe('/onboarding');
});
