import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import type { Role } from '@tandem/contracts/values';
import { FakeEventSource } from '../../../testing/event-source';
import { aMember, aTicket, house } from '../../../testing/house';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';
import { aTask, connectTaskTool, github, ride } from '../../../testing/ticket-task';

const signInAs = (role: Role) => {
  house.me = aMember({ role });
  house.signIn();
};
beforeEach(() => {
  signInAs('admin');
  house.tickets = [aTicket({ ticket_number: 'NC-0042' })];
});
const ticket = () => house.tickets[0]!;
const open = () => renderApp(`/tickets/${ticket().id}`);
const section = async () => within(await screen.findByRole('region', { name: 'Task' }));
const asks = () => house.calls.filter((call) => call === `GET /tickets/${ticket().id}/task`).length;
/** The section's calls are made once the person stays: from then on nothing more comes. */
const settled = () => waitFor(() => expect(house.calls).toContain(`GET /tickets/${ticket().id}/timeline?limit=20`));

it('shows the task as the tool has it, and leads there in a new tab', async () => {
  connectTaskTool();
  ride(ticket().id, { assignees: ['Ann Lee', 'Bo Chen'] });
  open();
  const task = await section();
  const link = await task.findByRole('link', { name: /Grinder is set too fine/ });
  expect(link).toHaveAttribute('href', 'https://app.clickup.com/t/86abc');
  expect(link).toHaveAttribute('target', '_blank');
  expect(link).toHaveAttribute('rel', expect.stringContaining('noopener'));
  for (const text of ['in review', 'ClickUp · Support', 'Ann Lee, Bo Chen']) expect(task.getByText(text)).toBeInTheDocument();
  expect(task.getByText(/In sync/)).toHaveTextContent('In sync · 2 min. ago');
  expect(asks()).toBe(1);
});

it.each([
  ['waits', { is_pending: true }, 'Waiting to sync…'],
  ['is being made', { state: 'creating', title: null, url: null, status: null }, 'Waiting for the task to be made…'],
  ['has a problem', { problem: 'ClickUp does not answer. It is tried again.' }, 'ClickUp does not answer. It is tried again.'],
  ['could not be made', { state: 'failed', problem: 'The list is full.' }, 'The list is full.'],
  ['was stopped', { state: 'stopped' }, /changed each other again and again/],
  ['is gone', { state: 'gone' }, 'Not there any more in ClickUp'],
] as const)('says when the task %s', async (_, state, text) => {
  connectTaskTool();
  ride(ticket().id, state);
  open();
  expect(await (await section()).findByText(text)).toBeInTheDocument();
});

it('tries again what did not work, and shows at once that it waits', async () => {
  connectTaskTool();
  ride(ticket().id, { state: 'stopped' });
  const { person } = open();
  await person.click(await (await section()).findByRole('button', { name: 'Try again' }));
  expect(await (await section()).findByText('Waiting to sync…')).toBeInTheDocument();
  expect(house.calls).toContain(`POST /tickets/${ticket().id}/task/sync`);
});

it('takes back that it waits when the sync is refused, and says why', async () => {
  connectTaskTool();
  ride(ticket().id, { problem: 'The list has no status “Review”.' });
  server.use(http.post(api('/tickets/:id/task/sync'), () => refuse('integration.paused')));
  const { person } = open();
  await person.click(await (await section()).findByRole('button', { name: 'Task actions' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Sync now' }));
  expect(await screen.findByText(/Failed to sync the task. This integration is paused/)).toBeInTheDocument();
  expect((await section()).getByText('The list has no status “Review”.')).toBeInTheDocument();
});

it('makes a new task in the place of one that is gone', async () => {
  connectTaskTool();
  ride(ticket().id, { state: 'gone' });
  const { person } = open();
  const task = await section();
  expect(await task.findByText('Grinder is set too fine')).toBeInTheDocument();
  expect(task.queryByRole('link')).not.toBeInTheDocument();
  await person.click(task.getByRole('button', { name: 'Make a new task' }));
  expect(await screen.findByText('Waiting for the task to be made…')).toBeInTheDocument();
});

it('reads the task again when the sync tells of it', async () => {
  connectTaskTool();
  ride(ticket().id);
  open();
  const task = await section();
  await task.findByText('in review');
  house.tasks.set(ticket().id, aTask({ status: { id: 'd', name: 'complete', category: 'done', color: null } }));
  FakeEventSource.last.send({ type: 'task.synced', subject: ticket().id });
  expect(await task.findByText('complete')).toBeInTheDocument();
});

it('asks before it unlinks, and offers the ways to a task then', async () => {
  connectTaskTool();
  ride(ticket().id);
  const { person } = open();
  await person.click(await (await section()).findByRole('button', { name: 'Task actions' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Unlink' }));
  expect(await screen.findByText(/No new task is made by itself/)).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Unlink Task' }));
  expect(await screen.findByRole('button', { name: 'Create task' })).toBeInTheDocument();
  await waitFor(() => expect(house.tasks.size).toBe(0));
});

it('creates a task in the only list, and leaves nothing behind when that is refused', async () => {
  connectTaskTool();
  server.use(http.post(api('/tickets/:id/task'), () => refuse('task_tool.broken'), { once: true }));
  const { person } = open();
  await person.click(await (await section()).findByRole('button', { name: 'Create task' }));
  expect(await screen.findByText(/Failed to create the task. The task tool no longer accepts the connection/)).toBeInTheDocument();
  await person.click(await (await section()).findByRole('button', { name: 'Create task' }));
  expect(await screen.findByText('Waiting for the task to be made…')).toBeInTheDocument();
  expect(house.tasks.get(ticket().id)).toMatchObject({ state: 'creating', list_name: 'Support' });
});

it('lets the list be chosen where there are several', async () => {
  connectTaskTool(github);
  const { person } = open();
  await person.click(await (await section()).findByRole('button', { name: 'Create task' }));
  await person.click(await screen.findByRole('menuitem', { name: 'GitHub · roastery' }));
  await waitFor(() => expect(house.tasks.get(ticket().id)).toMatchObject({ integration_id: github.id }));
});

it('links a task by its address, and says kindly what is wrong with it', async () => {
  connectTaskTool(github);
  const { person } = open();
  await person.click(await (await section()).findByRole('button', { name: 'Link a task' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Link an existing task' }));
  const field = dialog.getByLabelText('Address or id of the task');
  const submit = () => person.click(dialog.getByRole('button', { name: 'Link Task' }));
  await submit();
  expect(await dialog.findByText('Paste the address or the id of the task')).toBeInTheDocument();
  await person.type(field, 'https://app.clickup.com/t/86abc');
  const says = async (code: Parameters<typeof refuse>[0], text: RegExp) => {
    server.use(http.post(api('/tickets/:id/task'), () => refuse(code), { once: true }));
    await submit();
    expect(await dialog.findByText(text)).toBeInTheDocument();
  };
  await says('task.not_found', /does not know this task, or the connection may not see it/);
  expect(field).toHaveAccessibleDescription(/does not know this task/);
  await says('task.linked_elsewhere', /belongs to another ticket already/);
  await says('task_tool.unreachable', /does not answer at the moment/);
  expect(dialog.getByRole('alert')).toBeInTheDocument();
  expect(field).toHaveValue('https://app.clickup.com/t/86abc');
  await submit();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(await screen.findByRole('link', { name: /Grinder/ })).toBeInTheDocument();
});

it('lets agents sync, and neither link nor unlink', async () => {
  signInAs('agent');
  connectTaskTool();
  ride(ticket().id);
  const { person } = open();
  await person.click(await (await section()).findByRole('button', { name: 'Task actions' }));
  expect(await screen.findByRole('menuitem', { name: 'Sync now' })).toBeInTheDocument();
  expect(screen.queryByRole('menuitem', { name: 'Unlink' })).not.toBeInTheDocument();
});

it('offers agents nothing on a ticket without a task', async () => {
  signInAs('agent');
  connectTaskTool();
  open();
  await waitFor(() => expect(asks()).toBe(1));
  await settled();
  expect(screen.queryByRole('region', { name: 'Task' })).not.toBeInTheDocument();
});

it('leads admins to connecting a task tool, and shows managers nothing, where there is none', async () => {
  const { unmount } = open();
  expect(await (await section()).findByRole('link', { name: 'Connect a task tool' })).toHaveAttribute('href', '/integration');
  unmount();
  signInAs('manager');
  open();
  await settled();
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Task' })).not.toBeInTheDocument());
});

it('asks only once for an organization that has no task tool', async () => {
  house.tickets.push(aTicket({ ticket_number: 'NC-0043', subject: 'Another' }));
  const { person } = renderApp('/tickets');
  await person.click(await screen.findByRole('link', { name: 'Wrong grind' }));
  expect(await (await section()).findByRole('link', { name: 'Connect a task tool' })).toBeInTheDocument();
  await person.click(screen.getByRole('link', { name: 'Another' }));
  const other = `/tickets/${house.tickets[1]!.id}`;
  await waitFor(() => expect(house.calls).toContain(`GET ${other}/timeline?limit=20`));
  expect(await (await section()).findByRole('link', { name: 'Connect a task tool' })).toBeInTheDocument();
  expect(house.calls).not.toContain(`GET ${other}/task`);
});

it('still leads to the task when nobody can say how it stands', async () => {
  connectTaskTool();
  ride(ticket().id);
  server.use(http.get(api('/tickets/:id/task'), () => refuse('service.unavailable')));
  const { person } = open();
  const task = await section();
  expect(await task.findByRole('link', { name: 'Open the task' })).toHaveAttribute('href', 'https://app.clickup.com/t/86abc');
  server.use(http.get(api('/tickets/:id/task'), () => answer({ task: aTask(), integrations: house.taskLists })));
  await person.click(task.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByText('in review')).toBeInTheDocument();
});
