import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { api, refuse, server } from '../../../testing/server';
import { connectTaskTool, linkTask } from '../../../testing/ticket-task';

const draft = 'Hello Jonas Weber,\n\nWe have finished the work.';
beforeEach(() => {
  backend.signIn();
  backend.tickets = [aTicket({ task_finished_at: '2026-11-21T10:00:00.000Z' })];
  connectTaskTool();
  linkTask(ticket().id, { drafted_reply: draft });
});
const ticket = () => backend.tickets[0]!;
const open = () => renderApp(`/tickets/${ticket().id}`);
const banner = async () => within(await screen.findByRole('region', { name: 'Finished task' }));
const use = async (person: ReturnType<typeof open>['person']) => {
  const button = await (await banner()).findByRole('button', { name: 'Use the drafted reply' });
  await waitFor(() => expect(button).toBeEnabled());
  await person.click(button);
};
const reply = () => screen.findByRole('textbox', { name: 'Public reply' });

it('shows that the task is finished, with the customer’s name or address', async () => {
  const { unmount } = open();
  expect((await banner()).getByText(/The task is finished/)).toHaveTextContent('The task is finished. Tell Jonas Weber.');
  unmount();
  ticket().customer_name = null;
  open();
  expect((await banner()).getByText(/The task is finished/)).toHaveTextContent('Tell jonas@example.com.');
});

it('does not claim finished work for a task closed as not planned', async () => {
  backend.tickets = [aTicket({ task_finished_at: '2026-11-21T10:00:00.000Z', task_outcome: 'not_planned' })];
  linkTask(ticket().id, { drafted_reply: null });
  open();
  const closed = within(await screen.findByRole('region', { name: 'Closed task' }));
  expect(closed.getByText(/closed as not planned/)).toHaveTextContent('The task was closed as not planned. Let Jonas Weber know.');
  expect(await closed.findByRole('button', { name: 'Write a reply' })).toBeEnabled();
  expect(screen.queryByText(/finished/i)).not.toBeInTheDocument();
});

it('inserts the draft into the empty reply and focuses it, without sending', async () => {
  const { person } = open();
  await use(person);
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Public reply' })).toHaveValue(draft));
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Public reply' })).toHaveFocus());
  expect(backend.calls.filter((call) => call.startsWith('POST /tickets/'))).toEqual([]);
});

it('appends the draft to existing text, once', async () => {
  const { person } = open();
  await person.type(await reply(), 'Good news');
  await use(person);
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Public reply' })).toHaveValue(`Good news\n\n${draft}`));
  await use(person);
  expect(await reply()).toHaveValue(`Good news\n\n${draft}`);
});

it('does not turn an unsent note into a reply', async () => {
  const { person } = open();
  await reply();
  await person.keyboard('n');
  await person.type(await screen.findByRole('textbox', { name: 'Internal note' }), 'Between us');
  await use(person);
  expect(await screen.findByText('You have an unsent note')).toBeInTheDocument();
  expect(screen.getByRole('textbox', { name: 'Internal note' })).toHaveValue('Between us');
});

it('stays after a note and disappears once a reply is sent', async () => {
  const { person } = open();
  await reply();
  await person.keyboard('n');
  await person.type(await screen.findByRole('textbox', { name: 'Internal note' }), 'Between us');
  await person.click(screen.getByRole('button', { name: 'Add Note' }));
  await person.click(await screen.findByRole('button', { name: 'Send now' }));
  await waitFor(() => expect(backend.comments).toHaveLength(1));
  await use(person);
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  await person.click(await screen.findByRole('button', { name: 'Send now' }));
  await waitFor(() => expect(backend.comments).toHaveLength(2));
  expect(backend.comments[1]).toMatchObject({ content: draft, is_internal: false });
  await waitFor(() => expect(screen.queryByText('Sending')).not.toBeInTheDocument());
  expect(screen.queryByRole('region', { name: 'Finished task' })).not.toBeInTheDocument();
});

it('disappears while the reply is being sent, and returns if it is undone', async () => {
  const { person } = open();
  await use(person);
  await person.click(screen.getByRole('button', { name: 'Send Reply' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Finished task' })).not.toBeInTheDocument());
  await person.click(await screen.findByRole('button', { name: 'Undo' }));
  await banner();
});

it('removes the ticket from the view when dismissed', async () => {
  const { person } = open();
  await person.click(await (await banner()).findByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Finished task' })).not.toBeInTheDocument());
  await waitFor(() => expect(ticket().task_finished_at).toBeNull());
  expect(backend.calls).toContain(`DELETE /tickets/${ticket().id}/finished-task`);
});

it('reappears if dismissing is rejected', async () => {
  server.use(http.delete(api('/tickets/:id/finished-task'), () => refuse('service.unavailable')));
  const { person } = open();
  await person.click(await (await banner()).findByRole('button', { name: 'Dismiss' }));
  expect(await screen.findByText(/Failed to update ticket/)).toBeInTheDocument();
  await banner();
});

it('offers to write a reply without a draft', async () => {
  linkTask(ticket().id, { drafted_reply: null });
  const { person } = open();
  await person.click(await (await banner()).findByRole('button', { name: 'Write a reply' }));
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Public reply' })).toHaveFocus());
});
