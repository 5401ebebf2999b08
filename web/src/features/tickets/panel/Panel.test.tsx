import { act, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { FakeEventSource } from '../../../testing/event-source';
import { aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, server } from '../../../testing/server';

beforeEach(() => {
  backend.signIn();
  backend.tickets = [aTicket({ ticket_number: 'NC-0001' }), aTicket({ ticket_number: 'NC-0002', subject: 'Where is it' })];
});
const ticket = () => backend.tickets[0]!;
const open = () => renderApp(`/tickets/${ticket().id}`);

it('assigns the ticket to the user by click or with i', async () => {
  const { person } = open();
  await person.click(await screen.findByRole('button', { name: 'Assign to me' }));
  await waitFor(() => expect(ticket().assigned_to).toBe(backend.me.user_id));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Assign to me' })).not.toBeInTheDocument());
});

it('changes tags in place, each immediately', async () => {
  ticket().tags = ['old'];
  const { person } = open();
  await person.click(await screen.findByRole('button', { name: 'Edit tags' }));
  // Its role depends on whether suggestions have arrived.
  await person.type(await screen.findByLabelText('Tags'), 'shipping{Enter}');
  await waitFor(() => expect(ticket().tags).toEqual(['old', 'shipping']));
  await person.click(screen.getByRole('button', { name: 'Remove old' }));
  await waitFor(() => expect(ticket().tags).toEqual(['shipping']));
});

it('shows the customer’s other tickets', async () => {
  open();
  const customer = within(await screen.findByRole('region', { name: 'Customer' }));
  expect(await customer.findByText('1 other ticket')).toBeInTheDocument();
  expect(customer.getByRole('link', { name: /NC-0002 Where is it/ })).toHaveAttribute('href', `/tickets/${backend.tickets[1]?.id}`);
});

it('adds the user or a teammate as a watcher', async () => {
  const { person } = open();
  await person.click(await screen.findByRole('button', { name: 'Watch' }));
  expect(await screen.findByRole('button', { name: 'Stop watching' })).toBeInTheDocument();
  await person.click(await screen.findByRole('button', { name: 'Add a watcher' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Marek Lindqvist' }));
  await waitFor(() => expect(ticket().watchers).toEqual(backend.members.map(({ user_id }) => user_id)));
  await person.click(await screen.findByRole('button', { name: 'Remove Marek Lindqvist from the watchers' }));
  await waitFor(() => expect(ticket().watchers).toEqual([backend.me.user_id]));
});

it('merges a duplicate into a ticket of the same customer and opens it', async () => {
  const { person, address } = open();
  await person.click(await screen.findByRole('button', { name: 'More actions' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Merge into another ticket' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Merge NC-0001' }));
  expect(dialog.getByRole('button', { name: 'Merge' })).toBeDisabled();
  await person.click(await dialog.findByRole('radio', { name: /NC-0002/ }));
  expect(dialog.getByText(/all comments, files and watchers of NC-0001 move to NC-0002/)).toBeInTheDocument();
  await person.click(dialog.getByRole('button', { name: 'Merge into NC-0002' }));
  await waitFor(() => expect(address()).toBe(`/tickets/${backend.tickets[1]?.id}`));
  expect(ticket().merged_into_id).toBe(backend.tickets[1]?.id);
});

it('returns the focus to the menu button when the merge dialog is closed', async () => {
  const { person } = open();
  // The second time the dialog's code is loaded, and it opens while the menu is still there.
  for (let times = 0; times < 2; times += 1) {
    await person.click(await screen.findByRole('button', { name: 'More actions' }));
    await person.click(await screen.findByRole('menuitem', { name: 'Merge into another ticket' }));
    await screen.findByRole('dialog', { name: 'Merge NC-0001' });
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'More actions' })).toHaveFocus());
  }
});

it('links a merged ticket to the ticket that continues it', async () => {
  ticket().merged_into_id = backend.tickets[1]!.id;
  open();
  const banner = (await screen.findByText(/This ticket was merged into/)).closest('p')!;
  expect(await within(banner).findByRole('link', { name: 'NC-0002 Where is it' })).toHaveAttribute(
    'href',
    `/tickets/${backend.tickets[1]?.id}`,
  );
  expect(screen.queryByRole('textbox', { name: 'Public reply' })).not.toBeInTheDocument();
});

it('shows when a ticket was anonymized, without a customer and without a way to answer', async () => {
  Object.assign(ticket(), {
    ...{ subject: 'Anonymized ticket', description: null, status: 'closed', comment_count: 3, anonymized_at: '2026-11-20T10:05:00.000Z' },
    ...{ customer_name: null, customer_email: 'removed@anonymous.invalid' },
  });
  open();
  expect(await screen.findByText(/^Anonymized on Nov 20, 2026 by the retention policy/)).toBeInTheDocument();
  expect(await screen.findByRole('combobox', { name: 'Status' })).toBeInTheDocument();
  expect(screen.queryByRole('textbox', { name: 'Public reply' })).not.toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Erase this customer…' })).not.toBeInTheDocument();
  expect(screen.queryByText('No other tickets')).not.toBeInTheDocument();
});

it('shows who else views the ticket and who is writing', async () => {
  open();
  await waitFor(() => expect(backend.calls).toContain(`PUT /tickets/${ticket().id}/presence`));
  const present = (state: string) => {
    const data = JSON.stringify({ ticket_id: ticket().id, people: [{ user_id: backend.members[1]?.user_id, state }] });
    act(() => void FakeEventSource.last.dispatchEvent(new MessageEvent('presence', { data })));
  };
  present('viewing');
  expect((await screen.findAllByText('Marek is viewing')).length).toBeGreaterThan(0);
  present('writing');
  expect((await screen.findAllByText('Marek is writing a reply…')).length).toBeGreaterThan(0);
  present('writing_note');
  expect((await screen.findAllByText('Marek is writing a note…')).length).toBeGreaterThan(0);
});

it('reports to teammates that a note is being written and was sent', async () => {
  const states: string[] = [];
  server.use(
    http.put(api('/tickets/:id/presence'), async ({ request }) => {
      states.push(((await request.json()) as { state: string }).state);
      return answer([]);
    }),
  );
  const { person } = open();
  await screen.findByRole('textbox', { name: 'Public reply' });
  // The page of the previous test may still be reporting that it was left.
  await waitFor(() => expect(states.at(-1)).toBe('viewing'));
  await person.keyboard('n');
  await person.type(screen.getByRole('textbox', { name: 'Internal note' }), 'Call them');
  await waitFor(() => expect(states.at(-1)).toBe('writing_note'));
  await person.click(screen.getByRole('button', { name: 'Add Note' }));
  await waitFor(() => expect(states.at(-1)).toBe('viewing'));
});
