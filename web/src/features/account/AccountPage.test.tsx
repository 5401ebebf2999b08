import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { aSession, backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';
import { account, aDevice, startAccount } from './testing';

const section = (name: string) => screen.findByRole('region', { name });
async function open(path = '/account') {
  const view = renderApp(path);
  await section('Name');
  return view;
}

beforeEach(() => startAccount());

it('opens from the profile menu', async () => {
  const { person, address } = renderApp('/dashboard');
  await person.click(await screen.findByRole('button', { name: 'Your profile' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Your account' }));
  await waitFor(() => expect(address()).toBe('/account'));
  expect(await screen.findByRole('heading', { name: 'Your account', level: 1 })).toBeInTheDocument();
});

it('opens for a user without an organization and links to creating one', async () => {
  startAccount(aSession(null));
  const { address } = await open();
  expect(address()).toBe('/account');
  expect(screen.getByRole('link', { name: 'Set up your organization' })).toHaveAttribute('href', '/onboarding');
  expect(screen.queryByRole('navigation', { name: 'Main' })).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Sign Out' })).toBeInTheDocument();
});

it('saves the signature, with a preview of its formatting', async () => {
  const { person } = await open();
  await person.type(await screen.findByRole('textbox', { name: /Signature/ }), 'Regards, **Ada**');
  expect(screen.getByText('Ada', { selector: 'strong' })).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Save signature' }));
  expect(await screen.findByText('Signature saved')).toBeInTheDocument();
  expect(backend.session?.profile.signature).toBe('Regards, **Ada**');
});

describe('the name', () => {
  it('is saved, and shown everywhere', async () => {
    const { person } = await open();
    const first = screen.getByLabelText(/First name/);
    await person.clear(first);
    await person.type(first, ' Grace ');
    await person.click(screen.getByRole('button', { name: 'Save name' }));
    expect(await screen.findByText('Name saved')).toBeInTheDocument();
    expect(account.sent).toEqual([{ call: 'name', body: { first_name: 'Grace', last_name: 'Okafor' } }]);
    await person.click(screen.getByRole('button', { name: 'Your profile' }));
    expect(await screen.findByText('Grace Okafor')).toBeInTheDocument();
  });

  it('shows the server’s error next to the field', async () => {
    server.use(
      http.patch(api('/me'), () =>
        refuse('request.invalid', { errors: [{ path: 'last_name', code: 'x', message: 'Contains a line break' }] }),
      ),
    );
    const { person } = await open();
    await person.type(screen.getByLabelText(/Last name/), 'x');
    await person.click(screen.getByRole('button', { name: 'Save name' }));
    await waitFor(() => expect(screen.getByLabelText(/Last name/)).toHaveAccessibleDescription('Contains a line break'));
  });

  it('is not saved if the session has ended, with an error', async () => {
    server.use(http.patch(api('/me'), () => refuse('session.required')));
    const { person } = await open();
    await person.type(screen.getByLabelText(/Last name/), 'x');
    await person.click(screen.getByRole('button', { name: 'Save name' }));
    expect(await screen.findByText('No user logged in')).toBeInTheDocument();
    expect(screen.queryByText('Name saved')).not.toBeInTheDocument();
  });
});

describe('the address', () => {
  const change = async (password: string) => {
    const view = await open();
    const form = within(await section('Email'));
    await view.person.type(form.getByLabelText('New email'), 'grace@northwind.example');
    await view.person.type(form.getByLabelText('Current password'), password);
    await view.person.click(form.getByRole('button', { name: 'Change email' }));
    return { ...view, form };
  };

  it('changes only through the link emailed to the new address', async () => {
    const { form } = await change('password1');
    expect(await form.findByText(/We’ve sent a link to grace@northwind.example/)).toBeInTheDocument();
    expect(form.getByText('ada@northwind.example')).toBeInTheDocument();
    expect(form.getByLabelText('Current password')).toHaveValue('');
  });

  it('stays the same if the password is wrong, and keeps the input', async () => {
    const { form } = await change('wrong');
    await waitFor(() => expect(form.getByLabelText('Current password')).toHaveAccessibleDescription('The current password is incorrect'));
    expect(form.getByLabelText('New email')).toHaveValue('grace@northwind.example');
  });
});

describe('the password', () => {
  const change = async (current: string, next: string) => {
    const view = await open();
    const form = within(await section('Password'));
    await view.person.type(form.getByLabelText('Current password'), current);
    await view.person.type(form.getByLabelText('New password'), next);
    await view.person.click(form.getByRole('button', { name: 'Change password' }));
    return form;
  };

  it('is changed, and the other devices are removed', async () => {
    const form = await change('password1', 'a longer password');
    expect(await form.findByText(/Your password has been changed/)).toBeInTheDocument();
    const devices = within(await section('Devices'));
    await waitFor(() => expect(devices.getAllByRole('listitem')).toHaveLength(1));
  });

  it('shows whether the current or the new one is wrong', async () => {
    const form = await change('wrong', 'a longer password');
    await waitFor(() => expect(form.getByLabelText('Current password')).toHaveAccessibleDescription('The current password is incorrect'));
  });

  it('is not sent if it is too short', async () => {
    const form = await change('password1', 'short');
    expect(await form.findByText('Password must be at least 8 characters long')).toBeInTheDocument();
    expect(account.sent).toEqual([]);
  });
});

describe('devices', () => {
  it('shows browser, system, address and times, and marks this device', async () => {
    await open();
    const [here, phone] = await within(await section('Devices')).findAllByRole('listitem');
    expect(here).toHaveTextContent(/Chrome on Windows.*This device.*198\.51\.100\.4 · Signed in 2h ago · Last active 5m ago/);
    expect(within(here!).queryByRole('button')).not.toBeInTheDocument();
    expect(phone).toHaveTextContent('Safari on iOS');
    expect(within(phone!).getByText('2h ago')).toHaveAttribute('title', expect.stringMatching(/\d{4}/));
  });

  it('signs out a device optimistically and restores it with an error if that fails', async () => {
    const { person } = await open();
    server.use(http.delete(api('/auth/sessions/:id'), () => refuse('service.unavailable'), { once: true }));
    await person.click(await screen.findByRole('button', { name: 'Sign out Safari on iOS' }));
    expect(await screen.findByText(/Couldn’t sign out Safari on iOS/)).toBeInTheDocument();
    await person.click(await screen.findByRole('button', { name: 'Sign out Safari on iOS' }));
    expect(await screen.findByText('Safari on iOS is signed out')).toBeInTheDocument();
    // The refetch after the refusal may arrive late and briefly restore the row.
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Sign out Safari on iOS' })).not.toBeInTheDocument());
  });

  it('signs out everywhere else after a confirmation', async () => {
    account.devices.push(aDevice({ user_agent: null, ip: null }));
    const { person } = await open();
    await person.click(await screen.findByRole('button', { name: 'Sign out everywhere else' }));
    const dialog = within(await screen.findByRole('dialog'));
    await person.click(dialog.getByRole('button', { name: 'Sign out everywhere else' }));
    expect(await screen.findByText('2 other devices have been signed out')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Sign out everywhere else' })).not.toBeInTheDocument();
  });

  it('offers Try Again if the list cannot be loaded', async () => {
    server.use(http.get(api('/auth/sessions'), () => answer(null, { status: 418 }), { once: true }));
    const { person } = await open();
    const devices = within(await section('Devices'));
    await person.click(await devices.findByRole('button', { name: 'Try Again' }));
    expect(await devices.findByText('Chrome on Windows')).toBeInTheDocument();
  });
});
