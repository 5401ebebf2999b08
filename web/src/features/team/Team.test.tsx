import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { FakeEventSource } from '../../testing/event-source';
import { aMember, aSession, backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';
import { anInvitation, TeamServer } from './testing';

let team: TeamServer;
beforeEach(() => {
  backend.signIn();
  team = new TeamServer().start();
});

async function open() {
  const view = renderApp('/organization-settings');
  await screen.findByText('marek@northwind.example');
  const row = (text: string) => within(screen.getByText(text).closest('li') as HTMLElement);
  const choose = async (select: HTMLElement, option: string) => {
    await view.person.click(select);
    await view.person.click(await screen.findByRole('option', { name: option }));
  };
  return { ...view, row, choose, press: async (name: string) => view.person.click(await screen.findByRole('button', { name })) };
}
const marek = () => backend.members[1]!;

describe('members', () => {
  it('are listed with role, state, two-factor and the day they joined', async () => {
    marek().mfa_enabled = true;
    backend.members.push(aMember({ email: 'left@northwind.example', first_name: null, last_name: null, role: 'agent', is_active: false }));
    const { row } = await open();
    expect(row('ada@northwind.example').getByText('You')).toBeInTheDocument();
    const other = row('marek@northwind.example');
    expect(other.getByText('Two-factor')).toBeInTheDocument();
    expect(other.getByRole('combobox', { name: 'Role of Marek Lindqvist' })).toHaveTextContent('Manager');
    expect(other.getByRole('switch', { name: 'Marek Lindqvist is active' })).toBeChecked();
    expect(other.getByText(/^Joined/)).toHaveTextContent(/Joined Nov 20, 2026/);
    expect(screen.getByRole('switch', { name: 'left@northwind.example is active' })).not.toBeChecked();
    expect(screen.getByText('Inactive')).toBeInTheDocument();
  });

  it('get another role immediately', async () => {
    let goOn = () => undefined as void;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    server.use(
      http.patch(api('/team/members/:userId'), async ({ request }) => {
        await gate;
        return answer(Object.assign(marek(), await request.json()));
      }),
    );
    const { choose } = await open();
    const role = () => screen.getByRole('combobox', { name: 'Role of Marek Lindqvist' });
    await choose(role(), 'Administrator');
    expect(role()).toHaveTextContent('Administrator');
    expect(marek().role).toBe('manager');
    goOn();
    expect(await screen.findByText('Member updated')).toBeInTheDocument();
    expect(marek().role).toBe('admin');
  });

  it('are deactivated and activated', async () => {
    const { person } = await open();
    const isActive = () => screen.getByRole('switch', { name: 'Marek Lindqvist is active' });
    await person.click(isActive());
    await waitFor(() => expect(marek().is_active).toBe(false));
    await waitFor(() => expect(isActive()).not.toBeChecked());
    await person.click(isActive());
    await waitFor(() => expect(marek().is_active).toBe(true));
    expect(team.bodies).toEqual([{ is_active: false }, { is_active: true }]);
  });

  it('stay unchanged if the server rejects the change, with its error', async () => {
    server.use(http.patch(api('/team/members/:userId'), () => refuse('member.last_admin')));
    marek().role = 'admin';
    const { choose, person } = await open();
    await choose(screen.getByRole('combobox', { name: 'Role of Marek Lindqvist' }), 'Agent');
    expect(await screen.findByText(/You cannot demote or deactivate the last active admin/)).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Role of Marek Lindqvist' })).toHaveTextContent('Administrator'));
    await person.click(screen.getByRole('switch', { name: 'Marek Lindqvist is active' }));
    await waitFor(() => expect(screen.getByRole('switch', { name: 'Marek Lindqvist is active' })).toBeChecked());
  });

  it('have to confirm before they give up their own access', async () => {
    marek().role = 'admin';
    const { choose, person, address } = await open();
    const mine = screen.getByRole('combobox', { name: 'Role of Ada Okafor' });
    await choose(mine, 'Agent');
    const dialog = await screen.findByRole('dialog', { name: 'Give up your own access?' });
    await person.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(team.bodies).toEqual([]);
    await choose(screen.getByRole('combobox', { name: 'Role of Ada Okafor' }), 'Agent');
    server.use(
      http.patch(api('/team/members/:userId'), () => {
        backend.session = aSession({ ...backend.me, role: 'agent' });
        return answer({ ...backend.me, role: 'agent' });
      }),
    );
    await person.click(await screen.findByRole('button', { name: 'Give up access' }));
    // A user who is no longer an admin may not open this page.
    await waitFor(() => expect(address()).toBe('/dashboard'));
  });

  it('lose their two-factor sign-in only after a confirmation', async () => {
    marek().mfa_enabled = true;
    backend.me.mfa_enabled = true;
    const { person, press } = await open();
    expect(screen.queryByRole('button', { name: 'Actions for Ada Okafor' })).not.toBeInTheDocument();
    await press('Actions for Marek Lindqvist');
    await person.click(await screen.findByRole('menuitem', { name: 'Reset two-factor' }));
    const dialog = await screen.findByRole('dialog', { name: 'Reset two-factor sign-in for Marek Lindqvist?' });
    expect(marek().mfa_enabled).toBe(true);
    await person.click(within(dialog).getByRole('button', { name: 'Reset two-factor' }));
    expect(await screen.findByText('Two-factor sign-in reset')).toBeInTheDocument();
    expect(backend.calls).toContain(`DELETE /team/members/${marek().user_id}/mfa`);
    await waitFor(() => expect(screen.getAllByText('Two-factor')).toHaveLength(1));
  });

  it('keep their two-factor sign-in if the reset fails, with an error', async () => {
    marek().mfa_enabled = true;
    server.use(http.delete(api('/team/members/:userId/mfa'), () => refuse('user.not_found')));
    const { person, press } = await open();
    await press('Actions for Marek Lindqvist');
    await person.click(await screen.findByRole('menuitem', { name: 'Reset two-factor' }));
    await press('Reset two-factor');
    expect(await screen.findByText(/^Failed to reset two-factor sign-in/)).toBeInTheDocument();
  });

  it('appear without a reload when they join, and their invitation disappears', async () => {
    team.invitations = [anInvitation()];
    await open();
    expect(await screen.findByText('nina@northwind.example')).toBeInTheDocument();
    team.invitations = [];
    backend.members.push(aMember({ email: 'nina@northwind.example', first_name: 'Nina', last_name: 'Ray', role: 'agent' }));
    FakeEventSource.last.open();
    FakeEventSource.last.send({ type: 'member.joined', subject: 'n' });
    expect(await screen.findByRole('combobox', { name: 'Role of Nina Ray' })).toBeInTheDocument();
    expect(await screen.findByText('No pending invitations')).toBeInTheDocument();
  });

  it('see a change to their own role without a reload', async () => {
    const { address } = await open();
    backend.session = aSession({ ...backend.me, role: 'manager' });
    FakeEventSource.last.open();
    FakeEventSource.last.send({ type: 'member.updated', subject: backend.me.user_id });
    await waitFor(() => expect(address()).toBe('/dashboard'));
  });

  it.each(['/team/members', '/team/invitations'])('show an error with Try Again if %s cannot be loaded', async (path) => {
    server.use(http.get(api(path), () => refuse('permission.denied'), { once: true }));
    const { person } = renderApp('/organization-settings');
    const note = (await screen.findByText('Failed to load team data')).closest('[role=alert]') as HTMLElement;
    await person.click(within(note).getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByText('marek@northwind.example')).toBeInTheDocument();
  });
});

describe('inviting', () => {
  it('sends an invitation as agent unless another role is chosen', async () => {
    const { person, choose, press } = await open();
    const email = screen.getByLabelText('Email');
    await person.type(email, '  Nina@Northwind.example ');
    await press('Send invitation');
    expect(await screen.findByText('Invitation sent!')).toBeInTheDocument();
    expect(email).toHaveValue('');
    await person.type(email, 'omar@northwind.example');
    await choose(screen.getByLabelText('Role'), 'Manager');
    await press('Send invitation');
    await waitFor(() =>
      expect(team.bodies).toEqual([
        { email: 'Nina@Northwind.example', role: 'agent' },
        { email: 'omar@northwind.example', role: 'manager' },
      ]),
    );
    expect(await screen.findByText('omar@northwind.example')).toBeInTheDocument();
  });

  it('describes the roles as documented', async () => {
    await open();
    expect(screen.getByText(/Full access: organization settings, integrations, users and roles/)).toBeInTheDocument();
    expect(screen.getByText(/cannot change organization settings/)).toBeInTheDocument();
    expect(screen.getByText(/adds comments and internal notes, with limited analytics/)).toBeInTheDocument();
  });

  it.each([
    ['   ', 'Enter the email address of the person to invite'],
    ['nina', 'Enter a valid email address'],
    ['nina@', 'Enter a valid email address'],
  ])('requires an address instead of %j', async (text, message) => {
    const { person, press } = await open();
    await person.type(screen.getByLabelText('Email'), text);
    await press('Send invitation');
    expect(await screen.findByText(message)).toBeInTheDocument();
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription(message);
    expect(backend.calls).not.toContain('POST /team/invitations');
  });

  it.each([
    ['invitation.already_member', 'This person is already on your team'],
    ['invitation.pending', 'This person already has an invitation. Resend it instead.'],
  ] as const)('shows %s next to the address and keeps it', async (code, message) => {
    server.use(http.post(api('/team/invitations'), () => refuse(code)));
    const { person, press } = await open();
    const email = screen.getByLabelText('Email');
    await person.type(email, 'nina@northwind.example');
    await press('Send invitation');
    expect(await screen.findByText('Failed to send invitation')).toBeInTheDocument();
    expect(email).toHaveAccessibleDescription(message);
    expect(email).toHaveValue('nina@northwind.example');
  });

  it('shows any other error of the server', async () => {
    server.use(http.post(api('/team/invitations'), () => refuse('invitation.too_many')));
    const { person, press } = await open();
    await person.type(screen.getByLabelText('Email'), 'nina@northwind.example');
    await press('Send invitation');
    expect(
      await screen.findByText('Failed to send invitation. Too many invitations to this address. Please try again later.'),
    ).toBeInTheDocument();
  });

  it('reuses the key after a lost response, and a new key after a response', async () => {
    const keys: (string | null)[] = [];
    server.use(
      http.post(api('/team/invitations'), ({ request }) => {
        keys.push(request.headers.get('idempotency-key'));
        return keys.length === 1 ? refuse('service.unavailable') : answer(anInvitation(), { status: 201 });
      }),
    );
    const { person, press } = await open();
    const invite = async () => press('Send invitation');
    await person.type(screen.getByLabelText('Email'), 'nina@northwind.example');
    await invite();
    await screen.findByText(/^Failed to send invitation/);
    await invite();
    await waitFor(() => expect(screen.getByLabelText('Email')).toHaveValue(''));
    await person.type(screen.getByLabelText('Email'), 'nina@northwind.example');
    await invite();
    await waitFor(() => expect(keys).toHaveLength(3));
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });
});

describe('pending invitations', () => {
  it('are listed, with expired ones marked', async () => {
    team.invitations = [
      anInvitation(),
      anInvitation({ email: 'late@northwind.example', role: 'admin', expires_at: new Date(Date.now() - 1_000).toISOString() }),
    ];
    const { row } = await open();
    await screen.findByText('nina@northwind.example');
    expect(row('nina@northwind.example').queryByText('Expired')).not.toBeInTheDocument();
    expect(row('nina@northwind.example').getByText(/Expires/)).toHaveTextContent(/^Sent .* Expires /);
    expect(row('late@northwind.example').getByText('Expired')).toBeInTheDocument();
    expect(row('late@northwind.example').getByText('Administrator')).toBeInTheDocument();
  });

  it('are resent', async () => {
    team.invitations = [anInvitation()];
    const { press } = await open();
    await press('Resend the invitation to nina@northwind.example');
    expect(await screen.findByText('Invitation sent!')).toBeInTheDocument();
    expect(backend.calls).toContain(`POST /team/invitations/${team.invitations[0]!.id}/resend`);
  });

  it('show why they could not be resent', async () => {
    team.invitations = [anInvitation()];
    server.use(http.post(api('/team/invitations/:id/resend'), () => refuse('invitation.too_many')));
    const { press } = await open();
    await press('Resend the invitation to nina@northwind.example');
    expect(await screen.findByText(/^Failed to send invitation\. Too many invitations/)).toBeInTheDocument();
  });

  it('are cancelled after a confirmation', async () => {
    team.invitations = [anInvitation()];
    const { press } = await open();
    await press('Cancel the invitation to nina@northwind.example');
    await press('Keep invitation');
    expect(team.invitations).toHaveLength(1);
    await press('Cancel the invitation to nina@northwind.example');
    await press('Cancel invitation');
    expect(await screen.findByText('Invitation cancelled')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText('nina@northwind.example')).not.toBeInTheDocument());
  });

  it('reappear if cancelling fails', async () => {
    team.invitations = [anInvitation()];
    server.use(http.delete(api('/team/invitations/:id'), () => refuse('service.unavailable')));
    const { press } = await open();
    await press('Cancel the invitation to nina@northwind.example');
    await press('Cancel invitation');
    expect(await screen.findByText(/^Failed to cancel invitation/)).toBeInTheDocument();
    expect(await screen.findByText('nina@northwind.example')).toBeInTheDocument();
  });
});
