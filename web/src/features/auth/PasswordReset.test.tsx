import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';

const token = 't'.repeat(43);
let sent: unknown[];

beforeEach(() => {
  sent = [];
  const note = (result: () => ReturnType<typeof answer>) => {
    return async ({ request }: { request: Request }) => {
      sent.push(await request.json());
      return result();
    };
  };
  server.use(
    http.post(
      api('/auth/password/forgot'),
      note(() => answer({ message: 'ok' }, { status: 202 })),
    ),
    http.post(
      api('/auth/password/reset'),
      note(() => answer({ email: 'ada@northwind.example' })),
    ),
    http.post(
      api('/auth/confirm-email-change'),
      note(() => answer({ email: 'grace@northwind.example' })),
    ),
  );
});

describe('a forgotten password', () => {
  it('is reported with the entered address, and the back link keeps it and the redirect', async () => {
    const { person, address } = renderApp('/auth?redirect=%2Ftickets');
    await person.type(await screen.findByLabelText('Email'), 'ada@northwind.example');
    await person.click(screen.getByRole('link', { name: 'Forgot your password?' }));
    await waitFor(() => expect(address()).toBe('/auth/forgot-password?redirect=%2Ftickets'));
    expect(await screen.findByLabelText('Email')).toHaveValue('ada@northwind.example');
    await person.click(screen.getByRole('button', { name: 'Send the link' }));
    expect(await screen.findByText(/If that address has an account, a link to set a new password is on its way/)).toBeInTheDocument();
    expect(sent).toEqual([{ email: 'ada@northwind.example' }]);
    await person.click(screen.getByRole('link', { name: 'Back to sign in' }));
    await waitFor(() => expect(address()).toBe('/auth?email=ada%40northwind.example&redirect=%2Ftickets'));
  });

  it('requires an address', async () => {
    const { person } = renderApp('/auth/forgot-password');
    await person.click(await screen.findByRole('button', { name: 'Send the link' }));
    expect(await screen.findByText('Enter a valid email address')).toBeInTheDocument();
    expect(sent).toEqual([]);
  });

  it('shows how long to wait after too many requests', async () => {
    server.use(http.post(api('/auth/password/forgot'), () => refuse('limit.exceeded', {}, { 'retry-after': '7200' })));
    const { person } = renderApp('/auth/forgot-password?email=ada%40northwind.example');
    await person.click(await screen.findByRole('button', { name: 'Send the link' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Rate limit exceeded. Please wait 7200 seconds.');
  });
});

describe('a new password', () => {
  const set = async (password: string) => {
    const view = renderApp(`/auth/reset-password?token=${token}&redirect=%2Ftickets`);
    await view.person.type(await screen.findByLabelText('New password'), password);
    await view.person.click(screen.getByRole('button', { name: 'Set new password' }));
    return view;
  };

  it('is set with the emailed link and redirects to sign-in', async () => {
    await set('a longer password');
    expect(await screen.findByText(/signed out everywhere/)).toBeInTheDocument();
    expect(sent).toEqual([{ token, password: 'a longer password' }]);
    expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute(
      'href',
      '/auth?email=ada%40northwind.example&redirect=%2Ftickets',
    );
  });

  it('shows the rules up front and sends nothing that violates them', async () => {
    await set('short');
    expect(screen.getByLabelText('New password')).toHaveAccessibleDescription(
      expect.stringMatching(/must be at least 8 characters long.*At least 8 characters/),
    );
    expect(sent).toEqual([]);
  });

  it('shows the server’s error next to the field', async () => {
    server.use(
      http.post(api('/auth/password/reset'), () =>
        refuse('request.invalid', { errors: [{ path: 'password', code: 'common', message: 'This password is too common' }] }),
      ),
    );
    await set('password123');
    await waitFor(() =>
      expect(screen.getByLabelText('New password')).toHaveAccessibleDescription(expect.stringContaining('This password is too common')),
    );
  });

  it('requires a new link if the old one is no longer valid', async () => {
    server.use(http.post(api('/auth/password/reset'), () => refuse('reset.invalid')));
    const { person, address } = await set('a longer password');
    expect(await screen.findByRole('alert')).toHaveTextContent('This password link is no longer valid. Please request a new one.');
    await person.click(screen.getByRole('link', { name: 'Request a new link' }));
    await waitFor(() => expect(address()).toBe('/auth/forgot-password?redirect=%2Ftickets'));
  });

  it('cannot be set without a token', async () => {
    renderApp('/auth/reset-password');
    expect(await screen.findByRole('alert')).toHaveTextContent('This password link is no longer valid');
  });
});

describe('a new address', () => {
  it('is confirmed by the emailed link, once, and redirects to sign-in', async () => {
    renderApp(`/auth/confirm-email-change?token=${token}`);
    expect(await screen.findByText(/From now on, sign in as/)).toHaveTextContent('grace@northwind.example');
    expect(sent).toEqual([{ token }]);
    expect(screen.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/auth?email=grace%40northwind.example');
  });

  it('returns signed-in users to their account', async () => {
    backend.signIn();
    renderApp(`/auth/confirm-email-change?token=${token}`);
    expect(await screen.findByRole('link', { name: 'Go to your account' })).toHaveAttribute('href', '/account');
  });

  it('shows that a link is no longer valid', async () => {
    server.use(http.post(api('/auth/confirm-email-change'), () => refuse('confirmation.invalid')));
    renderApp(`/auth/confirm-email-change?token=${token}`);
    expect(await screen.findByRole('alert')).toHaveTextContent('This confirmation link is no longer valid');
  });

  it('can be retried after the server was unavailable', async () => {
    server.use(http.post(api('/auth/confirm-email-change'), () => refuse('service.unavailable'), { once: true }));
    const { person } = renderApp(`/auth/confirm-email-change?token=${token}`);
    await person.click(await screen.findByRole('button', { name: 'Try Again' }));
    expect(await screen.findByText(/From now on, sign in as/)).toBeInTheDocument();
  });
});

describe('single sign-on', () => {
  it('is linked with the redirect', async () => {
    renderApp('/auth?redirect=%2Ftickets');
    expect(await screen.findByRole('link', { name: 'Sign in with SSO' })).toHaveAttribute('href', '/auth/sso?redirect=%2Ftickets');
  });

  it('shows why it failed', async () => {
    renderApp('/auth?sso_error=oidc.not_a_member');
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'You are not a member of this organization. Ask an admin for an invitation.',
    );
  });
});
