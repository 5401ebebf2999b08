import { screen, waitFor } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';

const token = 'a'.repeat(43);
let sent: unknown[];

beforeEach(() => {
  sent = [];
  server.use(
    http.post(api('/auth/sign-in'), () =>
      answer({ mfa_required: true, mfa_token: token, expires_at: new Date(Date.now() + 300_000).toISOString() }),
    ),
    http.post(api('/auth/mfa'), async ({ request }) => {
      const body = (await request.json()) as { code: string };
      sent.push(body);
      if (body.code !== '123456' && body.code !== 'abcdefgh234567ab') return refuse('mfa.code_invalid');
      backend.signIn();
      return answer(backend.session);
    }),
  );
});

async function toCode(path = '/auth') {
  const view = renderApp(path);
  await view.person.type(await screen.findByLabelText('Email'), 'ada@northwind.example');
  await view.person.type(screen.getByLabelText('Password'), 'password1{Enter}');
  await screen.findByRole('heading', { name: 'Two-factor sign-in' });
  return view;
}

it('asks for the authenticator code after the password, with autofill', async () => {
  const { address } = await toCode();
  const input = screen.getByLabelText('Authentication code');
  expect(input).toHaveFocus();
  expect(input).toHaveAttribute('autocomplete', 'one-time-code');
  expect(input).toHaveAttribute('inputmode', 'numeric');
  expect(address()).toBe('/auth');
  const { violations } = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false }, region: { enabled: false } } });
  expect(violations.map(({ id }) => id)).toEqual([]);
});

it('signs in with the code and opens the requested page', async () => {
  const { person, address } = await toCode('/auth?redirect=%2Ftickets%3Fstatus%3Dopen');
  await person.type(screen.getByLabelText('Authentication code'), '123 456{Enter}');
  await waitFor(() => expect(address()).toBe('/tickets?status=open'));
  expect(sent).toEqual([{ mfa_token: token, code: '123456' }]);
});

it('signs in with a recovery code', async () => {
  const { person, address } = await toCode();
  await person.click(screen.getByRole('button', { name: 'Use a recovery code instead' }));
  await person.type(screen.getByLabelText('Recovery code'), 'ABCD-EFGH-2345-67AB');
  await person.click(screen.getByRole('button', { name: 'Verify' }));
  await waitFor(() => expect(address()).toBe('/dashboard'));
  expect(sent).toEqual([{ mfa_token: token, code: 'abcdefgh234567ab' }]);
});

it('shows that a code is wrong and asks for the next one', async () => {
  const { person } = await toCode();
  await person.type(screen.getByLabelText('Authentication code'), '000000{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('Incorrect code. Check the time on your phone and try the next code.');
  expect(screen.getByLabelText('Authentication code')).toHaveValue('');
  expect(screen.getByLabelText('Authentication code')).toHaveFocus();
});

it('does not send malformed codes', async () => {
  const { person } = await toCode();
  await person.type(screen.getByLabelText('Authentication code'), '12{Enter}');
  expect(await screen.findByText('Enter the 6-digit code from your authenticator app')).toBeInTheDocument();
  expect(sent).toEqual([]);
});

it('shows how long codes are blocked', async () => {
  server.use(http.post(api('/auth/mfa'), () => refuse('login.blocked', {}, { 'retry-after': '1741' })));
  const { person } = await toCode();
  await person.type(screen.getByLabelText('Authentication code'), '000000{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('Too many failed login attempts. Please try again in 30 minutes.');
});

it('restarts with the reason if the step took too long', async () => {
  server.use(http.post(api('/auth/mfa'), () => refuse('mfa.challenge_expired')));
  const { person } = await toCode();
  await person.type(screen.getByLabelText('Authentication code'), '123456{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent('This took too long. Please sign in again.');
  expect(screen.getByLabelText('Email')).toHaveValue('ada@northwind.example');
  expect(screen.getByLabelText('Password')).toHaveValue('');
});

it('returns to the password without an error', async () => {
  const { person } = await toCode();
  await person.click(screen.getByRole('button', { name: 'Back' }));
  expect(await screen.findByLabelText('Email')).toHaveValue('ada@northwind.example');
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});
