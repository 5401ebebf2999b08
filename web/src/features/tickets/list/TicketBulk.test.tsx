import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, server } from '../../../testing/server';

beforeEach(() => {
  backend.signIn();
  backend.tickets = ['One', 'Two', 'Three', 'Four'].map((subject, index) => aTicket({ subject, ticket_number: `NC-000${index + 1}` }));
});
const bar = () => screen.findByRole('toolbar', { name: 'Selected tickets' });
const rowOf = (subject: string) => screen.getByRole('link', { name: subject }).closest('li')!;

it('selects a range with Shift and changes all of it together', async () => {
  const { person } = renderApp('/tickets');
  await person.click(await screen.findByRole('checkbox', { name: 'Select NC-0001' }));
  await person.keyboard('{Shift>}');
  await person.click(screen.getByRole('checkbox', { name: 'Select NC-0003' }));
  await person.keyboard('{/Shift}');
  expect(within(await bar()).getByText('3 selected')).toBeInTheDocument();
  await person.click(within(await bar()).getByRole('combobox', { name: 'Set status' }));
  await person.click(await screen.findByRole('option', { name: 'Resolved' }));
  await waitFor(() => expect(rowOf('One')).toHaveTextContent('Resolved'));
  expect(await screen.findByText('3 tickets changed')).toBeInTheDocument();
  expect(backend.tickets.map(({ status }) => status)).toEqual(['resolved', 'resolved', 'resolved', 'open']);
});

it('undoes a bulk change with z: each ticket gets its own values back', async () => {
  Object.assign(backend.tickets[0]!, { status: 'in_progress', tags: ['vip'] });
  const { person } = renderApp('/tickets');
  await person.click(await screen.findByRole('checkbox', { name: 'Select NC-0001' }));
  await person.click(screen.getByRole('checkbox', { name: 'Select NC-0002' }));
  await person.click(within(await bar()).getByRole('combobox', { name: 'Set status' }));
  await person.click(await screen.findByRole('option', { name: 'Resolved' }));
  expect(await screen.findByText('Status: Resolved')).toBeInTheDocument();
  await person.keyboard('z');
  expect(await screen.findByText('2 tickets restored')).toBeInTheDocument();
  expect(backend.tickets.map(({ status }) => status)).toEqual(['in_progress', 'open', 'open', 'open']);
  await person.click(within(await bar()).getByRole('button', { name: 'Tags' }));
  await person.type(await screen.findByLabelText('Add tags'), 'vip{Enter}');
  await person.click(screen.getByRole('button', { name: 'Apply' }));
  expect(await screen.findByText('Added vip')).toBeInTheDocument();
  await person.keyboard('z');
  await waitFor(() => expect(backend.tickets.map(({ tags }) => tags)).toEqual([['vip'], [], [], []]));
});

it('shows which changes failed and why, and reverts them', async () => {
  const { person } = renderApp('/tickets');
  await person.click(await screen.findByRole('checkbox', { name: 'Select NC-0001' }));
  await person.click(within(await bar()).getByRole('button', { name: 'Select all 4 loaded' }));
  backend.tickets = backend.tickets.filter(({ subject }) => subject !== 'Two');
  await person.click(within(await bar()).getByRole('combobox', { name: 'Set priority' }));
  await person.click(await screen.findByRole('option', { name: 'Urgent' }));
  expect(await screen.findByText('3 changed, 1 failed: Ticket not found')).toBeInTheDocument();
  expect(rowOf('One')).toHaveTextContent('Urgent');
});

it('adds tags in the bar, selects with x and clears with Escape', async () => {
  const { person } = renderApp('/tickets');
  await screen.findByRole('link', { name: 'One' });
  await person.keyboard('jx');
  await person.click(within(await bar()).getByRole('button', { name: 'Tags' }));
  await person.type(await screen.findByLabelText('Add tags'), 'vip{Enter}');
  await person.click(screen.getByRole('button', { name: 'Apply' }));
  await waitFor(() => expect(backend.tickets[0]?.tags).toEqual(['vip']));
  await person.click(within(await bar()).getByRole('button', { name: 'Clear selection' }));
  await waitFor(() => expect(screen.queryByRole('toolbar')).not.toBeInTheDocument());
});

it('resolves, updates and assigns the focused row', async () => {
  const { person } = renderApp('/tickets');
  await screen.findByRole('link', { name: 'One' });
  await person.keyboard('je');
  await waitFor(() => expect(backend.tickets[0]?.status).toBe('resolved'));
  await person.keyboard('jp');
  await screen.findByRole('dialog', { name: 'Set the priority of NC-0002' });
  await person.keyboard('urg{Enter}');
  await waitFor(() => expect(backend.tickets[1]?.priority).toBe('urgent'));
});

it('resolves the selected tickets, and merges those of one customer', async () => {
  const { person } = renderApp('/tickets');
  const merges: string[] = [];
  server.use(
    http.post(api('/tickets/:id/merge'), async ({ params, request }) => {
      const { into_id } = (await request.json()) as { into_id: string };
      merges.push(`${backend.ticket(String(params.id))?.subject} into ${backend.ticket(into_id)?.subject}`);
      return answer(backend.ticket(into_id));
    }),
    http.post(api('/tickets/:id/unmerge'), ({ params }) => {
      const ticket = backend.ticket(String(params.id));
      merges.push(`${ticket?.subject} is separate`);
      return answer(ticket);
    }),
  );
  await person.click(await screen.findByRole('checkbox', { name: 'Select NC-0001' }));
  const toolbar = within(await bar());
  expect(toolbar.getByRole('button', { name: 'Merge' })).toBeDisabled();
  await person.click(screen.getByRole('checkbox', { name: 'Select NC-0002' }));
  await person.click(screen.getByRole('checkbox', { name: 'Select NC-0004' }));
  await person.click(toolbar.getByRole('button', { name: 'Merge' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Merge 3 tickets' }));
  await person.click(dialog.getByRole('radio', { name: /Two/ }));
  await person.click(dialog.getByRole('button', { name: 'Merge into NC-0002' }));
  expect(await screen.findByText('2 tickets were merged into NC-0002')).toBeInTheDocument();
  expect(merges).toEqual(['One into Two', 'Four into Two']);
  await person.keyboard('z');
  expect(await screen.findByText('2 tickets are separate again')).toBeInTheDocument();
  expect(merges.slice(2)).toEqual(['Four is separate', 'One is separate']);
  expect(screen.queryByRole('toolbar')).not.toBeInTheDocument();
  await person.click(screen.getByRole('checkbox', { name: 'Select NC-0003' }));
  await person.click(within(await bar()).getByRole('button', { name: 'Resolve' }));
  await waitFor(() => expect(backend.tickets[2]?.status).toBe('resolved'));
});
