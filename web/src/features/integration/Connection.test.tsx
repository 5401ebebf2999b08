import { configure, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { redirectOut } from '../../lib/redirect-out';
import { FakeEventSource } from '../../testing/event-source';
import { aMember, aSession, backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { api, refuse, server } from '../../testing/server';
import { aBackfill, anIntegration, clickup, TaskToolServer } from './testing';

jest.mock('../../lib/redirect-out');
const left = redirectOut as jest.MockedFunction<typeof redirectOut>;

let tool: TaskToolServer;
beforeEach(() => {
  left.mockClear();
  backend.signIn();
  tool = new TaskToolServer().start();
});
const card = async (name: string) => within(await screen.findByRole('region', { name }));

it('is for admins only', async () => {
  backend.signIn(aSession(aMember({ role: 'manager' })));
  const { address } = renderApp('/integration');
  await waitFor(() => expect(address()).toBe('/dashboard'));
  expect(backend.calls).not.toContain('GET /task-tool/connection');
});

it('redirects to the task tool if OAuth is configured', async () => {
  const { person } = renderApp('/integration');
  await person.click(await screen.findByRole('button', { name: 'Connect ClickUp' }));
  await waitFor(() => expect(left).toHaveBeenCalledWith('https://app.clickup.example/api?state=once'));
});

it('shows the missing setup if it is not, without calling the server', async () => {
  tool.tools = [{ ...clickup, oauth_configured: false }];
  const { person } = renderApp('/integration');
  await person.click(await screen.findByRole('button', { name: 'Connect ClickUp' }));
  expect(await screen.findByText('ClickUp Integration Setup Required')).toBeInTheDocument();
  expect(screen.getByText(/OAuth credentials \(client id and secret\) must be configured in backend secrets/)).toBeInTheDocument();
  expect(left).not.toHaveBeenCalled();
  expect(backend.calls).not.toContain('POST /task-tool/connection/authorize');
});

it('connects with a personal token, and shows why a token was rejected', async () => {
  const detail = 'ClickUp did not accept this token.';
  server.use(http.post(api('/task-tool/connection'), () => refuse('task_tool.token_refused', { detail }), { once: true }));
  const { person } = renderApp('/integration');
  await person.click((await screen.findAllByRole('button', { name: 'Use a personal token' }))[0]!);
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('In ClickUp: Settings, Apps, API Token')).toBeInTheDocument();
  await person.click(dialog.getByRole('button', { name: 'Connect' }));
  expect(await dialog.findByText('Paste the token')).toBeInTheDocument();
  await person.type(dialog.getByLabelText('Personal API token'), 'pk_1');
  await person.click(dialog.getByRole('button', { name: 'Connect' }));
  expect(await dialog.findByText(detail)).toBeInTheDocument();
  await person.click(dialog.getByRole('button', { name: 'Connect' }));
  expect(await (await card('ClickUp')).findByText('Connected')).toBeInTheDocument();
  expect(tool.bodies).toEqual([{ provider: 'clickup', token: 'pk_1' }]);
});

it('disconnects after listing the consequences', async () => {
  tool.connect().integrations = [anIntegration(), anIntegration({ list_name: 'Bugs' })];
  const { person } = renderApp('/integration');
  const clickupCard = await card('ClickUp');
  expect(clickupCard.getByText('Support desk')).toBeInTheDocument();
  await person.click(clickupCard.getByRole('button', { name: 'Disconnect' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText(/Its 2 integrations are removed, with the links between tickets and tasks/)).toBeInTheDocument();
  await person.click(dialog.getByRole('button', { name: 'Disconnect' }));
  expect(await screen.findByRole('button', { name: 'Connect ClickUp' })).toBeInTheDocument();
});

it('shows a broken connection as soon as the event arrives, and offers to reconnect', async () => {
  tool.connect().integrations = [anIntegration()];
  const { person } = renderApp('/integration');
  expect(await screen.findByText('Connected')).toBeInTheDocument();
  tool.connections[0]!.state = 'broken';
  tool.integrations = [anIntegration({ is_active: false, health: 'broken', pause_reason: 'connection_broken' })];
  FakeEventSource.last.send({ type: 'task.sync_failed', subject: tool.connections[0]!.id });
  expect(await screen.findByText('ClickUp no longer accepts the connection')).toBeInTheDocument();
  expect(screen.queryByRole('region', { name: 'Create integration' })).not.toBeInTheDocument();
  expect(await screen.findByText('Broken')).toBeInTheDocument();
  // It resumes automatically with the connection, not manually.
  expect(screen.queryByRole('button', { name: 'Resume' })).not.toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Reconnect' }));
  await waitFor(() => expect(left).toHaveBeenCalled());
});

it('offers Try Again if the tools cannot be loaded', async () => {
  server.use(http.get(api('/task-tool/connection'), () => refuse('permission.denied'), { once: true }));
  const { person } = renderApp('/integration');
  const again = await screen.findByRole('button', { name: 'Try Again' });
  await waitFor(() => expect(again).not.toHaveAttribute('aria-busy'));
  await person.click(again);
  expect(await screen.findByRole('button', { name: 'Connect ClickUp' })).toBeInTheDocument();
});

it('is also a panel of the settings', async () => {
  tool.connect();
  renderApp('/settings?tab=integrations');
  const settings = within(await screen.findByRole('navigation', { name: 'Settings' }));
  expect(settings.getByRole('link', { name: 'Integrations', current: 'page' })).toBeInTheDocument();
  expect(await screen.findByRole('region', { name: 'Create integration' })).toBeInTheDocument();
});

it('has no accessibility violations, connected and disconnected', async () => {
  const look = async () => {
    const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } });
    expect(violations.map(({ id }) => id)).toEqual([]);
  };
  const { unmount } = renderApp('/integration');
  await screen.findByRole('button', { name: 'Connect ClickUp' });
  await look();
  unmount();
  tool.connect().integrations = [anIntegration()];
  tool.backfill = aBackfill({ matching: 3 });
  renderApp('/integration');
  await screen.findByRole('button', { name: 'Create tasks for 3 older tickets' });
  await look();
});

describe('/auth/callback/clickup', () => {
  const completions = () => backend.calls.filter((call) => call === 'POST /task-tool/connection/callback');
  const sentBack = '/auth/callback/clickup?code=the-code&state=the-state';

  // Simulates development, where React runs each effect twice.
  beforeEach(() => configure({ reactStrictMode: true }));
  afterEach(() => configure({ reactStrictMode: false }));

  it('completes the connection once, removes the code from the URL and opens the page', async () => {
    const { address } = renderApp(sentBack);
    expect(await screen.findByText('Task tool connected')).toBeInTheDocument();
    await waitFor(() => expect(address()).toBe('/integration'));
    expect(completions()).toHaveLength(1);
    expect(tool.bodies).toEqual([{ provider: 'clickup', code: 'the-code', state: 'the-state' }]);
  });

  it('shows what went wrong and restarts', async () => {
    server.use(http.post(api('/task-tool/connection/callback'), () => refuse('task_tool.state_invalid')));
    const { person, address } = renderApp(sentBack);
    expect(await screen.findByText('This took too long or was started elsewhere. Please connect again.')).toBeInTheDocument();
    expect(address()).toBe('/auth/callback/clickup');
    expect(completions()).toHaveLength(1);
    await person.click(await screen.findByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(left).toHaveBeenCalled());
  });

  it('sends no request if the access was denied', async () => {
    const { address } = renderApp('/auth/callback/clickup?error=access_denied');
    expect(await screen.findByText('You didn’t authorize Tandem, so nothing has changed.')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Back to Integration' })).toHaveAttribute('href', '/integration');
    expect(address()).toBe('/auth/callback/clickup');
    expect(completions()).toEqual([]);
  });

  it('sends a signed-out user through sign-in and then completes the connection', async () => {
    backend.session = undefined;
    document.cookie = 'tandem_csrf=; max-age=0';
    const { person, address } = renderApp(sentBack);
    await person.type(await screen.findByLabelText('Email'), 'ada@northwind.example');
    expect(completions()).toEqual([]);
    await person.type(screen.getByLabelText('Password'), 'correct horse 7 staple{Enter}');
    await waitFor(() => expect(address()).toBe('/integration'));
    expect(completions()).toHaveLength(1);
  });
});
