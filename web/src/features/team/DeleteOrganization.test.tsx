import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { aMember, aSession, backend, organization } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';
import { TeamServer } from './testing';

const deletionAt = new Date(Date.now() + 14 * 86_400_000).toISOString();
let team: TeamServer;
let sent: unknown[];

/** Changes the organization on the server, and in the session that pages read again. */
function setDeletion(deletion_at: string | null) {
  team.organization = { ...team.organization, deletion_at };
  const session = aSession(backend.me);
  session.organization!.deletion_at = deletion_at;
  backend.signIn(session);
  return answer(team.organization);
}

beforeEach(() => {
  backend.signIn();
  team = new TeamServer().start();
  sent = [];
  server.use(
    http.post(api('/organizations/:id/deletion'), async ({ request }) => {
      const body = (await request.json()) as { current_password: string };
      sent.push(body);
      return body.current_password === 'right' ? setDeletion(deletionAt) : refuse('password.wrong');
    }),
    http.delete(api('/organizations/:id/deletion'), () => setDeletion(null)),
  );
});

const banner = () => screen.findByText(/^Northwind Coffee will be deleted on /);

it('asks for the exact name and the password, and shows the date on every page until an admin cancels', async () => {
  const { person } = renderApp('/organization-settings');
  await person.click(await screen.findByRole('button', { name: 'Delete organization' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Northwind Coffee?' }));
  const [name, password] = [dialog.getByLabelText(/^Organization name/), dialog.getByLabelText(/^Current password/)];
  await waitFor(() => expect(name).toHaveFocus());
  await person.keyboard('northwind coffee{Enter}');
  expect(await dialog.findByText('Type the name exactly: Northwind Coffee')).toBeInTheDocument();
  expect(dialog.getByText('Enter your current password')).toBeInTheDocument();
  expect(sent).toEqual([]);
  await person.clear(name);
  await person.type(name, ' Northwind Coffee ');
  await person.type(password, 'wrong{Enter}');
  await waitFor(() => expect(dialog.getByText('The current password is incorrect')).toBeInTheDocument());
  await waitFor(() => expect(password).toHaveFocus());
  await person.clear(password);
  await person.type(password, 'right');
  await person.click(dialog.getByRole('button', { name: 'Delete in 14 days' }));
  expect(await banner()).toBeInTheDocument();
  expect(sent.at(-1)).toEqual({ name: ' Northwind Coffee ', current_password: 'right' });
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(
    await screen.findByText(/^Your organization will be deleted on .*\.$/, { selector: '#delete-organization p' }),
  ).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Delete organization' })).not.toBeInTheDocument();

  const note = screen.getByRole('region', { name: 'Scheduled deletion' });
  await person.click(within(note).getByRole('button', { name: 'Cancel deletion' }));
  expect(await screen.findByText('Deletion cancelled. Nothing was deleted.')).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Scheduled deletion' })).not.toBeInTheDocument());
  expect(await screen.findByRole('button', { name: 'Delete organization' })).toBeInTheDocument();
});

it('forgets the password when the dialog is closed, and leads users of single sign-on to one', async () => {
  const { person } = renderApp('/organization-settings');
  const open = () => person.click(screen.getByRole('button', { name: 'Delete organization' }));
  await screen.findByRole('button', { name: 'Delete organization' });
  await open();
  await person.type(await screen.findByLabelText(/^Current password/), 'secret');
  expect(screen.getByRole('link', { name: 'Set one by email' })).toHaveAttribute('href', '/auth/forgot-password');
  await person.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await open();
  expect(await screen.findByLabelText(/^Current password/)).toHaveValue('');
});

it('shows what prevents the request, such as another admin who was first', async () => {
  server.use(http.post(api('/organizations/:id/deletion'), () => refuse('organization.deletion_requested')));
  const { person } = renderApp('/organization-settings');
  await person.click(await screen.findByRole('button', { name: 'Delete organization' }));
  await person.type(await screen.findByLabelText(/^Organization name/, { selector: '[role=dialog] input' }), 'Northwind Coffee');
  await person.type(screen.getByLabelText(/^Current password/), 'right{Enter}');
  expect(await screen.findByText('The deletion of your organization is already requested')).toBeInTheDocument();
});

it.each([
  ['an agent', aMember({ role: 'agent' }), deletionAt],
  ['an admin without a request', aMember(), null],
  ['an admin while an older server answers', aMember(), undefined],
])('shows %s no banner', async (_who, member, deletion_at) => {
  const session = aSession(member);
  session.organization = { ...organization, deletion_at: deletion_at as string | null };
  backend.signIn(session);
  renderApp('/dashboard');
  await screen.findAllByRole('navigation', { name: 'Main' });
  expect(screen.queryByRole('region', { name: 'Scheduled deletion' })).not.toBeInTheDocument();
});
