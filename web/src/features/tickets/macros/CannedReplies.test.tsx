import { screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { aCustomField, aMacro, aMember, aSession, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { api, refuse, server } from '../../../testing/server';

beforeEach(() => backend.signIn());

it('links to creating the first canned reply, with variables and changes', async () => {
  const { person } = renderApp('/canned-replies');
  expect(await screen.findByText('No canned replies yet')).toBeInTheDocument();
  await person.click(screen.getAllByRole('button', { name: /New canned reply/ }).at(-1)!);
  const dialog = within(await screen.findByRole('dialog', { name: 'New canned reply' }));
  await person.type(dialog.getByLabelText(/^Name/), 'Shipped');
  await person.type(dialog.getByLabelText(/^Text/), 'Hello ');
  await person.click(dialog.getByRole('button', { name: /customer\.name/ }));
  await person.click(dialog.getByRole('combobox', { name: 'Status' }));
  await person.click(await screen.findByRole('option', { name: 'Resolved' }));
  await person.click(dialog.getByRole('switch', { name: 'Shared with the team' }));
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('heading', { name: /Shipped/ })).toBeInTheDocument();
  expect(backend.macros[0]).toMatchObject({
    name: 'Shipped',
    content: 'Hello {{customer.name}}',
    changes: { status: 'resolved' },
    is_shared: true,
  });
});

it('rejects an unknown variable without sending', async () => {
  const { person } = renderApp('/canned-replies');
  await person.click((await screen.findAllByRole('button', { name: /New canned reply/ })).at(-1)!);
  const dialog = within(await screen.findByRole('dialog'));
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  expect(dialog.getByText('Enter a name')).toBeInTheDocument();
  expect(dialog.getByText('Enter text or choose changes')).toBeInTheDocument();
  await person.type(dialog.getByLabelText(/^Name/), 'Shipped');
  await person.click(dialog.getByLabelText(/^Text/));
  await person.paste('Hello {{customer.mood}}');
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  expect(dialog.getByText(/\{\{customer\.mood\}\} isn’t a variable/)).toBeInTheDocument();
  expect(backend.calls).not.toContain('POST /macros');
});

it('saves a text per language, and shows the language that has an error', async () => {
  const session = aSession(backend.me);
  backend.signIn({ ...session, organization: { ...session.organization!, languages: { default: 'en', offered: ['en', 'de', 'ar'] } } });
  backend.macros = [aMacro({ name: 'Shipped', content: 'On its way', translations: { fr: 'En route' }, owner_id: backend.me.user_id })];
  const { person } = renderApp('/canned-replies');
  await person.click(await screen.findByRole('button', { name: 'Edit Shipped' }));
  const dialog = within(await screen.findByRole('dialog'));
  const choose = async (name: string | RegExp) => {
    await person.click(dialog.getByRole('combobox', { name: 'Language' }));
    await person.click(await screen.findByRole('option', { name }));
  };
  await choose('Deutsch (no text)');
  await person.click(dialog.getByLabelText(/^Text/));
  await person.paste('Unterwegs, {{kunde}}');
  // No longer offered, but its text is kept.
  await choose('Français');
  expect(dialog.getByLabelText(/^Text/)).toHaveValue('En route');
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText(/\{\{kunde\}\} isn’t a variable/)).toBeInTheDocument();
  const text = dialog.getByLabelText(/^Text/);
  expect(text).toHaveValue('Unterwegs, {{kunde}}');
  await person.clear(text);
  await person.type(text, 'Unterwegs');
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(backend.macros[0]?.translations).toEqual({ fr: 'En route', de: 'Unterwegs' }));
  expect(backend.macros[0]?.content).toBe('On its way');
  expect(await screen.findByTitle('Available in Deutsch')).toBeInTheDocument();
});

it('edits, and deletes after a confirmation', async () => {
  backend.macros = [aMacro({ name: 'Shipped', owner_id: backend.me.user_id })];
  const { person } = renderApp('/canned-replies');
  await person.click(await screen.findByRole('button', { name: 'Edit Shipped' }));
  const name = await screen.findByLabelText(/^Name/);
  await person.clear(name);
  await person.type(name, 'Sent{Enter}');
  await person.click(await screen.findByRole('button', { name: 'Delete Sent' }));
  await person.click(await screen.findByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(backend.macros).toEqual([]));
  expect(await screen.findByText('No canned replies yet')).toBeInTheDocument();
});

it('lets an agent use, but not change, a teammate’s shared reply', async () => {
  backend.me = aMember({ role: 'agent' });
  backend.signIn(aSession(backend.me));
  backend.macros = [aMacro({ name: 'Theirs', is_shared: true, owner_id: backend.members[1]!.user_id })];
  renderApp('/canned-replies');
  expect(await screen.findByText('Shared by Marek Lindqvist')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Edit Theirs' })).not.toBeInTheDocument();
});

it('shows an error with a retry if they cannot be loaded', async () => {
  backend.macros = [aMacro({ name: 'Shipped' })];
  server.use(http.get(api('/macros'), () => refuse('permission.denied'), { once: true }));
  const { person } = renderApp('/canned-replies');
  expect(await screen.findByText('Failed to load the canned replies')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('heading', { name: 'Shipped' })).toBeInTheDocument();
});

it('sets and clears custom fields, and asks to remove those that were deleted', async () => {
  const options = [{ value: 'pro', label: 'Pro' }];
  backend.customFields = [
    aCustomField({ key: 'product', type: 'choice', label: 'Product', options }),
    aCustomField({ key: 'seats', type: 'number', label: 'Seats' }),
    aCustomField({ key: 'order', label: 'Order number' }),
  ];
  backend.macros = [aMacro({ name: 'Shipped', changes: { custom_fields: { gone: 'x' } }, owner_id: backend.me.user_id })];
  const { person } = renderApp('/canned-replies');
  expect(await screen.findByText('gone: x')).toBeInTheDocument();
  await person.click(screen.getByRole('button', { name: 'Edit Shipped' }));
  const dialog = within(await screen.findByRole('dialog'));
  const add = async (label: string) => {
    await person.click(await dialog.findByRole('combobox', { name: 'Set a field…' }));
    await person.click(await screen.findByRole('option', { name: label }));
  };
  await add('Order number');
  await add('Product');
  await person.click(dialog.getByRole('combobox', { name: 'Product' }));
  await person.click(await screen.findByRole('option', { name: 'Pro' }));
  await add('Seats');
  await waitFor(() => expect(dialog.getByLabelText('Seats')).toHaveFocus());
  await person.keyboard('many');
  const { violations } = await axe.run(screen.getByRole('dialog'), { rules: { 'color-contrast': { enabled: false } } });
  expect(violations).toEqual([]);
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  expect(dialog.getByLabelText('Seats')).toHaveAccessibleDescription('Enter a number');
  expect(dialog.getByText('This field was deleted. Remove it to save.')).toBeInTheDocument();
  await person.click(dialog.getByRole('button', { name: 'Don’t change gone' }));
  await person.clear(dialog.getByLabelText('Seats'));
  await person.type(dialog.getByLabelText('Seats'), '5');
  await person.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(backend.macros[0]?.changes).toEqual({ custom_fields: { order: null, product: 'pro', seats: 5 } }));
  expect(await screen.findByText('Product: Pro')).toBeInTheDocument();
  expect(screen.getByText('Order number: cleared')).toBeInTheDocument();
});
