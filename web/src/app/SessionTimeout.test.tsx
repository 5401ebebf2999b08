import { act, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { lastActivityAt } from '../lib/activity';
import { listLocalSecurityEvents } from '../lib/monitoring';
import { FakeEventSource } from '../testing/event-source';
import { aMember, aSession, backend } from '../testing/backend';
import { renderApp } from '../testing/render';
import { answer, api, refuse, server } from '../testing/server';
import type { SessionMessage } from './session-channel';
import { clearSessionEnd } from './session-end';

const minute = 60_000;
/** Another tab of the same browser: it shares cookies, storage and channel with this one. */
let otherTab: BroadcastChannel;
let received: SessionMessage[];
const postFromOtherTab = (message: SessionMessage) => otherTab.postMessage(message);

// Fake only the page's clock and timers: responses and channel messages need the real queues.
beforeEach(() => {
  jest.useFakeTimers({ advanceTimers: true, doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'performance'] });
  clearSessionEnd();
  otherTab = new BroadcastChannel('tandem-session');
  received = [];
  otherTab.onmessage = ({ data }: MessageEvent<SessionMessage>) => void received.push(data);
  backend.signIn();
  server.use(
    http.get(api('/auth/sessions'), () => answer([])),
    http.post(api('/auth/session/extend'), () => {
      backend.session = { ...backend.session!, idle_expires_at: new Date(Date.now() + 30 * minute).toISOString() };
      return answer(backend.session);
    }),
    http.post(api('/auth/sign-out'), () => {
      backend.session = undefined;
      document.cookie = 'tandem_csrf=; max-age=0';
      return answer({});
    }),
  );
});
afterEach(() => {
  otherTab.close();
  jest.useRealTimers();
});

const pass = (ms: number) => act(async () => void (await jest.advanceTimersByTimeAsync(ms)));
async function open(path = '/dashboard') {
  const view = renderApp(path);
  await screen.findByRole('button', { name: /Your profile|Sign Out/ });
  return view;
}
const warning = () => screen.findByRole('alertdialog', { name: 'Session timeout' });
const noWarning = () => waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument());
const idleUntilWarning = async (more = 0) => pass(25 * minute + more);

it('warns 5 minutes before the end with the reason and a countdown in minutes and seconds', async () => {
  await open();
  await pass(24 * minute);
  expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
  await pass(minute);
  const dialog = within(await warning());
  expect(dialog.getByText(/inactive sessions are signed out after 30 minutes/)).toBeInTheDocument();
  expect(dialog.getByRole('timer')).toHaveTextContent(/^(5:00|4:5\d)$/);
  await pass(2 * minute);
  expect(dialog.getByRole('timer')).toHaveTextContent(/^(3:00|2:5\d)$/);
  expect(dialog.getByText('Less than 3 minutes left')).toHaveAttribute('aria-live', 'polite');
});

it('keeps the focus on Extend Session and ignores Escape', async () => {
  const { person } = await open();
  await idleUntilWarning();
  const dialog = within(await warning());
  expect(dialog.getByRole('button', { name: 'Extend Session' })).toHaveFocus();
  await person.keyboard('{Escape}');
  expect(await warning()).toBeInTheDocument();
  await person.tab();
  expect(dialog.getByRole('button', { name: 'Sign Out Now' })).toHaveFocus();
  await person.tab();
  expect(dialog.getByRole('button', { name: 'Extend Session' })).toHaveFocus();
});

it('extends the session on the server, closes and notifies the other tabs', async () => {
  const { person } = await open();
  await idleUntilWarning();
  await person.click(within(await warning()).getByRole('button', { name: 'Extend Session' }));
  await noWarning();
  expect(backend.calls).toContain('POST /auth/session/extend');
  await waitFor(() => expect(received).toContainEqual({ type: 'session', session: backend.session }));
  await pass(24 * minute);
  expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
});

it('counts a click on the page behind as activity, but not a moving pointer', async () => {
  const { person } = await open();
  await idleUntilWarning();
  await warning();
  await person.pointer({ target: screen.getByTestId('session-scrim') });
  await pass(2_000);
  expect(await warning()).toBeInTheDocument();
  expect(backend.calls).not.toContain('POST /auth/session/extend');
  await person.pointer({ target: screen.getByTestId('session-scrim'), keys: '[MouseLeft]' });
  await noWarning();
  expect(backend.calls).toContain('POST /auth/session/extend');
});

it('stays open and shows the error if extending fails', async () => {
  server.use(http.post(api('/auth/session/extend'), () => refuse('service.unavailable')));
  const { person } = await open();
  await idleUntilWarning();
  await person.click(within(await warning()).getByRole('button', { name: 'Extend Session' }));
  expect(await within(await warning()).findByRole('alert')).toHaveTextContent('The service is temporarily unavailable');
});

it('closes when another tab has extended', async () => {
  await open();
  await idleUntilWarning();
  await warning();
  localStorage.setItem('last-activity', String(Date.now()));
  postFromOtherTab({ type: 'session', session: backend.session! });
  await noWarning();
});

it('signs out at zero, records the event, shows the reason and returns to the same page after sign-in', async () => {
  const { person, address } = await open('/tickets?status=open');
  await idleUntilWarning();
  await warning();
  await pass(5 * minute);
  await waitFor(() => expect(address()).toBe('/auth'));
  expect(await screen.findByText(/You were signed out because you were inactive for 30 minutes/)).toBeInTheDocument();
  expect(backend.calls).toContain('POST /auth/sign-out');
  expect(listLocalSecurityEvents()).toMatchObject([{ event: 'session_timeout', details: { reason: 'idle' } }]);
  await waitFor(() => expect(received).toContainEqual({ type: 'ended', reason: 'idle' }));
  await person.type(screen.getByLabelText('Email'), 'ada@northwind.example');
  await person.type(screen.getByLabelText('Password'), 'password1{Enter}');
  await waitFor(() => expect(address()).toBe('/tickets?status=open'));
});

it('signs out at zero even if the server does not respond', async () => {
  server.use(http.post(api('/auth/sign-out'), () => new Promise<never>(() => undefined)));
  const { address } = await open();
  await pass(31 * minute);
  await pass(5_000);
  await waitFor(() => expect(address()).toBe('/auth'));
  expect(await screen.findByText(/inactive for 30 minutes/)).toBeInTheDocument();
});

it('shows an error if signing out fails', async () => {
  server.use(http.post(api('/auth/sign-out'), () => refuse('service.unavailable')));
  const { person, address } = await open();
  await idleUntilWarning();
  await person.click(within(await warning()).getByRole('button', { name: 'Sign Out Now' }));
  expect(await screen.findByText(/Couldn’t sign you out/)).toBeInTheDocument();
  expect(address()).toBe('/dashboard');
});

it('signs out immediately, without a reason on the sign-in page', async () => {
  const { person, address } = await open();
  await idleUntilWarning();
  await person.click(within(await warning()).getByRole('button', { name: 'Sign Out Now' }));
  await waitFor(() => expect(address()).toBe('/auth'));
  expect(await screen.findByRole('tab', { name: 'Sign In' })).toBeInTheDocument();
  expect(screen.queryByText(/You were signed out/)).not.toBeInTheDocument();
});

it('signs out together with the other tabs', async () => {
  const { address } = await open();
  document.cookie = 'tandem_csrf=; max-age=0';
  postFromOtherTab({ type: 'ended', reason: 'idle' });
  await waitFor(() => expect(address()).toBe('/auth'));
  expect(await screen.findByText(/inactive for 30 minutes/)).toBeInTheDocument();
  expect(backend.calls).not.toContain('POST /auth/sign-out');
});

it('signs in together with the other tabs and opens the requested page', async () => {
  backend.session = undefined;
  document.cookie = 'tandem_csrf=; max-age=0';
  const { address } = renderApp('/auth?redirect=%2Ftickets');
  await screen.findByRole('tab', { name: 'Sign In' });
  backend.signIn();
  postFromOtherTab({ type: 'session', session: backend.session! });
  await waitFor(() => expect(address()).toBe('/tickets'));
});

it('clears cached data when another user signs in in a different tab', async () => {
  await open();
  await screen.findByText('Recent Tickets');
  const other = aMember({ first_name: 'Marek', email: 'marek@northwind.example' });
  backend.signIn(aSession(other));
  const before = backend.calls.filter((call) => call.startsWith('GET /tickets')).length;
  postFromOtherTab({ type: 'session', session: backend.session! });
  expect(await screen.findByText(/Marek/)).toBeInTheDocument();
  await waitFor(() => expect(backend.calls.filter((call) => call.startsWith('GET /tickets')).length).toBeGreaterThan(before));
});

it('explains that 8 hours cannot be extended, can be dismissed, and opens again for the last minute', async () => {
  backend.signIn({ ...aSession(backend.me), absolute_expires_at: new Date(Date.now() + 6 * minute).toISOString() });
  const { person, address } = await open();
  await pass(minute + 1_000);
  const dialog = within(await warning());
  expect(dialog.getByText(/every session ends after 8 hours. It cannot be extended/)).toBeInTheDocument();
  expect(dialog.queryByRole('button', { name: 'Extend Session' })).not.toBeInTheDocument();
  await person.click(dialog.getByRole('button', { name: 'Continue Working' }));
  await noWarning();
  await pass(4 * minute);
  expect(await warning()).toBeInTheDocument();
  await pass(minute);
  await waitFor(() => expect(address()).toBe('/auth'));
  expect(await screen.findByText(/a session ends after 8 hours/)).toBeInTheDocument();
});

it('sends the idle time to the server, applies the new deadlines and notifies the other tabs', async () => {
  const requestBodies: unknown[] = [];
  let fresh = true;
  const renewed = { ...backend.session!, profile: { ...backend.session!.profile, first_name: 'Renewed' } };
  server.use(
    http.get(api('/tickets'), () => (fresh ? answer([]) : refuse('session.expired'))),
    http.post(api('/auth/refresh'), async ({ request }) => {
      requestBodies.push(await request.json());
      fresh = true;
      return answer(renewed);
    }),
  );
  const { person } = await open();
  await screen.findByText('Recent Tickets');
  await pass(10 * minute);
  const last = lastActivityAt();
  fresh = false;
  FakeEventSource.last.send({ type: 'ticket.created', subject: 'x' });
  await waitFor(() => expect(requestBodies).toHaveLength(1));
  expect((requestBodies[0] as { idle_seconds: number }).idle_seconds).toBeGreaterThanOrEqual(600);
  // A background update does not count as activity.
  expect(lastActivityAt()).toBe(last);
  await waitFor(() => expect(received).toContainEqual({ type: 'session', session: renewed }));
  // The fake clock does not wait for code that is being loaded.
  await import('../ui/MenuPopup');
  await person.click(screen.getByRole('button', { name: 'Your profile' }));
  expect(await screen.findByText('Renewed Okafor')).toBeInTheDocument();
});

it('shows the sign-in page with the reason when the server ended the session', async () => {
  const { address } = await open();
  server.use(http.get(api('/tickets'), () => refuse('session.expired')));
  backend.session = undefined;
  await act(async () => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(address()).toBe('/auth'));
  expect(await screen.findByText('Your session has expired. Please sign in again.')).toBeInTheDocument();
});
