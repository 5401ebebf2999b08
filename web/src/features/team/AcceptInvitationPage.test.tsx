import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { aSession, backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';
import { anOffer, TeamServer } from './testing';

const page = '/accept-invitation?token=abc-123';

let team: TeamServer;
beforeEach(() => {
  backend.signIn(aSession(null));
  team = new TeamServer().start();
});

it.each(['/accept-invitation', '/accept-invitation?token='])('shows at %s that the link is invalid', async (path) => {
  renderApp(path);
  expect(await screen.findByRole('heading', { name: 'Invalid Invitation' })).toBeInTheDocument();
  expect(screen.getByText('Invalid invitation link')).toBeInTheDocument();
  expect(backend.calls.filter((call) => call.startsWith('GET /invitations'))).toEqual([]);
});

it('redirects signed-out users to sign-in and back', async () => {
  backend.reset();
  const { person, address } = renderApp(page);
  await person.type(await screen.findByLabelText('Email'), 'new@example.com');
  expect(address()).toBe('/auth?redirect=%2Faccept-invitation%3Ftoken%3Dabc-123');
  server.use(
    http.post(api('/auth/sign-in'), () => {
      backend.signIn(aSession(null));
      return answer(backend.session);
    }),
  );
  await person.type(screen.getByLabelText('Password'), 'password1{Enter}');
  await waitFor(() => expect(address()).toBe(page));
  expect(await screen.findByRole('button', { name: 'Accept' })).toBeInTheDocument();
});

it('shows the inviter and the role, and joins with one click', async () => {
  const { person, address } = renderApp(page);
  expect(await screen.findByRole('heading', { name: 'Join Northwind Coffee' })).toBeInTheDocument();
  expect(screen.getByText('Manager')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Accept' }));
  expect(await screen.findByText('Welcome to the team!')).toBeInTheDocument();
  // The session was read again: otherwise the dashboard's guard would redirect to the onboarding.
  await waitFor(() => expect(address()).toBe('/dashboard'));
  expect(await screen.findByRole('heading', { name: 'Support Dashboard' })).toBeInTheDocument();
  expect(backend.calls).toContain('POST /invitations/abc-123/accept');
});

it('opens the home page after a confirmed decline', async () => {
  const { person, address } = renderApp(page);
  await person.click(await screen.findByRole('button', { name: 'Decline' }));
  const dialog = await screen.findByRole('dialog', { name: 'Decline this invitation?' });
  expect(backend.calls).not.toContain('POST /invitations/abc-123/decline');
  await person.click(within(dialog).getByRole('button', { name: 'Decline invitation' }));
  await waitFor(() => expect(address()).toBe('/'));
  expect(backend.calls).toContain('POST /invitations/abc-123/decline');
});

it('shows that it could not be declined', async () => {
  server.use(http.post(api('/invitations/:token/decline'), () => refuse('service.unavailable')));
  const { person, address } = renderApp(page);
  await person.click(await screen.findByRole('button', { name: 'Decline' }));
  await person.click(await screen.findByRole('button', { name: 'Decline invitation' }));
  expect(await screen.findByText(/^Failed to decline invitation/)).toBeInTheDocument();
  expect(address()).toBe(page);
});

it('shows the message of an invalid invitation', async () => {
  team.offer = undefined;
  renderApp(page);
  expect(await screen.findByRole('heading', { name: 'Invalid Invitation' })).toBeInTheDocument();
  expect(screen.getByText('Invitation not found or expired')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Accept' })).not.toBeInTheDocument();
});

it('does not report a rate limit as an invalid invitation, and offers a retry', async () => {
  server.use(http.get(api('/invitations/:token'), () => refuse('limit.exceeded'), { once: true }));
  const { person } = renderApp(page);
  expect(await screen.findByText('Failed to load invitation')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('button', { name: 'Accept' })).toBeInTheDocument();
});

it('shows the invited address, and lets another user sign out', async () => {
  team.offer = anOffer({ email: 'nina@northwind.example' });
  const { person, address } = renderApp(page);
  expect(await screen.findByText(/This invitation was sent to/)).toHaveTextContent(
    'This invitation was sent to nina@northwind.example. You are signed in as new@example.com.',
  );
  expect(screen.queryByRole('button', { name: 'Accept' })).not.toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Sign out and use the other address' }));
  await waitFor(() => expect(address()).toBe('/auth?redirect=%2Faccept-invitation%3Ftoken%3Dabc-123&email=nina%40northwind.example'));
  expect(backend.calls).toContain('POST /auth/sign-out');
  expect(await screen.findByLabelText('Email')).toHaveValue('nina@northwind.example');
});

it('ignores the case of an address', async () => {
  team.offer = anOffer({ email: 'New@Example.com' });
  renderApp(page);
  expect(await screen.findByRole('button', { name: 'Accept' })).toBeInTheDocument();
});

it('shows members of an organization that they can belong to only one', async () => {
  backend.signIn();
  team.offer = anOffer({ email: backend.me.email });
  renderApp(page);
  expect(await screen.findByText(/Your account already belongs to an organization: Northwind Coffee/)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Go to your dashboard' })).toHaveAttribute('href', '/dashboard');
  expect(screen.queryByRole('button', { name: 'Accept' })).not.toBeInTheDocument();
});

it.each([
  ['invitation.not_found', 'Invitation not found or expired'],
  ['invitation.other_address', 'This invitation was sent to another email address'],
  ['organization.already_set_up', 'Your account already belongs to an organization'],
] as const)('stays and shows why accepting failed with %s', async (code, message) => {
  server.use(http.post(api('/invitations/:token/accept'), () => refuse(code)));
  const { person, address } = renderApp(page);
  await person.click(await screen.findByRole('button', { name: 'Accept' }));
  expect(await screen.findByText(`Failed to accept invitation. ${message}`)).toBeInTheDocument();
  expect(address()).toBe(page);
  expect(screen.getByRole('button', { name: 'Accept' })).toBeEnabled();
});
