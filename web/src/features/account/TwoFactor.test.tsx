import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { aSession, backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { api, refuse, server } from '../../testing/server';
import { account, startAccount } from './testing';

const section = async () => within(await screen.findByRole('region', { name: 'Two-factor sign-in' }));
type Person = ReturnType<typeof renderApp>['person'];

async function confirmPassword(person: Person, action: string, password = 'password1') {
  const form = await section();
  await person.type(await form.findByLabelText('Current password'), password);
  await person.click(form.getByRole('button', { name: action }));
}
async function scan(path = '/account') {
  const view = renderApp(path);
  if (path === '/account') await view.person.click(await screen.findByRole('button', { name: 'Set up two-factor sign-in' }));
  else await screen.findByText(/You need an authenticator app/);
  await confirmPassword(view.person, 'Continue');
  await screen.findByLabelText('Authentication code');
  return view;
}
async function enter(person: Person, code: string) {
  await person.type(screen.getByLabelText('Authentication code'), code);
  await person.click(screen.getByRole('button', { name: 'Turn on' }));
}

beforeEach(() => startAccount());

it('is set up with the password, the QR code or its key, and a first code', async () => {
  const { person } = await scan();
  expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeInTheDocument();
  expect(screen.getByTestId('secret')).toHaveTextContent('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP');
  await enter(person, '123 456');
  const codes = await screen.findByRole('list', { name: 'Recovery codes' });
  expect(
    within(codes)
      .getAllByRole('listitem')
      .map((each) => each.textContent),
  ).toEqual(account.codes);
  expect((await section()).getByText('On')).toBeInTheDocument();
});

it('shows the recovery codes once, to copy and to download', async () => {
  const { person } = await scan();
  await enter(person, '123456');
  await person.click(await screen.findByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(account.codes.join('\n'));
  const link = screen.getByRole('link', { name: 'Download' });
  expect(link).toHaveAttribute('download', 'tandem-recovery-codes.txt');
  expect(decodeURIComponent(link.getAttribute('href')!)).toContain(account.codes[1]);
  await person.click(screen.getByRole('button', { name: 'Done' }));
  expect(screen.queryByText(account.codes[0]!)).not.toBeInTheDocument();
  expect((await section()).getByText(/2 recovery codes are left/)).toBeInTheDocument();
});

it('shows that a password is wrong and asks again', async () => {
  const { person } = renderApp('/account');
  await person.click(await screen.findByRole('button', { name: 'Set up two-factor sign-in' }));
  await confirmPassword(person, 'Continue', 'wrong');
  const form = await section();
  await waitFor(() => expect(form.getByLabelText('Current password')).toHaveAccessibleDescription('The current password is incorrect'));
  await person.click(form.getByRole('button', { name: 'Cancel' }));
  expect(form.getByRole('button', { name: 'Set up two-factor sign-in' })).toBeInTheDocument();
});

it('rejects a wrong code without ending the session or sending the code twice', async () => {
  const { person, address } = await scan();
  await enter(person, '000000');
  await waitFor(() => expect(screen.getByLabelText('Authentication code')).toHaveAccessibleDescription(/Incorrect code/));
  await waitFor(() => expect(screen.getByLabelText('Authentication code')).toHaveValue(''));
  expect(backend.calls.filter((call) => call === 'POST /me/mfa/confirm')).toHaveLength(1);
  expect(backend.calls).not.toContain('POST /auth/refresh');
  expect(address()).toBe('/account');
});

it('does not send malformed codes', async () => {
  const { person } = await scan();
  await enter(person, '12');
  expect(await screen.findByText('Enter the 6-digit code from your authenticator app')).toBeInTheDocument();
  expect(backend.calls).not.toContain('POST /me/mfa/confirm');
});

describe('once it is on', () => {
  beforeEach(() => {
    account.mfa = { enabled: true, enabled_at: '2026-11-20T10:05:00.000Z', recovery_codes_left: 1, required: false };
  });

  it('warns when few recovery codes are left, and generates new ones', async () => {
    const { person } = renderApp('/account');
    expect(await screen.findByText(/1 recovery code is left\. Generate new ones/)).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'New recovery codes' }));
    await confirmPassword(person, 'Generate new codes');
    expect(await screen.findByRole('list', { name: 'Recovery codes' })).toHaveTextContent(account.codes[0]!);
  });

  it('is turned off with the password', async () => {
    const { person } = renderApp('/account');
    await person.click(await screen.findByRole('button', { name: 'Turn off' }));
    await confirmPassword(person, 'Turn off');
    expect(await screen.findByText('Two-factor sign-in is off')).toBeInTheDocument();
    expect(await screen.findByRole('button', { name: 'Set up two-factor sign-in' })).toBeInTheDocument();
  });

  it('cannot be turned off if the organization requires it', async () => {
    account.mfa.required = true;
    renderApp('/account');
    expect(await screen.findByText(/so you can’t turn it off/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Turn off' })).not.toBeInTheDocument();
  });

  it('shows why turning it off was rejected', async () => {
    server.use(http.delete(api('/me/mfa'), () => refuse('mfa.required')));
    const { person } = renderApp('/account');
    await person.click(await screen.findByRole('button', { name: 'Turn off' }));
    await confirmPassword(person, 'Turn off');
    expect(await (await section()).findByRole('alert')).toHaveTextContent('Your organization requires two-factor sign-in');
  });
});

describe('if the organization requires it', () => {
  beforeEach(() => {
    startAccount({ ...aSession(backend.me), mfa_enrolment_required: true });
    account.mfa.required = true;
  });

  it('redirects every page to the setup with the reason, and then to the requested page', async () => {
    const view = renderApp('/tickets?status=open');
    await waitFor(() => expect(view.address()).toBe('/account?setup=two-factor'));
    expect(await screen.findByText(/Northwind Coffee requires two-factor sign-in/)).toBeInTheDocument();
    expect(screen.queryByRole('navigation', { name: 'Main' })).not.toBeInTheDocument();
    await screen.findByText(/You need an authenticator app/);
    await confirmPassword(view.person, 'Continue');
    await screen.findByLabelText('Authentication code');
    await enter(view.person, '123456');
    // The session is read again and no longer requires the setup; the codes stay until the user has saved them.
    await waitFor(() => expect(screen.queryByText(/Northwind Coffee requires two-factor sign-in/)).not.toBeInTheDocument());
    expect(screen.getByRole('list', { name: 'Recovery codes' })).toBeInTheDocument();
    await view.person.click(screen.getByRole('button', { name: 'Continue' }));
    await waitFor(() => expect(view.address()).toBe('/tickets?status=open'));
    expect((await screen.findAllByRole('navigation', { name: 'Main' }))[0]).toBeInTheDocument();
  });
});
