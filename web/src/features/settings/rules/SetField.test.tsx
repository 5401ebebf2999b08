import { screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { aCustomField, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { api, refuse, server } from '../../../testing/server';
import { aRule, aRun, FakeRules } from './testing';

let fake: FakeRules;
beforeEach(() => {
  backend.signIn();
  fake = new FakeRules();
  server.use(...fake.handlers());
});

const open = (more = '') => renderApp(`/settings?tab=rules${more}`);
type Person = ReturnType<typeof open>['person'];
const part = async (name: string) => within(await screen.findByRole('region', { name }));
const actionRows = async () => [...(await part('Then')).getByRole('list', { name: 'Actions' }).children] as HTMLElement[];
const choose = async (person: Person, control: HTMLElement, option: string | RegExp) => {
  await person.click(control);
  await person.click(await screen.findByRole('option', { name: option }));
};
const sent = (call: string) => fake.sent.find((each) => each.call === call)?.body;

describe('custom fields in rules', () => {
  const options = ['Basic', 'Pro'].map((label) => ({ value: label.toLowerCase(), label }));
  const product = aCustomField({ key: 'product', label: 'Product', type: 'choice', options });
  const seats = aCustomField({ key: 'seats', label: 'Seats', type: 'number' });
  const deleted = aCustomField({ key: 'old', label: 'Old field', deleted_at: '2026-11-20T10:05:00.000Z' });
  const sentence = () => screen.getByText((_, element) => element?.tagName === 'P' && element.textContent.startsWith('When '));

  it('are set and cleared, in conditions and actions', async () => {
    backend.customFields = [product, seats, deleted];
    const { person } = open('&rule=new');
    await person.type(await screen.findByRole('textbox', { name: 'Name' }), 'Upgrade');
    await choose(person, (await part('If')).getByRole('combobox', { name: 'Tickets' }), 'Tickets that match all conditions');
    await choose(person, (await part('If')).getByRole('combobox', { name: 'Field' }), 'Product');
    await person.click((await part('If')).getByRole('combobox', { name: 'Value' }));
    await person.click(await screen.findByRole('option', { name: 'Basic' }));
    await person.keyboard('{Escape}');
    const row = within((await actionRows())[0]!);
    await choose(person, row.getByRole('combobox', { name: 'Action' }), 'Set a custom field');
    expect(sentence()).toHaveTextContent('When a ticket is created and Product is Basic, set a custom field.');
    await person.click(screen.getByRole('button', { name: 'Create, turned off' }));
    // The placeholder has the same text.
    expect(row.getByRole('combobox', { name: 'Custom field' })).toHaveAccessibleDescription('Choose a field');
    await person.click(row.getByRole('combobox', { name: 'Custom field' }));
    expect(screen.queryByRole('option', { name: 'Old field' })).not.toBeInTheDocument();
    await person.click(await screen.findByRole('option', { name: 'Product' }));
    expect(sentence()).toHaveTextContent('When a ticket is created and Product is Basic, clear Product.');
    expect(row.getByRole('combobox', { name: 'Product' })).toHaveAccessibleDescription('Leave empty to clear the field');
    await choose(person, row.getByRole('combobox', { name: 'Product' }), 'Pro');
    expect(sentence()).toHaveTextContent('When a ticket is created and Product is Basic, set Product to Pro.');
    await person.click(screen.getByRole('button', { name: 'Create, turned off' }));
    await screen.findByText('Rule saved, turned off');
    expect(sent('create')).toMatchObject({
      condition: { all: [{ field: 'custom_fields.product', op: 'is_any_of', value: ['basic'] }] },
      actions: [{ type: 'set_field', key: 'product', value: 'pro' }],
    });
  });

  it('are not offered where there are none', async () => {
    backend.customFields = [deleted];
    const { person } = open('&rule=new');
    const row = within((await actionRows())[0]!);
    await person.click(row.getByRole('combobox', { name: 'Action' }));
    expect(await screen.findByRole('option', { name: 'Add tags' })).toBeInTheDocument();
    expect(screen.queryByRole('option', { name: 'Set a custom field' })).not.toBeInTheDocument();
  });

  it('refuse a text that is not a number, and show the server’s problem', async () => {
    backend.customFields = [seats];
    fake.rules = [aRule({ actions: [{ type: 'set_field', key: 'seats', value: 5 }] })];
    const { person } = open(`&rule=${fake.rules[0]!.id}`);
    const input = await screen.findByRole('textbox', { name: 'Seats' });
    await person.clear(input);
    await person.type(input, 'many');
    await person.click(screen.getByRole('button', { name: 'Save' }));
    expect(input).toHaveAccessibleDescription('Enter a number');
    expect(fake.sent).toEqual([]);
    const errors = [{ path: 'actions.0.value', code: 'invalid', message: 'Too many seats' }];
    server.use(http.patch(api('/rules/:id'), () => refuse('request.invalid', { errors })));
    await person.clear(input);
    await person.type(input, '1,000');
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(input).toHaveAccessibleDescription('Too many seats'));
  });

  it('that no longer exist are named, and can be replaced', async () => {
    backend.customFields = [product, deleted];
    fake.rules = [
      aRule({
        is_active: false,
        disabled_reason: { code: 'invalid', detail: 'Old field' },
        condition: { all: [{ field: 'custom_fields.purged', op: 'is_not_empty' }] },
        actions: [{ type: 'set_field', key: 'old', value: 'A1' }],
      }),
    ];
    const { person } = open(`&rule=${fake.rules[0]!.id}`);
    const head = await screen.findByRole('region', { name: 'Refunds to Ada' });
    expect(head).toHaveTextContent('When a ticket is created and purged is not empty, set Old field to A1.');
    expect(head).toHaveTextContent('Turned off: part of this rule is no longer valid (Old field). Correct it and turn the rule on again.');
    const row = within((await actionRows())[0]!);
    const field = row.getByRole('combobox', { name: 'Custom field' });
    expect(field).toHaveAccessibleDescription('This field no longer exists. Choose another one.');
    const { violations } = await axe.run(document.querySelector('#content') ?? document.body, {
      rules: { 'color-contrast': { enabled: false } },
    });
    expect(violations.map(({ id }) => id)).toEqual([]);
    await choose(person, field, 'Product');
    await person.click((await part('If')).getByRole('button', { name: 'Remove the condition on purged' }));
    await person.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Rule saved');
    expect(sent('update')).toEqual({ condition: { all: [] }, actions: [{ type: 'set_field', key: 'product', value: null }] });
  });

  it('are named in runs', async () => {
    const addOns = aCustomField({ key: 'add_ons', label: 'Add-ons', type: 'choices', options });
    backend.customFields = [product, addOns, deleted];
    fake.rules = [aRule()];
    fake.runs = [
      aRun({
        changes: {
          'custom_fields.product': { from: null, to: 'pro' },
          'custom_fields.add_ons': { from: ['basic'], to: ['basic', 'pro'] },
          'custom_fields.old': { from: 'A1', to: null },
          'custom_fields.purged': { from: false, to: 'x' },
        },
      }),
    ];
    open(`&rule=${fake.rules[0]!.id}`);
    const runs = within(await screen.findByRole('list', { name: 'Runs, newest first' }));
    for (const text of ['Product: none → Pro', 'Add-ons: Basic → Basic, Pro', 'Old field: A1 → none', 'purged: No → x'])
      expect(runs.getByText(text)).toBeInTheDocument();
  });
});
