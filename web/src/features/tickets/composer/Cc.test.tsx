import { screen, waitFor, within } from '@testing-library/react';
import { ticketLimits } from '@tandem/contracts/values';
import { aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';

beforeEach(() => {
  backend.signIn();
  backend.tickets = [aTicket({ ticket_number: 'NC-0042', customer_email: 'ada@north.example' })];
});
const ticket = () => backend.tickets[0]!;
const open = async () => {
  const view = renderApp(`/tickets/${ticket().id}`);
  await screen.findByRole('textbox', { name: 'Public reply' });
  return view;
};
const cc = () => within(screen.getByRole('group', { name: 'Cc' }));

it('adds and removes addresses that get a copy of each reply', async () => {
  const { person } = await open();
  await person.click(screen.getByRole('button', { name: 'Cc' }));
  await person.type(screen.getByLabelText('Add an address to Cc'), 'Bob@North.example{Enter}');
  await waitFor(() => expect(ticket().cc).toEqual(['bob@north.example']));
  await person.click(cc().getByRole('button', { name: 'Remove bob@north.example from Cc' }));
  await waitFor(() => expect(ticket().cc).toEqual([]));
});

it.each([
  ['bob', 'Enter an email address'],
  ['ada@north.example', 'The customer gets every reply'],
])('explains why %s is not added', async (typed, problem) => {
  const { person } = await open();
  await person.click(screen.getByRole('button', { name: 'Cc' }));
  await person.type(screen.getByLabelText('Add an address to Cc'), `${typed}{Enter}`);
  expect(await cc().findByRole('alert')).toHaveTextContent(problem);
  expect(ticket().cc).toEqual([]);
});

it('is not part of an internal note', async () => {
  backend.tickets = [aTicket({ cc: ['bob@north.example'] })];
  const { person } = await open();
  expect(cc().getByText('bob@north.example')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: /Internal note/ }));
  expect(screen.queryByRole('group', { name: 'Cc' })).not.toBeInTheDocument();
});

it('moves the focus into the field, and back when the field is closed with Escape', async () => {
  const { person } = await open();
  await person.click(screen.getByRole('button', { name: 'Cc' }));
  expect(screen.getByLabelText('Add an address to Cc')).toHaveFocus();
  await person.keyboard('bob@north.example{Escape}');
  expect(screen.getByRole('button', { name: 'Cc' })).toHaveFocus();
  expect(screen.queryByRole('group', { name: 'Cc' })).not.toBeInTheDocument();
  expect(ticket().cc).toEqual([]);
});

it('keeps the focus where the user has moved it when the field is left', async () => {
  const { person } = await open();
  await person.click(screen.getByRole('button', { name: 'Cc' }));
  await person.click(screen.getByRole('textbox', { name: 'Public reply' }));
  expect(screen.getByRole('textbox', { name: 'Public reply' })).toHaveFocus();
  expect(screen.queryByRole('group', { name: 'Cc' })).not.toBeInTheDocument();
});

it('moves the focus to the next button when an address is removed with the keyboard', async () => {
  backend.tickets = [aTicket({ cc: ['bob@north.example', 'eve@north.example'] })];
  const { person } = await open();
  cc().getByRole('button', { name: 'Remove bob@north.example from Cc' }).focus();
  await person.keyboard('{Enter}');
  await waitFor(() => expect(cc().getByRole('button', { name: 'Remove eve@north.example from Cc' })).toHaveFocus());
  await person.keyboard('{Enter}');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Cc' })).toHaveFocus());
  await waitFor(() => expect(ticket().cc).toEqual([]));
});

it('closes the field when the last possible address was added', async () => {
  const others = Array.from({ length: ticketLimits.cc - 1 }, (_, index) => `a${index}@north.example`);
  backend.tickets = [aTicket({ cc: others })];
  const { person } = await open();
  await person.click(cc().getByRole('button', { name: 'Add to Cc' }));
  await person.keyboard('bob@north.example{Enter}');
  await waitFor(() => expect(ticket().cc).toEqual([...others, 'bob@north.example']));
  expect(screen.queryByLabelText('Add an address to Cc')).not.toBeInTheDocument();
  await waitFor(() => expect(cc().getByRole('button', { name: 'Remove bob@north.example from Cc' })).toHaveFocus());
});
