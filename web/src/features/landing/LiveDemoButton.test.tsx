import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { aSession, aTicket, backend, organization } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';

const offered = () => server.use(http.get(api('/public/installation'), () => answer({ sign_up: 'open', has_live_demo: true })));
const startsDemo = () => {
  const session = aSession(backend.me);
  const demo = { ...session, organization: { ...organization, demo_ends_at: '2026-11-24T15:04:00.000Z' } };
  server.use(
    http.post(api('/auth/demo'), () => {
      backend.signIn(demo);
      backend.tickets = Array.from({ length: 12 }, (_, n) => aTicket({ id: `t${n}` }));
      return answer(demo);
    }),
  );
};

it('shows how the product works where the installation offers no live demo', async () => {
  renderApp('/');
  expect(await screen.findByRole('link', { name: 'How it works' })).toBeInTheDocument();
  await waitFor(() => expect(backend.calls).toContain('GET /public/installation'));
  expect(screen.queryByRole('button', { name: 'Try it now' })).not.toBeInTheDocument();
});

it('signs the visitor in to a demo and opens its tickets, under a banner that says when it ends', async () => {
  offered();
  startsDemo();
  const { person } = renderApp('/');
  await person.click(await screen.findByRole('button', { name: 'Try it now' }));
  expect(await screen.findByRole('heading', { name: 'Tickets' })).toBeInTheDocument();
  expect(await screen.findByRole('note')).toHaveTextContent(/^This demo is yours alone until \d\d?:\d\d.* It sends no emails/);
});

it('signs out of the demo before it opens the sign-up page', async () => {
  offered();
  startsDemo();
  const { person } = renderApp('/');
  await person.click(await screen.findByRole('button', { name: 'Try it now' }));
  await person.click(await screen.findByRole('button', { name: 'Start your own free trial' }));
  expect(await screen.findByRole('tab', { name: 'Sign Up', selected: true })).toBeInTheDocument();
  expect(backend.session).toBeUndefined();
});

it.each([
  ['demo.full', {}, 'All live demos are in use. Please try again in a few minutes.'],
  ['limit.exceeded', { detail: 'Rate limit exceeded. Please wait 120 seconds.' }, 'Rate limit exceeded. Please wait 120 seconds.'],
] as const)('shows why a demo cannot start (%s), and lets the visitor try again', async (code, more, message) => {
  offered();
  server.use(http.post(api('/auth/demo'), () => refuse(code, more)));
  const { person } = renderApp('/');
  await person.click(await screen.findByRole('button', { name: 'Try it now' }));
  expect(await screen.findByText(message)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Try it now' })).toBeEnabled();
});
