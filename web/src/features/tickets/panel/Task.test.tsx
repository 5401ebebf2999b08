import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import type { Role } from '@tandem/contracts/values';
import { FakeEventSource } from '../../../testing/event-source';
import { aMember, aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';
import { aPreview, aTask, aTaskChoice, connectTaskTool, github, linkTask } from '../../../testing/ticket-task';

const signInAs = (role: Role) => {
  backend.me = aMember({ role });
  backend.signIn();
};
beforeEach(() => {
  signInAs('admin');
  backend.tickets = [aTicket({ ticket_number: 'NC-0042' })];
});
const ticket = () => backend.tickets[0]!;
const open = () => renderApp(`/tickets/${ticket().id}`);
const section = async () => within(await screen.findByRole('region', { name: 'Task' }));
const asks = () => backend.calls.filter((call) => call === `GET /tickets/${ticket().id}/task`).length;
/** All panel parts render together, so no more requests follow once this one is visible. */
const settled = () => screen.findByRole('region', { name: 'Watchers' });

it('shows the task as in the tool, with a link in a new tab', async () => {
  connectTaskTool();
  linkTask(ticket().id, { assignees: ['Ann Lee', 'Bo Chen'] });
  open();
  const task = await section();
  const link = await task.findByRole('link', { name: /Grinder is set too fine/ });
  expect(link).toHaveAttribute('href', 'https://app.clickup.com/t/86abc');
  expect(link).toHaveAttribute('target', '_blank');
  expect(link).toHaveAttribute('rel', expect.stringContaining('noopener'));
  for (const text of ['in review', 'ClickUp · Support', 'Ann Lee, Bo Chen']) expect(task.getByText(text)).toBeInTheDocument();
  expect(task.getByText(/In sync/)).toHaveTextContent('In sync · 2m ago');
  expect(asks()).toBe(0);
});

it.each([
  ['waits', { is_pending: true }, 'Waiting to sync…'],
  ['is being created', { state: 'creating', title: null, url: null, status: null }, 'Creating task…'],
  ['has a problem', { problem: 'ClickUp does not answer. It is tried again.' }, 'ClickUp does not answer. It is tried again.'],
  ['could not be made', { state: 'failed', problem: 'The list is full.' }, 'The list is full.'],
  ['was stopped', { state: 'stopped' }, /kept changing each other/],
  ['is gone', { state: 'gone' }, 'Deleted in ClickUp'],
] as const)('shows the problem when the task %s', async (_, state, text) => {
  connectTaskTool();
  linkTask(ticket().id, state);
  open();
  expect(await (await section()).findByText(text)).toBeInTheDocument();
});

it('retries a failed sync and shows immediately that it is waiting', async () => {
  connectTaskTool();
  linkTask(ticket().id, { state: 'stopped' });
  const { person } = open();
  await person.click(await (await section()).findByRole('button', { name: 'Try again' }));
  expect(await (await section()).findByText('Waiting to sync…')).toBeInTheDocument();
  await waitFor(() => expect(backend.calls).toContain(`POST /tickets/${ticket().id}/task/sync`));
});

it('reverts to the problem with the reason if the retry is rejected', async () => {
  connectTaskTool();
  linkTask(ticket().id, { problem: 'The list has no status “Review”.' });
  server.use(http.post(api('/tickets/:id/task/sync'), () => refuse('integration.paused')));
  const { person } = open();
  await person.click(await (await section()).findByRole('button', { name: 'Task actions' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Sync now' }));
  expect(await screen.findByText(/Failed to sync the task. This integration is paused/)).toBeInTheDocument();
  expect((await section()).getByText('The list has no status “Review”.')).toBeInTheDocument();
});

it('creates a new task to replace a deleted one', async () => {
  connectTaskTool();
  linkTask(ticket().id, { state: 'gone' });
  const { person } = open();
  const task = await section();
  expect(await task.findByText('Grinder is set too fine')).toBeInTheDocument();
  expect(task.queryByRole('link')).not.toBeInTheDocument();
  await person.click(task.getByRole('button', { name: 'Create a new task' }));
  expect(await screen.findByText('Creating task…')).toBeInTheDocument();
});

it('refetches the task after a sync event', async () => {
  connectTaskTool();
  linkTask(ticket().id);
  open();
  const task = await section();
  await task.findByText('in review');
  backend.tasks.set(ticket().id, aTask({ status: { id: 'd', name: 'complete', category: 'done', color: null } }));
  FakeEventSource.last.send({ type: 'task.synced', subject: ticket().id });
  expect(await task.findByText('complete')).toBeInTheDocument();
});

it('unlinks after a confirmation, then offers creating or linking a task', async () => {
  connectTaskTool();
  linkTask(ticket().id);
  const { person } = open();
  await person.click(await (await section()).findByRole('button', { name: 'Task actions' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Unlink' }));
  expect(await screen.findByText(/no new task will be created/)).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Unlink Task' }));
  expect(await screen.findByRole('button', { name: 'Create task' })).toBeInTheDocument();
  await waitFor(() => expect(backend.tasks.size).toBe(0));
});

it('creates a task in the only list, and reverts if that is rejected', async () => {
  connectTaskTool();
  server.use(http.post(api('/tickets/:id/task'), () => refuse('task_tool.broken'), { once: true }));
  const { person } = open();
  await person.click(await (await section()).findByRole('button', { name: 'Create task' }));
  expect(await screen.findByText(/Failed to create the task. The task tool no longer accepts the connection/)).toBeInTheDocument();
  await person.click(await (await section()).findByRole('button', { name: 'Create task' }));
  expect(await screen.findByText('Creating task…')).toBeInTheDocument();
  await waitFor(() => expect(backend.tasks.get(ticket().id)).toMatchObject({ state: 'creating', list_name: 'Support' }));
});

it('offers a choice of lists if there are several', async () => {
  connectTaskTool(github);
  const { person } = open();
  await person.click(await (await section()).findByRole('button', { name: 'Create task' }));
  await person.click(await screen.findByRole('menuitem', { name: 'GitHub · roastery' }));
  await waitFor(() => expect(backend.tasks.get(ticket().id)).toMatchObject({ integration_id: github.id }));
});

async function openDialog() {
  const { person } = open();
  await person.click(await (await section()).findByRole('button', { name: 'Link a task' }));
  const dialog = () => within(screen.getByRole('dialog'));
  await screen.findByRole('dialog', { name: 'Link a task' });
  const find = () => person.click(dialog().getByRole('button', { name: 'Find' }));
  return { person, dialog, find, field: () => dialog().getByLabelText('Title, URL or ID') };
}

it('links a task by its URL, and shows what is wrong with it', async () => {
  connectTaskTool(github);
  const { person, dialog, find, field } = await openDialog();
  await find();
  expect(await dialog().findByText('Enter words from the title, or paste a URL or ID')).toBeInTheDocument();
  await person.type(field(), 'https://app.clickup.com/t/86abc');
  const expectError = async (code: Parameters<typeof refuse>[0], text: RegExp) => {
    server.use(http.get(api('/tickets/:id/task/preview'), () => refuse(code), { once: true }));
    await person.type(field(), ' ');
    await find();
    expect(await dialog().findByText(text)).toBeInTheDocument();
  };
  await expectError('task.not_found', /This task was not found/);
  expect(field()).toHaveAccessibleDescription(/This task was not found/);
  await expectError('task.no_access', /does not exist, or the connection has no access/);
  await expectError('task.not_in_list', /not in a connected list/);
  await expectError('task.archived', /is archived/);
  await expectError('integration.paused', /This integration is paused/);
  expect(dialog().getByRole('alert')).toBeInTheDocument();
  await person.type(field(), ' ');
  await find();
  await person.click(await dialog().findByRole('button', { name: 'Link Task' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(await screen.findByRole('link', { name: /Grinder/ })).toBeInTheDocument();
});

it('searches tasks by words with one call, and shows how many tickets share each', async () => {
  connectTaskTool();
  backend.tasksFound = [aTaskChoice({ title: 'Login fails', tickets: 19 }), aTaskChoice({ id: '86def', title: 'Login is slow' })];
  const { person, dialog, find, field } = await openDialog();
  await person.type(field(), 'login');
  expect(backend.calls.some((call) => call.includes('/task/search'))).toBe(false);
  await find();
  const results = within(await dialog().findByRole('list', { name: 'Tasks found' }));
  expect(results.getByRole('button', { name: /Login fails.*19 tickets/ })).toBeInTheDocument();
  expect(backend.calls.filter((call) => call.includes('/task/search'))).toHaveLength(1);
  await person.click(results.getByRole('button', { name: /Login is slow/ }));
  expect(await dialog().findByRole('button', { name: 'Link Task' })).toBeInTheDocument();
  await person.click(dialog().getByRole('button', { name: 'Back' }));
  expect(field()).toHaveValue('login');
});

it('shows that no task matches', async () => {
  connectTaskTool();
  const { person, dialog, find, field } = await openDialog();
  await person.type(field(), 'nothing like it');
  await find();
  expect(await dialog().findByText(/No task found in Support/)).toBeInTheDocument();
});

it('shows the differences between ticket and task, and lets the user pick a side', async () => {
  connectTaskTool();
  const bodies: unknown[] = [];
  server.use(
    http.get(api('/tickets/:id/task/preview'), () =>
      answer(
        aPreview({
          differences: [
            { field: 'title', direction: 'both', ticket: 'Wrong grind', task: 'Grinder is set too fine' },
            { field: 'tags', direction: 'to_task', ticket: 'beans', task: null },
          ],
        }),
      ),
    ),
    http.post(api('/tickets/:id/task'), async ({ request }) => {
      bodies.push(await request.json());
      return answer(aTask(), { status: 201 });
    }),
  );
  const { person, dialog, find, field } = await openDialog();
  await person.type(field(), 'DEV-123');
  await find();
  const table = within(await dialog().findByRole('table', { name: 'Differences' }));
  expect(table.getByRole('row', { name: /Title Wrong grind Grinder is set too fine/ })).toBeInTheDocument();
  expect(table.getByRole('row', { name: /Tags ticket to task only beans None/ })).toBeInTheDocument();
  expect(dialog().getByRole('radio', { name: 'Leave both as they are' })).toBeChecked();
  await person.click(dialog().getByRole('radio', { name: 'Use the task’s values' }));
  expect(table.getByRole('row', { name: /Wrong grind \(replaced\) Grinder is set too fine \(kept\)/ })).toBeInTheDocument();
  // A field that syncs only to the task never takes its value from the task.
  expect(table.queryByRole('row', { name: /beans \(replaced\)/ })).not.toBeInTheDocument();
  await person.click(dialog().getByRole('button', { name: 'Link Task' }));
  await waitFor(() => expect(bodies).toEqual([{ integration_id: backend.taskLists[0]!.id, task: '86abc', winner: 'task' }]));
});

it('explains a shared task before linking', async () => {
  connectTaskTool();
  server.use(http.get(api('/tickets/:id/task/preview'), () => answer(aPreview({ task: { ...aPreview().task, tickets: 19 } }))));
  const { person, dialog, find, field } = await openDialog();
  await person.type(field(), '#12');
  await find();
  expect(await dialog().findByText(/Other tickets share this task/)).toBeInTheDocument();
  expect(dialog().getByText(/19 tickets/)).toBeInTheDocument();
  expect(dialog().queryByRole('radio')).not.toBeInTheDocument();
});

it('shows how many customers share the task, with links to their tickets', async () => {
  connectTaskTool();
  const other = { id: '0190aaaa-0000-7000-8000-000000000001', ticket_number: 'NC-0007', subject: 'Coffee tastes burnt', is_primary: true };
  linkTask(ticket().id, { sharing: { is_primary: false, tickets: 23, customers: 20, others: [other] } });
  const { person } = open();
  const task = await section();
  await person.click(await task.findByText(/20 customers/));
  expect(task.getByRole('link', { name: /NC-0007/ })).toHaveAttribute('href', `/tickets/${other.id}`);
  expect(task.getByText('and 21 more')).toBeInTheDocument();
  expect(task.getByText(/sync with the primary ticket/)).toBeInTheDocument();
});

it('lets agents link, create, sync and unlink', async () => {
  signInAs('agent');
  connectTaskTool();
  const { unmount } = open();
  expect(await (await section()).findByRole('button', { name: 'Create task' })).toBeInTheDocument();
  expect((await section()).getByRole('button', { name: 'Link a task' })).toBeInTheDocument();
  unmount();
  linkTask(ticket().id);
  const { person } = open();
  await person.click(await (await section()).findByRole('button', { name: 'Task actions' }));
  expect(await screen.findByRole('menuitem', { name: 'Sync now' })).toBeInTheDocument();
  expect(screen.getByRole('menuitem', { name: 'Unlink' })).toBeInTheDocument();
});

it('without a task tool, links admins to connecting one and shows managers nothing', async () => {
  const { unmount } = open();
  expect(await (await section()).findByRole('link', { name: 'Connect a task tool' })).toHaveAttribute('href', '/integration');
  unmount();
  signInAs('manager');
  open();
  await settled();
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Task' })).not.toBeInTheDocument());
});

it('still links to the task if its status is unavailable', async () => {
  connectTaskTool();
  linkTask(ticket().id);
  server.use(http.get(api('/tickets/:id/task'), () => refuse('service.unavailable')));
  const { person } = open();
  const task = await section();
  expect(await task.findByRole('link', { name: 'Open the task' })).toHaveAttribute('href', 'https://app.clickup.com/t/86abc');
  server.use(http.get(api('/tickets/:id/task'), () => answer({ task: aTask(), integrations: backend.taskLists })));
  await person.click(task.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByText('in review')).toBeInTheDocument();
});
