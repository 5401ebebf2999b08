import { screen, waitFor } from '@testing-library/react';
import { delay, http } from 'msw';
import { aSession, backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';

async function fillSignUp(password = 'a long password') {
  const view = renderApp('/auth');
  await view.person.click(await screen.findByRole('tab', { name: 'Sign Up' }));
  await view.person.type(await screen.findByLabelText(/First name/), 'Ada');
  await view.person.type(screen.getByLabelText('Email'), 'ada@northwind.example');
  if (password) await view.person.type(screen.getByLabelText('Password'), password);
  await view.person.click(screen.getByRole('button', { name: 'Sign Up' }));
  return view;
}
async function signIn(path = '/auth') {
  const view = renderApp(path);
  await view.person.type(await screen.findByLabelText('Email'), 'ada@northwind.example');
  await view.person.type(screen.getByLabelText('Password'), 'password1{Enter}');
  return view;
}

it('links to the home page and redirects signed-in users to the dashboard', async () => {
  const { unmount } = renderApp('/auth');
  expect(await screen.findByRole('link', { name: 'Back to home' })).toHaveAttribute('href', '/');
  unmount();
  backend.signIn();
  const { address } = renderApp('/auth');
  await waitFor(() => expect(address()).toBe('/dashboard'));
});

it.each(['Sign In', 'Sign Up'])('requires email and password in %s without calling the server', async (tab) => {
  const { person } = renderApp('/auth');
  await person.click(await screen.findByRole('tab', { name: tab }));
  await person.click(await screen.findByRole('button', { name: tab }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Email and password are required');
  expect(backend.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
});

it('rejects a password under 8 characters', async () => {
  await fillSignUp('short');
  expect(await screen.findByText('Password must be at least 8 characters long')).toBeInTheDocument();
});

it('asks a new user to check their email, and resends it', async () => {
  const { person } = await fillSignUp();
  expect(await screen.findByText('Please check your email to confirm your account.')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Resend confirmation email' }));
  expect(await screen.findByText(/a new email is on its way/)).toBeInTheDocument();
});

it('shows the server’s error for a field next to it', async () => {
  server.use(
    http.post(api('/auth/sign-up'), () =>
      refuse('request.invalid', { errors: [{ path: 'password', code: 'common', message: 'This password is too common' }] }),
    ),
  );
  await fillSignUp();
  await waitFor(() =>
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(expect.stringContaining('This password is too common')),
  );
});

it.each([
  ['invite', 'You need an invitation to sign up. Use the address it was sent to.', true],
  ['closed', 'New accounts can’t be created here. Ask your administrator for access.', false],
])('shows before the visitor types that sign-up is %s', async (sign_up, text, hasForm) => {
  server.use(http.get(api('/public/installation'), () => answer({ sign_up, has_live_demo: false })));
  renderApp('/auth?tab=sign-up');
  expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.queryAllByLabelText(/Password/)).toHaveLength(hasForm ? 1 : 0);
});

it('shows that sign-up needs an invitation', async () => {
  server.use(http.post(api('/auth/sign-up'), () => refuse('sign_up.invitation_required')));
  await fillSignUp();
  expect(await screen.findByRole('alert')).toHaveTextContent('You need an invitation to sign up. Use the address it was sent to.');
});

it('shows why signing in was rejected', async () => {
  server.use(http.post(api('/auth/sign-in'), () => refuse('credentials.invalid')));
  await signIn();
  expect(await screen.findByRole('alert')).toHaveTextContent('Invalid login credentials');
  expect(backend.calls).not.toContain('POST /auth/refresh');
});

it('keeps the focus on the pressed button and does not send twice', async () => {
  server.use(
    http.post(api('/auth/sign-in'), async () => {
      await delay(200);
      return refuse('credentials.invalid');
    }),
  );
  const { person } = renderApp('/auth');
  await person.type(await screen.findByLabelText('Email'), 'ada@northwind.example');
  await person.type(screen.getByLabelText('Password'), 'password1');
  await person.tab();
  await person.tab();
  const button = screen.getByRole('button', { name: 'Sign In' });
  expect(button).toHaveFocus();
  await person.keyboard('{Enter}{Enter}');
  expect(button).toHaveAttribute('aria-disabled', 'true');
  expect(await screen.findByRole('alert')).toHaveTextContent('Invalid login credentials');
  expect(button).toHaveFocus();
  expect(button).not.toHaveAttribute('aria-disabled');
  expect(backend.calls.filter((call) => call === 'POST /auth/sign-in')).toHaveLength(1);
});

it('shows how long sign-in is blocked', async () => {
  server.use(http.post(api('/auth/sign-in'), () => refuse('login.blocked', {}, { 'retry-after': '1741' })));
  await signIn();
  expect(await screen.findByRole('alert')).toHaveTextContent('Too many failed login attempts. Please try again in 30 minutes.');
});

it('offers a new email to a user who has not confirmed the address', async () => {
  server.use(http.post(api('/auth/sign-in'), () => refuse('email.not_confirmed')));
  await signIn();
  expect(await screen.findByRole('alert')).toHaveTextContent('Email not confirmed');
  expect(screen.getByRole('button', { name: 'Resend confirmation email' })).toBeInTheDocument();
});

it.each([
  ['/tickets?status=open', '/tickets?status=open'],
  ['//evil.example/tickets', '/dashboard'],
])('follows ?redirect=%s to %s', async (target, expected) => {
  const { address } = await signIn(`/auth?redirect=${encodeURIComponent(target)}`);
  await waitFor(() => expect(address()).toBe(expected));
});

it('confirms the address of the emailed link automatically, once', async () => {
  renderApp('/auth/confirm?token=abc');
  expect(await screen.findByText('Your email is confirmed. You can sign in now.')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/auth?email=ada%40northwind.example');
  expect(backend.calls.filter((call) => call === 'POST /auth/confirm-email')).toHaveLength(1);
});

it('signs in and opens the dashboard if the link is opened in the browser that signed up', async () => {
  server.use(
    http.post(api('/auth/confirm-email'), () => {
      const session = (backend.session = aSession(backend.me));
      return answer({ email: session.profile.email, session });
    }),
  );
  const { address } = renderApp('/auth/confirm?token=abc');
  await waitFor(() => expect(address()).toBe('/dashboard'));
});

describe('an invited user without an account', () => {
  const invitation = '/accept-invitation?token=abc';
  const signUpFor = async (redirect: string) => {
    const { person, unmount } = renderApp(`/auth?tab=sign-up&redirect=${encodeURIComponent(redirect)}`);
    await person.type(await screen.findByLabelText('Email'), 'Ada@northwind.example');
    await person.type(screen.getByLabelText('Password'), 'a long password');
    await person.click(screen.getByRole('button', { name: 'Sign Up' }));
    await screen.findByText('Please check your email to confirm your account.');
    unmount();
  };
  const confirmed = async () => {
    const { unmount } = renderApp('/auth/confirm?token=abc');
    const href = (await screen.findByRole('link', { name: 'Sign In' })).getAttribute('href') ?? '';
    unmount();
    return new URLSearchParams(href.split('?')[1]).get('redirect');
  };

  it('sees why the sign-in page is shown', async () => {
    renderApp(`/auth?redirect=${encodeURIComponent(invitation)}`);
    expect(await screen.findByText(/^You’re invited\. Sign in, or sign up/)).toBeInTheDocument();
  });

  it('is redirected to the invitation after the confirmation, once', async () => {
    await signUpFor(invitation);
    expect(await confirmed()).toBe(invitation);
    expect(await confirmed()).toBeNull();
  });

  it('is not redirected to the destination of another address', async () => {
    await signUpFor(invitation);
    server.use(http.post(api('/auth/confirm-email'), () => answer({ email: 'marek@northwind.example', session: null }), { once: true }));
    expect(await confirmed()).toBeNull();
    expect(await confirmed()).toBe(invitation);
  });

  it.each(['https://evil.example/', '//evil.example/'])('is never redirected to a stored destination %s', async (redirect) => {
    localStorage.setItem('after-confirmation', JSON.stringify({ email: 'ada@northwind.example', redirect, until: Date.now() + 60_000 }));
    expect(await confirmed()).toBeNull();
  });

  it.each(['{', '[]', '{"email":1}'])('confirms the address if the browser’s storage contains %s', async (text) => {
    localStorage.setItem('after-confirmation', text);
    expect(await confirmed()).toBeNull();
  });

  it('removes the destination if the invitation is no longer pending', async () => {
    const kept = { email: 'ada@northwind.example', redirect: invitation, until: Date.now() - 1 };
    localStorage.setItem('after-confirmation', JSON.stringify(kept));
    expect(await confirmed()).toBeNull();
    expect(localStorage.getItem('after-confirmation')).toBeNull();
  });
});

it('offers a new email if the link is no longer valid', async () => {
  server.use(http.post(api('/auth/confirm-email'), () => refuse('confirmation.invalid')));
  const { person } = renderApp('/auth/confirm?token=old');
  expect(await screen.findByRole('alert')).toHaveTextContent('This confirmation link is no longer valid');
  await person.type(screen.getByLabelText('Email'), 'ada@northwind.example');
  await person.click(screen.getByRole('button', { name: 'Resend confirmation email' }));
  expect(await screen.findByText(/a new email is on its way/)).toBeInTheDocument();
});

it('keeps the form input if the server is unreachable', async () => {
  server.use(http.post(api('/auth/sign-in'), () => answer(undefined, { status: 503 })));
  await signIn();
  expect(await screen.findByRole('alert')).toHaveTextContent('Tandem isn’t available right now. Please try again.');
  expect(screen.getByLabelText('Email')).toHaveValue('ada@northwind.example');
});
