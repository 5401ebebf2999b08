import type { CustomField } from '@tandem/contracts';
import type { ViewCondition } from '@tandem/contracts/values';
import { screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { delay, http } from 'msw';
import { aCustomField, aView, backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { answer, api, server } from '../../testing/server';

const deletedAt = '2026-11-20T10:05:00.000Z';
const options = ['Basic', 'Pro'].map((label) => ({ value: label.toLowerCase(), label }));
const product = aCustomField({ key: 'product', label: 'Product', type: 'choice', options });

/** Opens the dialog of a view with this condition. */
async function openView(condition: ViewCondition | undefined, fields: CustomField[]) {
  backend.signIn();
  backend.customFields = fields;
  backend.views = [aView({ name: 'Mine', filter: condition ? { condition } : {} })];
  const app = renderApp('/tickets');
  await app.person.click(await screen.findByRole('button', { name: 'Actions for view Mine' }));
  await app.person.click(await screen.findByRole('menuitem', { name: 'Edit view' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit view' }));
  const choose = async (name: string, option: string) => {
    await app.person.click(await dialog.findByRole('combobox', { name }));
    await app.person.click(await screen.findByRole('option', { name: option }));
  };
  const save = async () => {
    await app.person.click(dialog.getByRole('button', { name: 'Save View' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    return backend.views[0]?.filter.condition;
  };
  return { ...app, dialog, choose, save };
}
const names = (list: readonly HTMLElement[]) => list.map(({ textContent }) => textContent);

describe('custom fields in the condition editor', () => {
  it('are a group after the other fields, without the deleted ones', async () => {
    const { person, dialog, choose } = await openView(undefined, [
      product,
      aCustomField({ key: 'old', label: 'Old field', deleted_at: deletedAt }),
    ]);
    await choose('Tickets', 'Tickets that match all conditions');
    await person.click(dialog.getByRole('combobox', { name: 'Field' }));
    const group = within(await screen.findByRole('group', { name: 'Custom fields' }));
    expect(names(group.getAllByRole('option'))).toEqual(['Product']);
    expect(names(screen.getAllByRole('option')).at(-1)).toBe('Product');
  });

  it('have no group where there are none', async () => {
    const { person, dialog, choose } = await openView(undefined, []);
    await choose('Tickets', 'Tickets that match all conditions');
    await person.click(dialog.getByRole('combobox', { name: 'Field' }));
    expect(await screen.findByRole('option', { name: 'Snoozed' })).toBeInTheDocument();
    expect(screen.queryByRole('group', { name: 'Custom fields' })).not.toBeInTheDocument();
  });

  it('are compared with options', async () => {
    const { person, dialog, choose, save } = await openView(undefined, [product]);
    await choose('Tickets', 'Tickets that match all conditions');
    await choose('Field', 'Product');
    await person.click(dialog.getByRole('combobox', { name: 'Value' }));
    await person.click(await screen.findByRole('option', { name: 'Pro' }));
    await person.click(screen.getByRole('option', { name: 'Basic' }));
    await person.keyboard('{Escape}');
    expect(await save()).toEqual({ all: [{ field: 'custom_fields.product', op: 'is_any_of', value: ['pro', 'basic'] }] });
  });

  it.each([
    ['date', 'is on or before', '2026-03-31', '2026-03-31'],
    ['number', 'is at least', '1,500', 1500],
    ['text', 'starts with', 'A1', 'A1'],
    ['long_text', 'contains', 'gift', 'gift'],
  ] as const)('of the type %s are compared: %s', async (type, comparison, typed, value) => {
    const { person, dialog, choose, save } = await openView(undefined, [aCustomField({ key: 'mine', label: 'Mine', type })]);
    await choose('Tickets', 'Tickets that match any condition');
    await choose('Field', 'Mine');
    await choose('Comparison', comparison);
    await person.type(dialog.getByLabelText('Value'), typed);
    expect(await save()).toMatchObject({ any: [{ field: 'custom_fields.mine', value }] });
  });

  it('are compared with yes or no', async () => {
    const { choose, save } = await openView(undefined, [aCustomField({ key: 'is_gift', label: 'Gift', type: 'yes_no' })]);
    await choose('Tickets', 'Tickets that match all conditions');
    await choose('Field', 'Gift');
    await choose('Value', 'No');
    expect(await save()).toEqual({ all: [{ field: 'custom_fields.is_gift', op: 'is', value: false }] });
  });

  it('keep an option that was removed, until it is deselected', async () => {
    const { person, dialog, save } = await openView({ field: 'custom_fields.product', op: 'is_any_of', value: ['legacy'] }, [product]);
    const value = await dialog.findByRole('combobox', { name: 'Value' });
    expect(value).toHaveTextContent('legacy');
    await person.click(value);
    await person.click(await screen.findByRole('option', { name: 'Pro' }));
    await person.keyboard('{Escape}');
    expect(await save()).toEqual({ all: [{ field: 'custom_fields.product', op: 'is_any_of', value: ['legacy', 'pro'] }] });
  });

  it('that no longer exist show their key and a note, and are removed or kept', async () => {
    const condition: ViewCondition = {
      all: [
        { field: 'custom_fields.purged', op: 'is', value: 'A1' },
        { field: 'custom_fields.old', op: 'is_not_empty' },
      ],
    };
    const fields = [product, aCustomField({ key: 'old', label: 'Old field', deleted_at: deletedAt })];
    const { person, dialog, save } = await openView(condition, fields);
    expect(await dialog.findAllByText('This field no longer exists')).toHaveLength(2);
    const [purged, deleted] = dialog.getAllByRole('combobox', { name: 'Field' });
    expect(purged).toHaveTextContent('purged');
    expect(purged).toHaveAccessibleDescription('This field no longer exists');
    expect(deleted).toHaveTextContent('Old field');
    expect(dialog.getByRole('textbox', { name: 'Value' })).toHaveValue('A1');
    await person.click(dialog.getByRole('button', { name: 'Remove the condition on purged' }));
    expect(await save()).toEqual({ all: [{ field: 'custom_fields.old', op: 'is_not_empty' }] });
  });

  it('do not delay the editor, and become editable when they are loaded', async () => {
    let release = () => undefined as void;
    const isReleased = new Promise<void>((resolve) => (release = resolve));
    server.use(
      http.get(api('/custom-fields'), async () => {
        await isReleased;
        await delay();
        return answer([product]);
      }),
    );
    const { dialog } = await openView({ field: 'custom_fields.product', op: 'is_any_of', value: ['pro'] }, []);
    expect(dialog.getByRole('combobox', { name: 'Field' })).toHaveTextContent('product');
    expect(dialog.getByRole('textbox', { name: 'Value' })).toBeDisabled();
    expect(dialog.queryByText('This field no longer exists')).not.toBeInTheDocument();
    release();
    expect(await dialog.findByRole('combobox', { name: 'Value' })).toHaveTextContent('Pro');
    expect(dialog.getByRole('combobox', { name: 'Field' })).toHaveTextContent('Product');
  });

  it('are accessible', async () => {
    const condition: ViewCondition = {
      all: [
        { field: 'custom_fields.product', op: 'is_any_of', value: ['pro'] },
        { field: 'custom_fields.purged', op: 'is', value: 'A1' },
      ],
    };
    await openView(condition, [product]);
    expect(await screen.findByText('This field no longer exists')).toBeInTheDocument();
    const { violations } = await axe.run(screen.getByRole('dialog'), { rules: { 'color-contrast': { enabled: false } } });
    expect(violations.map(({ id }) => id)).toEqual([]);
  });
});
