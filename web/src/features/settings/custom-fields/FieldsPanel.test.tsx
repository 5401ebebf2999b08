import { screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { aCustomField, aMember, aSession, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { api, refuse, server } from '../../../testing/server';
import { FakeFieldSettings } from './testing';

let fake: FakeFieldSettings;
beforeEach(() => {
  backend.signIn();
  fake = new FakeFieldSettings();
  server.use(...fake.handlers());
});

const open = (more = '') => renderApp(`/settings?tab=fields${more}`);
const list = async () => within(await screen.findByRole('list', { name: 'Custom fields' }));
const items = async () => (await list()).getAllByRole('listitem');
const labels = async () => (await list()).getAllByRole('link').map(({ textContent }) => textContent);
type Person = ReturnType<typeof open>['person'];
const openMenu = async (person: Person, label: string, entry: string) => {
  await person.click(await screen.findByRole('button', { name: `Actions for ${label}` }));
  await person.click(await screen.findByRole('menuitem', { name: entry }));
};
/** The accessibility violations of the list and of the deleted fields. */
const violations = async () => {
  const panel = screen.getByRole('region', { name: 'Custom fields' }).parentElement!;
  const result = await axe.run(panel, { rules: { 'color-contrast': { enabled: false } } });
  return result.violations.map(({ id }) => id);
};
const three = () =>
  ['First', 'Second', 'Third'].map((label, index) => aCustomField({ label, key: label.toLowerCase(), position: index + 1 }));
const confirm = async (person: Person) => person.click(await screen.findByRole('button', { name: 'Delete field' }));

describe('the list of custom fields', () => {
  it('shows type, key and use of each field, without accessibility violations', async () => {
    backend.customFields = [
      aCustomField({ form: 'required', shown_to_customers: true, categories: ['Billing', 'Returns'] }),
      aCustomField({ key: 'seats', type: 'number', label: 'Seats', set_by_widget: true, required_to_resolve: true }),
      aCustomField({ key: 'vip', type: 'yes_no', label: 'VIP' }),
      aCustomField({ key: 'old', label: 'Old', position: 0, deleted_at: '2026-11-20T10:00:00.000Z' }),
    ];
    open();
    const [first, second, third, ...others] = await items();
    expect(first).toHaveTextContent('Text · order_number');
    expect(first).toHaveTextContent('Required on customer forms · Shown to customers · Categories: Billing and Returns');
    expect(second).toHaveTextContent('Number · seatsSet by the widget · Required to resolve');
    expect(third).toHaveTextContent('Yes or no · vipVisible to your team only');
    expect(others).toEqual([]);
    expect(await violations()).toEqual([]);
  });

  it('opens a field, and returns to its row', async () => {
    backend.customFields = three();
    const { person, address } = open();
    await person.click(await screen.findByRole('link', { name: 'Second' }));
    expect(await screen.findByRole('heading', { name: 'Second' })).toBeInTheDocument();
    expect(address()).toBe(`/settings?tab=fields&field=${backend.customFields[1]!.id}`);
    await person.click(screen.getByRole('link', { name: 'All custom fields' }));
    expect(await screen.findByRole('link', { name: 'Second' })).toHaveFocus();
  });

  it('says what custom fields are for, and offers suggestions', async () => {
    const { person } = open();
    expect(await screen.findByText(/^Custom fields add your own data to tickets/)).toBeInTheDocument();
    expect(await violations()).toEqual([]);
    await person.click(screen.getByRole('button', { name: /^Product/ }));
    expect(await screen.findByRole('textbox', { name: 'Label' })).toHaveValue('Product');
    expect(screen.getByRole('combobox', { name: 'Type' })).toHaveTextContent('Single choice');
    expect(screen.getByRole('combobox', { name: 'Customer forms' })).toHaveTextContent('Required');
  });

  it('does not offer a new field if there are 50', async () => {
    backend.customFields = Array.from({ length: 50 }, (_, index) => aCustomField({ label: `F${index}`, key: `f${index}` }));
    open();
    expect(await screen.findByText(/You have 50 custom fields, which is the maximum/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'New field' })).toBeDisabled();
  });

  it('shows an error with a retry if it cannot be loaded', async () => {
    server.use(http.get(api('/custom-fields'), () => refuse('permission.denied'), { once: true }));
    const { person } = open();
    expect(await screen.findByText('Couldn’t load the custom fields')).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByText('No custom fields yet')).toBeInTheDocument();
  });

  it.each(['manager', 'agent'] as const)('is closed to a %s', async (role) => {
    backend.signIn(aSession(aMember({ role })));
    const { address } = open();
    await waitFor(() => expect(address()).toBe('/dashboard'));
  });
});

describe('the order of the fields', () => {
  it('changes with the arrow keys, is saved once and can be undone', async () => {
    const deleted = aCustomField({ label: 'Old', key: 'old', position: 0, deleted_at: new Date().toISOString() });
    backend.customFields = [...three(), deleted];
    const [first, second, third] = backend.customFields.map(({ id }) => id);
    const { person } = open();
    (await screen.findByRole('button', { name: 'Move First' })).focus();
    await person.keyboard('{ArrowDown}{ArrowDown}');
    expect(await labels()).toEqual(['Second', 'Third', 'First']);
    expect(await screen.findByText('Fields reordered')).toBeInTheDocument();
    expect(fake.sent).toEqual([{ call: 'order', body: [second, third, first] }]);
    expect(screen.getByText('Deleted fields (1)')).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(async () => expect(await labels()).toEqual(['First', 'Second', 'Third']));
  });

  it('changes from the menu, for those who cannot drag', async () => {
    backend.customFields = three();
    const { person } = open();
    await openMenu(person, 'Third', 'Move up');
    expect(await labels()).toEqual(['First', 'Third', 'Second']);
  });

  it('is restored if another admin has added a field', async () => {
    backend.customFields = three();
    const { person } = open();
    (await screen.findByRole('button', { name: 'Move First' })).focus();
    backend.customFields = [...backend.customFields, aCustomField({ label: 'Fourth', key: 'fourth' })];
    await person.keyboard('{End}');
    expect(await screen.findByText(/^Couldn’t reorder the fields\./)).toBeInTheDocument();
    await waitFor(async () => expect(await labels()).toEqual(['First', 'Second', 'Third', 'Fourth']));
  });
});

describe('deleting a field', () => {
  it('is confirmed, with a warning about rules', async () => {
    backend.customFields = three();
    const { person } = open();
    await openMenu(person, 'Second', 'Delete');
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete “Second”?' }));
    expect(dialog.getByText(/^Rules that use this field are turned off\./)).toBeInTheDocument();
    await person.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(fake.sent).toEqual([]);
  });

  it('moves it to the deleted fields, and the focus to the next row', async () => {
    backend.customFields = three();
    const { id } = backend.customFields[1]!;
    const { person } = open();
    await openMenu(person, 'Second', 'Delete');
    await confirm(person);
    expect(await screen.findByText('Field deleted')).toBeInTheDocument();
    expect(fake.sent).toEqual([{ call: 'delete', body: id }]);
    expect(await labels()).toEqual(['First', 'Third']);
    await waitFor(() => expect(screen.getByRole('link', { name: 'Third' })).toHaveFocus());
    expect(screen.getByText('Deleted fields (1)')).toBeInTheDocument();
  });

  it('can be undone, which restores the field at its place', async () => {
    backend.customFields = three();
    const ids = backend.customFields.map(({ id }) => id);
    const { person } = open();
    await openMenu(person, 'First', 'Delete');
    await confirm(person);
    await person.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(async () => expect(await labels()).toEqual(['First', 'Second', 'Third']));
    expect(fake.sent.map(({ call }) => call)).toEqual(['delete', 'restore', 'order']);
    expect(backend.customFields.map(({ id }) => id)).toEqual(ids);
    expect(screen.queryByText(/^Deleted fields/)).not.toBeInTheDocument();
  });

  it('works on the page of the field, and returns to the list', async () => {
    backend.customFields = three();
    const { person, address } = open(`&field=${backend.customFields[0]!.id}`);
    await person.click(await screen.findByRole('button', { name: 'Delete field' }));
    const dialog = within(await screen.findByRole('dialog'));
    await person.click(dialog.getByRole('button', { name: 'Delete field' }));
    await waitFor(async () => expect(await labels()).toEqual(['Second', 'Third']));
    expect(address()).toBe('/settings?tab=fields');
  });

  it('reports a failure, and keeps the field', async () => {
    backend.customFields = three();
    server.use(http.delete(api('/custom-fields/:id'), () => refuse('permission.denied')));
    const { person } = open();
    await openMenu(person, 'First', 'Delete');
    await confirm(person);
    expect(await screen.findByText(/^Couldn’t delete the field\./)).toBeInTheDocument();
    expect(await labels()).toEqual(['First', 'Second', 'Third']);
  });
});

describe('the deleted fields', () => {
  const deleted = () => aCustomField({ label: 'Old', key: 'old', position: 0, deleted_at: '2026-11-20T10:00:00.000Z' });

  it('are restored after the others, until their values are deleted', async () => {
    backend.customFields = [...three(), deleted()];
    const { person } = open();
    const folded = (await screen.findByText('Deleted fields (1)')).closest('details')!;
    expect(folded).not.toHaveAttribute('open');
    await person.click(screen.getByText('Deleted fields (1)'));
    expect(folded).toHaveTextContent('Values are deleted on Dec 20, 2026');
    await person.click(screen.getByRole('button', { name: 'Restore Old' }));
    expect(await screen.findByText('Field restored')).toBeInTheDocument();
    expect(await labels()).toEqual(['First', 'Second', 'Third', 'Old']);
    expect(screen.queryByText(/^Deleted fields/)).not.toBeInTheDocument();
  });

  it('cannot be restored if there are too many fields', async () => {
    backend.customFields = [deleted()];
    server.use(http.post(api('/custom-fields/:id/restore'), () => refuse('custom_field.too_many')));
    const { person } = open();
    await person.click(await screen.findByText('Deleted fields (1)'));
    await person.click(screen.getByRole('button', { name: 'Restore Old' }));
    expect(await screen.findByText('Couldn’t restore the field. There are too many custom fields. Remove one first.')).toBeInTheDocument();
    expect(screen.getByText('Deleted fields (1)')).toBeInTheDocument();
  });

  it('do not open', async () => {
    const field = deleted();
    backend.customFields = [field];
    open(`&field=${field.id}`);
    expect(await screen.findByText('This field doesn’t exist')).toBeInTheDocument();
  });
});
