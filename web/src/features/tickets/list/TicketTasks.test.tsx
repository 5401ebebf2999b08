import { screen, waitFor, within } from '@testing-library/react';
import { aComment, aTicket, anActivity, aView, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { connectTaskTool, linkTask } from '../../../testing/ticket-task';

const task = { provider: 'github', task_id: 'northwind/roastery#7', url: 'https://github.com/northwind/roastery/issues/7' };
const finished = { task, task_finished_at: '2026-11-21T10:00:00.000Z' };
beforeEach(() => {
  backend.signIn();
  backend.tickets = [
    aTicket({ subject: 'Plain' }),
    aTicket({ subject: 'Riding', task }),
    aTicket({ subject: 'Done', ...finished, status: 'in_progress' }),
  ];
});
const row = async (subject: string) => within((await screen.findByRole('link', { name: subject })).closest('li')!);
const rows = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);

it('marks rows with a linked or finished task of any tool, without extra calls', async () => {
  renderApp('/tickets');
  expect((await row('Riding')).getByText('Linked to a task')).toBeInTheDocument();
  expect((await row('Riding')).queryByText('Task finished')).not.toBeInTheDocument();
  expect((await row('Done')).getByText('Task finished')).toBeInTheDocument();
  expect((await row('Plain')).queryByText('Linked to a task')).not.toBeInTheDocument();
  expect(backend.calls.filter((call) => call.includes('/task'))).toEqual([]);
});

it('filters the list by task, in the URL', async () => {
  const { person, address } = renderApp('/tickets');
  await person.click(await screen.findByRole('button', { name: 'More filters' }));
  await person.click(await screen.findByRole('combobox', { name: 'Task' }));
  await person.click(await screen.findByRole('option', { name: 'Has no task' }));
  await person.click(screen.getByRole('button', { name: 'Done' }));
  expect(address()).toBe('/tickets?task=unlinked');
  await waitFor(() => expect(rows()).toEqual(['Plain']));
  const chips = within(await screen.findByRole('list', { name: 'Active filters' }));
  expect(chips.getByText('Has no task')).toBeInTheDocument();
  await person.click(chips.getByRole('button', { name: 'Remove filter Task Has no task' }));
  expect(address()).toBe('/tickets');
});

it('reads the filter from the URL, and ignores invalid values', async () => {
  const { unmount } = renderApp('/tickets?task=linked');
  await screen.findByRole('link', { name: 'Riding' });
  expect(rows()).toEqual(['Riding', 'Done']);
  unmount();
  renderApp('/tickets?task=maybe');
  await screen.findByRole('link', { name: 'Plain' });
});

it('shows the view “Ready to tell the customer” while it has tickets', async () => {
  const { person, address, unmount } = renderApp('/tickets');
  const views = () => screen.findByRole('navigation', { name: 'Views' });
  await person.click(await within(await views()).findByRole('link', { name: /Ready to tell the customer 1/ }));
  expect(address()).toBe('/tickets?task=finished');
  await waitFor(() => expect(rows()).toEqual(['Done']));
  unmount();
  backend.tickets[2]!.task_finished_at = null;
  renderApp('/tickets');
  await within(await views()).findByRole('link', { name: /All tickets 3/ });
  expect(within(await views()).queryByRole('link', { name: /Ready to tell/ })).not.toBeInTheDocument();
});

it('saves the filter in a view', async () => {
  backend.views = [aView({ name: 'Not begun', filter: { task: 'unlinked', status: ['open'] } })];
  const { person, address } = renderApp('/tickets');
  await person.click(await screen.findByRole('link', { name: /Not begun/ }));
  expect(address()).toBe(`/tickets?status=open&task=unlinked&view=${backend.views[0]?.id}`);
  expect(screen.queryByText('Modified')).not.toBeInTheDocument();
});

it('shows a task comment as an internal note with its author and tool', async () => {
  const ticket = backend.tickets[0]!;
  const written = {
    content: 'The burrs are worn.',
    is_internal: true,
    author: null,
    tool_author: { name: 'Ann Lee', tool_name: 'ClickUp' },
  };
  backend.comments = [aComment(ticket, written)];
  renderApp(`/tickets/${ticket.id}`);
  // The Markdown that loads replaces the plain text.
  const note = within(await waitFor(() => screen.getByText('The burrs are worn.').closest('article')!));
  expect(note.getByText('Ann Lee · ClickUp')).toBeInTheDocument();
  expect(note.getByText('Internal note')).toBeInTheDocument();
});

it('shows the task tool’s changes in the timeline', async () => {
  const ticket = backend.tickets[0]!;
  connectTaskTool();
  linkTask(ticket.id);
  const byTool = { actor_type: 'task-tool', author: null } as const;
  backend.activities = [
    anActivity(ticket, { ...byTool, changes: { task: { from: null, to: task } } }),
    anActivity(ticket, { ...byTool, changes: { status: { from: 'open', to: 'in_progress' } } }),
    anActivity(ticket, { ...byTool, changes: { task_finished_at: { from: null, to: '2026-11-21T10:00:00.000Z' } } }),
    anActivity(ticket, {
      ...byTool,
      changes: {
        task_finished_at: { from: null, to: '2026-11-21T10:00:00.000Z' },
        task_outcome: { from: 'finished', to: 'not_planned' },
      },
    }),
    anActivity(ticket, { changes: { task: { from: task, to: null } } }),
  ];
  const { person } = renderApp(`/tickets/${ticket.id}`);
  await person.click(await screen.findByRole('button', { name: 'Timeline' }));
  const lines = within(await screen.findByRole('list', { name: 'Changes' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
  expect(lines).toEqual([
    expect.stringContaining('Marek Lindqvist unlinked the task'),
    expect.stringMatching(/The task tool closed the task as not planned(?! and)/),
    expect.stringContaining('The task tool finished the task'),
    expect.stringContaining('The task tool changed status from Open to In Progress'),
    expect.stringContaining('The task tool linked task northwind/roastery#7'),
  ]);
});
