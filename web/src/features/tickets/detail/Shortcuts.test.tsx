import { act, screen, waitFor, within } from '@testing-library/react';
import { aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';

beforeEach(() => {
  backend.signIn();
  backend.tickets = [aTicket({ subject: 'Wrong grind', status: 'open', priority: 'medium', resolved_at: null })];
});
const ticket = () => backend.tickets[0]!;
const patches = () => backend.calls.filter((call) => call.startsWith('PATCH'));
const control = (name: string) => screen.findByRole('combobox', { name });
const closed = () => waitFor(() => expect(screen.queryByRole('listbox')).not.toBeInTheDocument());

describe('keys after a select that a shortcut opened', () => {
  const open = async () => {
    const view = renderApp(`/tickets/${ticket().id}`);
    await control('Status');
    await screen.findByRole('textbox', { name: 'Public reply' });
    return view.person;
  };

  it('s, Escape, r starts a reply and keeps the status', async () => {
    const person = await open();
    await person.keyboard('s');
    await screen.findByRole('option', { name: 'Resolved' });
    await person.keyboard('{Escape}');
    await closed();
    expect(await control('Status')).not.toHaveFocus();
    await person.keyboard('r');
    expect(screen.getByRole('textbox', { name: 'Public reply' })).toHaveFocus();
    expect(patches()).toEqual([]);
  });

  it('s, Enter, r keeps the chosen status', async () => {
    const person = await open();
    await person.keyboard('s');
    await screen.findByRole('option', { name: 'Resolved' });
    await person.keyboard('{Enter}');
    await closed();
    await person.keyboard('r');
    expect(screen.getByRole('textbox', { name: 'Public reply' })).toHaveFocus();
    expect(patches()).toEqual([]);
  });

  it('p, Enter, u keeps the priority', async () => {
    const person = await open();
    await person.keyboard('p');
    await screen.findByRole('option', { name: 'Urgent' });
    await person.keyboard('{Enter}');
    await closed();
    await person.keyboard('u');
    expect(await control('Priority')).toHaveTextContent('Medium');
    expect(patches()).toEqual([]);
  });

  it('a letter on a focused closed select is a shortcut, not a choice', async () => {
    const person = await open();
    await person.click(await control('Status'));
    await screen.findByRole('option', { name: 'Resolved' });
    await person.keyboard('{Escape}');
    await closed();
    await waitFor(async () => expect(await control('Status')).toHaveFocus());
    await person.keyboard('r');
    expect(screen.getByRole('textbox', { name: 'Public reply' })).toHaveFocus();
    expect(patches()).toEqual([]);
    const status = await control('Status');
    act(() => status.focus());
    await person.keyboard(' ');
    expect(await screen.findByRole('option', { name: 'Resolved' })).toBeInTheDocument();
  });
});

it('a, Escape, o in the list returns the focus to the row and opens it', async () => {
  const { person, address } = renderApp('/tickets');
  const row = await screen.findByRole('link', { name: /Wrong grind/ });
  act(() => row.focus());
  await person.keyboard('a');
  const picker = await screen.findByRole('dialog');
  await within(picker).findByRole('option', { name: /^Unassigned/ });
  await person.keyboard('{Escape}');
  await waitFor(() => expect(row).toHaveFocus());
  await person.keyboard('o');
  await waitFor(() => expect(address()).toBe(`/tickets/${ticket().id}`));
  expect(patches()).toEqual([]);
});
