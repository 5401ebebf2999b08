import { act, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { api, refuse, server } from '../../testing/server';
import { aBackfill, aLogEntry, anIntegration, aSyncProblem, TaskToolServer } from './testing';

let tool: TaskToolServer;
beforeEach(() => {
  backend.signIn();
  tool = new TaskToolServer().start().connect();
  tool.integrations = [anIntegration()];
});
async function openPage() {
  const { person } = renderApp('/integration');
  const list = within(await screen.findByRole('list', { name: 'Active Integrations' }));
  return { person, list };
}
const calls = (part: string) => backend.calls.filter((call) => call.includes(part));

it('shows the list, the health and the reason of each integration', async () => {
  const detail = 'The list has no status “Review”.';
  tool.integrations = [
    anIntegration(),
    anIntegration({
      list_name: 'Bugs',
      health: 'attention',
      health_detail: detail,
      failed_count: 2,
      last_sync_at: new Date().toISOString(),
    }),
  ];
  const { list } = await openPage();
  const [first, second] = list.getAllByRole('listitem');
  expect(first).toHaveTextContent('Northwind, Support, RequestsIn sync');
  expect(first).toHaveTextContent('1,284 linked3 pending');
  expect(first).toHaveTextContent('Not synced yet');
  expect(first).not.toHaveTextContent('failed');
  expect(second).toHaveTextContent('Needs attention');
  expect(second).toHaveTextContent('2 failed');
  expect(second).toHaveTextContent(detail);
});

it('shows what to do without integrations', async () => {
  tool.integrations = [];
  renderApp('/integration');
  expect(await screen.findByText('No integrations yet')).toBeInTheDocument();
});

it('pauses and resumes', async () => {
  const { person, list } = await openPage();
  await person.click(list.getByRole('button', { name: 'Pause' }));
  expect(await screen.findByText('Integration paused')).toBeInTheDocument();
  await person.click(await list.findByRole('button', { name: 'Resume' }));
  expect(await list.findByText('In sync')).toBeInTheDocument();
  expect(tool.bodies).toEqual([{ is_active: false }, { is_active: true }]);
});

it('removes after a confirmation', async () => {
  const { person } = await openPage();
  await person.click(screen.getByRole('button', { name: 'More for Requests' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Remove' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/Tickets and tasks are not changed/)).toBeInTheDocument();
  await person.click(dialog.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('No integrations yet')).toBeInTheDocument();
});

it('is edited in the same form, which marks a chosen status that no longer exists', async () => {
  tool.integrations[0]!.status_mappings = { ...tool.list.proposed_statuses, closed: 'Shipped' } as never;
  const { person } = await openPage();
  await person.click(screen.getByRole('button', { name: 'More for Requests' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText('No longer in this list. Choose another.')).toBeInTheDocument();
  await person.click(dialog.getByRole('combobox', { name: 'Status for Closed' }));
  await person.click(await screen.findByRole('option', { name: 'complete' }));
  await person.click(dialog.getByRole('combobox', { name: 'Meaning of complete' }));
  await person.click(await screen.findByRole('option', { name: 'Not planned' }));
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Integration saved')).toBeInTheDocument();
  const [sent] = tool.bodies as [{ status_mappings: object; field_mappings: object; closed_meanings: object }];
  expect(sent.closed_meanings).toEqual({ 3: 'not_planned' });
  expect(sent.status_mappings).toMatchObject({ closed: 'complete', open: 'to do' });
  // Send all of them: the server replaces an integration's field mappings as a whole.
  expect(Object.keys(sent.field_mappings)).toHaveLength(8);
});

describe('older tickets', () => {
  afterEach(() => jest.useRealTimers());

  it('are counted and synced with a progress bar', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    tool.backfill = aBackfill({ matching: 40 });
    const { person, list } = await openPage();
    await person.click(await list.findByRole('button', { name: 'Create tasks for 40 older tickets' }));
    const bar = await list.findByRole('progressbar');
    expect(bar).toHaveAttribute('aria-valuenow', '0');
    tool.backfill = aBackfill({ state: 'running', total: 40, created: 19, failed: 1 });
    await waitFor(() => expect(bar).toHaveAttribute('aria-valuenow', '50'));
    expect(list.getByText(/19 of 40/)).toBeInTheDocument();
    const listed = backend.calls.filter((call) => call.endsWith('/task-tool/integrations')).length;
    tool.backfill = aBackfill({ state: 'done', total: 40, created: 39, failed: 1 });
    expect(await list.findByText(/39 older tickets synced/)).toBeInTheDocument();
    // The row is refetched, because its counts include the new tasks.
    await waitFor(() => expect(backend.calls.filter((call) => call.endsWith('/task-tool/integrations'))).toHaveLength(listed + 1));
    const asked = calls('/backfill').length;
    // Polling stops when the backfill is done.
    await act(() => jest.advanceTimersByTimeAsync(60_000));
    expect(calls('/backfill')).toHaveLength(asked);
  });

  it('are not mentioned if there are none', async () => {
    const { list } = await openPage();
    await waitFor(() => expect(calls('/backfill')).toHaveLength(1));
    expect(list.queryByText(/older/)).not.toBeInTheDocument();
  });

  it('are counted on request only if there are many integrations, to save calls', async () => {
    tool.integrations = Array.from({ length: 6 }, (_, index) => anIntegration({ list_name: `List ${index}` }));
    tool.backfill = aBackfill({ matching: 1 });
    const { person, list } = await openPage();
    expect(calls('/backfill')).toEqual([]);
    await person.click(list.getAllByRole('button', { name: 'Find older tickets' })[0]!);
    expect(await list.findByRole('button', { name: 'Create tasks for 1 older ticket' })).toBeInTheDocument();
    expect(calls('/backfill')).toHaveLength(1);
  });
});

describe('problems', () => {
  const problems = ['ClickUp does not answer at the moment.', '2 tickets could not be synced with ClickUp.'];
  const troubled = () => {
    tool.integrations = [anIntegration({ health: 'attention', health_problems: problems, failed_count: 2, differing_count: 1 })];
    tool.problems = [
      aSyncProblem({ kind: 'differs', fields: ['title'], reason: 'ClickUp does not accept this title', ticket_number: 'NC-0044' }),
      aSyncProblem({ ticket_number: 'NC-0043', reason: 'ClickUp refused it' }),
      aSyncProblem(),
    ];
  };

  it('are listed, most important first', async () => {
    troubled();
    const { list } = await openPage();
    expect(list.getAllByRole('listitem')[0]).toHaveTextContent(new RegExp(problems.join('.*')));
    expect(list.getByText('1 differing')).toBeInTheDocument();
  });

  it('are listed with the reason and a link to the ticket, and can be filtered by kind', async () => {
    troubled();
    const { person, list } = await openPage();
    await person.click(list.getByRole('button', { name: 'See what failed' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Sync problems' }));
    const rows = () => within(dialog.getByRole('list', { name: 'Tickets with problems' })).getAllByRole('listitem');
    expect(await dialog.findByText('ClickUp does not accept this title')).toBeInTheDocument();
    expect(rows().map((row) => row.textContent)).toEqual([
      expect.stringContaining('DiffersNC-0044'),
      expect.stringContaining('FailedNC-0043'),
      expect.stringContaining('FailedNC-0042'),
    ]);
    expect(rows()[0]).toHaveTextContent('Title: ClickUp does not accept this title');
    expect(dialog.getByRole('link', { name: 'NC-0044' })).toHaveAttribute('href', `/tickets/${tool.problems[0]!.ticket_id}`);
    await person.click(dialog.getByRole('combobox', { name: 'Problem' }));
    await person.click(await screen.findByRole('option', { name: 'Differs' }));
    await waitFor(() => expect(rows()).toHaveLength(1));
    const { violations } = await axe.run(screen.getByRole('dialog'), { rules: { 'color-contrast': { enabled: false } } });
    expect(violations.map(({ id }) => id)).toEqual([]);
  });

  it('are retried all together', async () => {
    troubled();
    const { person, list } = await openPage();
    await person.click(list.getByRole('button', { name: 'Retry all' }));
    expect(await screen.findByText('Retrying 3 tickets')).toBeInTheDocument();
    expect(tool.retries).toBe(1);
    await waitFor(() => expect(list.queryByRole('button', { name: 'Retry all' })).not.toBeInTheDocument());
  });

  it('offer no retry if nothing failed', async () => {
    const { list } = await openPage();
    expect(list.queryByRole('button', { name: 'See what failed' })).not.toBeInTheDocument();
    expect(list.queryByRole('button', { name: 'Retry all' })).not.toBeInTheDocument();
  });

  it('can be reloaded after an error', async () => {
    troubled();
    server.use(http.get(api('/task-tool/integrations/:id/problems'), () => refuse('integration.not_found'), { once: true }));
    const { person, list } = await openPage();
    await person.click(list.getByRole('button', { name: 'See what failed' }));
    const dialog = within(await screen.findByRole('dialog'));
    await person.click(await dialog.findByRole('button', { name: 'Try Again' }));
    expect(await dialog.findByText('ClickUp does not accept this title')).toBeInTheDocument();
  });
});

describe('the sync log', () => {
  async function openLog() {
    const { person, list } = await openPage();
    await person.click(list.getByRole('button', { name: 'Sync log' }));
    return { person, dialog: within(await screen.findByRole('dialog')) };
  }

  it('links to the ticket, filters by level and loads more pages', async () => {
    const failed = aLogEntry({ level: 'error', message: 'The list has no status “Review”.' });
    tool.log = [failed, ...Array.from({ length: 30 }, (_, index) => aLogEntry({ message: `Sent ${index}` }))];
    const { person, dialog } = await openLog();
    const rows = () => within(dialog.getByRole('list', { name: 'Sync log' })).getAllByRole('listitem');
    expect(await dialog.findByText('The list has no status “Review”.')).toBeInTheDocument();
    expect(dialog.getAllByRole('link', { name: 'NC-0042' })[0]).toHaveAttribute('href', `/tickets/${failed.ticket_id}`);
    expect(rows()[0]).toHaveTextContent('Ticket to task, Status');
    expect(rows()).toHaveLength(25);
    await person.click(dialog.getByRole('button', { name: 'Show more' }));
    await waitFor(() => expect(rows()).toHaveLength(31));
    await person.click(dialog.getByRole('combobox', { name: 'Filter entries' }));
    await person.click(await screen.findByRole('option', { name: 'Errors' }));
    await waitFor(() => expect(rows()).toHaveLength(1));
    const { violations } = await axe.run(screen.getByRole('dialog'), { rules: { 'color-contrast': { enabled: false } } });
    expect(violations.map(({ id }) => id)).toEqual([]);
  });

  it('shows an empty state, and Try Again if it cannot be loaded', async () => {
    server.use(http.get(api('/task-tool/integrations/:id/sync-log'), () => refuse('integration.not_found'), { once: true }));
    const { person, dialog } = await openLog();
    await person.click(await dialog.findByRole('button', { name: 'Try Again' }));
    expect(await dialog.findByText('No entries')).toBeInTheDocument();
  });
});

it('shows the order of several lists, which can be changed by keyboard within each kind', async () => {
  const matching = { create: 'matching', categories: [], tags: ['bug'], priorities: [] } as const;
  tool.integrations = [
    anIntegration({ list_name: 'Bugs', rules: { ...matching, categories: [], tags: ['bug'], priorities: [] } }),
    anIntegration({ list_name: 'Ideas', rules: { ...matching, categories: [], tags: ['idea'], priorities: [] } }),
    anIntegration({ list_name: 'Requests' }),
  ];
  const [bugs, ideas, requests] = tool.integrations.map(({ id }) => id);
  const { person, list } = await openPage();
  expect(screen.getByText(/A new ticket goes to the first list whose rules it matches/)).toBeInTheDocument();
  expect(list.getByText('1. Tickets that match rules')).toBeInTheDocument();
  expect(list.getByText('3. All tickets')).toBeInTheDocument();
  const up = list.getByRole('button', { name: 'Move Ideas up' });
  up.focus();
  await person.keyboard('{Enter}');
  await waitFor(() =>
    expect(list.getAllByRole('heading').map((heading) => heading.textContent)).toEqual([
      expect.stringContaining('Ideas'),
      expect.stringContaining('Bugs'),
      expect.stringContaining('Requests'),
    ]),
  );
  expect(tool.bodies).toEqual([{ ids: [ideas, bugs, requests] }]);
  // Integrations move only within their kind: Ideas is already first, and the only one of its kind cannot move.
  expect(list.getByRole('button', { name: 'Move Ideas up' })).toHaveAttribute('aria-disabled', 'true');
  expect(list.getByRole('button', { name: 'Move Bugs down' })).toHaveAttribute('aria-disabled', 'true');
  expect(list.queryByRole('button', { name: 'Move Requests up' })).not.toBeInTheDocument();
});

it('shows why the order could not be changed, and the current order', async () => {
  tool.integrations = [anIntegration({ list_name: 'One' }), anIntegration({ list_name: 'Two' })];
  server.use(http.put(api('/task-tool/integrations/order'), () => refuse('integration.order_incomplete')));
  const { person, list } = await openPage();
  await person.click(list.getByRole('button', { name: 'Move One down' }));
  expect(await screen.findByText(/The integrations have changed. Reload and try again/)).toBeInTheDocument();
  await waitFor(() => expect(calls('GET /task-tool/integrations').length).toBeGreaterThan(1));
});
