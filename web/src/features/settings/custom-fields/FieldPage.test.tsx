import { screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { aCustomField, aSession, backend, organization } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';
import { FakeFieldSettings } from './testing';

let fake: FakeFieldSettings;
beforeEach(() => {
  backend.signIn();
  fake = new FakeFieldSettings();
  server.use(...fake.handlers());
});

const open = (more: string) => renderApp(`/settings?tab=fields${more}`);
type Person = ReturnType<typeof open>['person'];
const part = async (name: string) => within(await screen.findByRole('region', { name }));
const choose = async (person: Person, control: HTMLElement, option: string) => {
  await person.click(control);
  await person.click(await screen.findByRole('option', { name: option }));
};
const box = (name: string | RegExp) => screen.findByRole('textbox', { name });
const options = async () => (await part('Options')).getAllByRole('textbox').map((input) => (input as HTMLInputElement).value);
const sent = (call: string) => fake.sent.find((each) => each.call === call)?.body;
const press = (person: Person, name: string) => person.click(screen.getByRole('button', { name }));

const plans = ['Basic', 'Pro'].map((label) => ({ value: label.toLowerCase(), label }));
const aPlan = (more: Parameters<typeof aCustomField>[0] = {}) =>
  aCustomField({ key: 'plan', type: 'choice', label: 'Plan', options: plans, ...more });
/** An organization whose customers also read German and Arabic. */
const offerLanguages = () => {
  const session = aSession(backend.me);
  backend.signIn({ ...session, organization: { ...session.organization!, languages: { default: 'en', offered: ['en', 'de', 'ar'] } } });
};

describe('a new field', () => {
  it('gets its key from its label, and all settings', async () => {
    const categories = ['Billing', 'Returns'].map((name) => ({ name, translations: {} }));
    server.use(http.get(api('/organizations/:id'), () => answer({ ...organization, categories })));
    const { person, address } = open('');
    backend.customFields = [aCustomField({ key: 'seats', label: 'Seats' })];
    await person.click(await screen.findByRole('button', { name: 'New field' }));
    await person.type(await box('Label'), ' Order number ');
    expect(await box('Key')).toHaveValue('order_number');
    await choose(person, screen.getByRole('combobox', { name: 'Type' }), 'Number');
    await person.type(await box(/^Hint/), 'As on the receipt');
    await person.type(screen.getByRole('combobox', { name: 'Categories' }), 'Billing{Enter}Other,');
    await person.click(screen.getByRole('checkbox', { name: 'Required to resolve' }));
    await choose(person, screen.getByRole('combobox', { name: 'Customer forms' }), 'Required');
    await person.click(screen.getByRole('checkbox', { name: 'Shown to customers' }));
    const widget = screen.getByRole('checkbox', { name: 'Set by the widget' });
    expect(widget).toHaveAccessibleDescription(/data-field-order-number\. Visitors could change the value/);
    await person.click(widget);
    await press(person, 'Create field');
    expect(await screen.findByText('Field created')).toBeInTheDocument();
    expect(sent('create')).toEqual({
      key: 'order_number',
      type: 'number',
      label: 'Order number',
      hint: 'As on the receipt',
      options: [],
      categories: ['Billing', 'Other'],
      form: 'required',
      shown_to_customers: true,
      set_by_widget: true,
      required_to_resolve: true,
      translations: {},
    });
    expect(address()).toBe('/settings?tab=fields');
    const list = within(await screen.findByRole('list', { name: 'Custom fields' }));
    expect(list.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Seats', 'Order number']);
  });

  it('has a key that no other field has, also no deleted one', async () => {
    backend.customFields = [aCustomField({ deleted_at: new Date().toISOString(), position: 0 })];
    const { person } = open('&field=new&suggestion=order_number');
    expect(await box('Key')).toHaveValue('order_number_2');
    await person.clear(await box('Key'));
    await person.type(await box('Key'), 'order_number');
    await person.type(await box('Label'), '!');
    expect(await box('Key')).toHaveValue('order_number');
    await press(person, 'Create field');
    expect(await box('Key')).toHaveAccessibleDescription(/^Another field, possibly a deleted one, has this key/);
    expect(await box('Key')).toHaveFocus();
    await person.clear(await box('Key'));
    await person.tab();
    expect(await box('Key')).toHaveValue('order_number_2');
  });

  it('shows what is missing, and sends nothing', async () => {
    const { person } = open('&field=new&suggestion=product');
    await person.clear(await box('Label'));
    await press(person, 'Create field');
    expect(screen.getByText('Enter a label')).toBeInTheDocument();
    expect(screen.getByText('Add at least one option')).toBeInTheDocument();
    expect(await box('Label')).toHaveFocus();
    expect(fake.sent).toEqual([]);
  });

  it.each([
    ['custom_field.key_taken', {}, /has this key/],
    ['custom_field.too_many', {}, 'There are too many custom fields. Remove one first.'],
    ['request.invalid', { errors: [{ path: 'label', code: 'custom', message: 'Too vague' }] }, 'Too vague'],
  ] as const)('shows the server’s problem %s at its input', async (code, more, message) => {
    server.use(http.post(api('/custom-fields'), () => refuse(code, more)));
    const { person } = open('&field=new&suggestion=order_number');
    await box('Label');
    await press(person, 'Create field');
    expect(await screen.findByText(message)).toBeInTheDocument();
    expect(await box('Label')).toHaveValue('Order number');
  });

  it('is kept while the user visits another page, and discarded by Cancel', async () => {
    const { person } = open('&field=new');
    await person.type(await box('Label'), 'Color');
    await person.click(screen.getByRole('link', { name: 'Canned replies' }));
    await person.click(await screen.findByRole('link', { name: 'Custom fields' }));
    await person.click(await screen.findByRole('button', { name: /^Another field/ }));
    expect(await box('Label')).toHaveValue('Color');
    await person.click(screen.getByRole('link', { name: 'Cancel' }));
    await person.click(await screen.findByRole('button', { name: /^Another field/ }));
    expect(await box('Label')).toHaveValue('');
  });
});

describe('the options of a choice', () => {
  it('are added with Enter and get their values from their labels', async () => {
    const { person } = open('&field=new&suggestion=product');
    await person.type(await box('Option 1'), 'Desk lamp{Enter}Chair{Enter}');
    expect(await box('Option 3')).toHaveFocus();
    await person.keyboard('{Enter}');
    expect(await options()).toEqual(['Desk lamp', 'Chair', '']);
    expect((await part('Options')).getByText('desk_lamp')).toBeInTheDocument();
    await press(person, 'Create field');
    await waitFor(() =>
      expect(sent('create')).toMatchObject({
        options: [
          { value: 'desk_lamp', label: 'Desk lamp' },
          { value: 'chair', label: 'Chair' },
        ],
      }),
    );
  });

  it('are pasted as lines, without repetitions', async () => {
    const { person } = open('&field=new&suggestion=product');
    await person.type(await box('Option 1'), 'Lamp{Enter}');
    await person.paste('Chair\r\n\n Table \nLamp\nChair');
    expect(await options()).toEqual(['Lamp', 'Chair', 'Table']);
    await waitFor(async () => expect(await box('Option 3')).toHaveFocus());
    await person.click(await box('Option 1'));
    await person.paste('s');
    expect(await options()).toEqual(['Lamps', 'Chair', 'Table']);
  });

  it('are at most 100', async () => {
    const { person } = open('&field=new&suggestion=product');
    await person.click(await box('Option 1'));
    await person.paste(Array.from({ length: 120 }, (_, index) => `Option ${index}`).join('\n'));
    expect(await options()).toHaveLength(100);
    expect(screen.getByRole('button', { name: 'Add option' })).toBeDisabled();
    expect(await screen.findByText('A field has at most 100 options. The others weren’t added.')).toBeInTheDocument();
  });

  it('are renamed, reordered and removed without changing the values of the others', async () => {
    backend.customFields = [aPlan({ options: [...plans, { value: 'free', label: 'Free' }] })];
    const { person } = open(`&field=${backend.customFields[0]!.id}`);
    await person.clear(await box('Option 1'));
    await person.type(await box('Option 1'), 'Starter');
    screen.getByRole('button', { name: 'Move Free' }).focus();
    await person.keyboard('{Home}');
    expect(await options()).toEqual(['Free', 'Starter', 'Pro']);
    expect(screen.getByRole('button', { name: 'Move Free' })).toHaveFocus();
    await press(person, 'Actions for Pro');
    await person.click(await screen.findByRole('menuitem', { name: 'Remove' }));
    await waitFor(async () => expect(await box('Option 2')).toHaveFocus());
    await press(person, 'Actions for Starter');
    await person.click(await screen.findByRole('menuitem', { name: 'Move up' }));
    await press(person, 'Save');
    expect(await screen.findByText('Field saved')).toBeInTheDocument();
    expect(sent('update')).toEqual({
      options: [
        { value: 'basic', label: 'Starter' },
        { value: 'free', label: 'Free' },
      ],
    });
  });

  it('show the server’s problem at the option', async () => {
    backend.customFields = [aPlan()];
    const errors = [{ path: 'options.1.label', code: 'custom', message: 'Not allowed' }];
    server.use(http.patch(api('/custom-fields/:id'), () => refuse('request.invalid', { errors })));
    const { person } = open(`&field=${backend.customFields[0]!.id}`);
    await person.type(await box('Option 2'), '!');
    await press(person, 'Save');
    await waitFor(async () => expect(await box('Option 2')).toHaveAccessibleDescription('Not allowed'));
    expect(await box('Option 2')).toHaveFocus();
  });
});

describe('an existing field', () => {
  it('shows its type and key, which cannot be changed, without accessibility violations', async () => {
    offerLanguages();
    backend.customFields = [aPlan()];
    open(`&field=${backend.customFields[0]!.id}`);
    expect(await screen.findByText('Type and key can’t be changed after the field is created.')).toBeInTheDocument();
    expect(screen.getByText('plan')).toBeInTheDocument();
    expect(screen.queryByRole('textbox', { name: 'Key' })).not.toBeInTheDocument();
    expect(screen.queryByRole('combobox', { name: 'Type' })).not.toBeInTheDocument();
    const form = screen.getByRole('heading', { name: 'Plan' }).closest('form')!;
    const { violations } = await axe.run(form, { rules: { 'color-contrast': { enabled: false } } });
    expect(violations.map(({ id }) => id)).toEqual([]);
  });

  it('sends only what the user has changed, and keeps it until it is saved', async () => {
    backend.customFields = [aPlan({ categories: ['Billing'] })];
    const { person } = open(`&field=${backend.customFields[0]!.id}`);
    await person.click(await screen.findByRole('checkbox', { name: 'Required to resolve' }));
    await person.click(screen.getByRole('button', { name: 'Remove Billing' }));
    expect(screen.getByText('Unsaved: Categories, Required to resolve')).toBeInTheDocument();
    await person.click(screen.getByRole('link', { name: 'All custom fields' }));
    // Another admin renames the field.
    backend.customFields = [{ ...backend.customFields[0]!, label: 'Subscription' }];
    await person.click(screen.getByRole('link', { name: 'Canned replies' }));
    await person.click(await screen.findByRole('link', { name: 'Custom fields' }));
    await person.click(await screen.findByRole('link', { name: 'Subscription' }));
    expect(await screen.findByRole('checkbox', { name: 'Required to resolve' })).toBeChecked();
    expect(await box('Label')).toHaveValue('Subscription');
    await press(person, 'Save');
    await waitFor(() => expect(sent('update')).toEqual({ categories: [], required_to_resolve: true }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled());
  });

  it('discards the changes', async () => {
    backend.customFields = [aPlan()];
    const { person } = open(`&field=${backend.customFields[0]!.id}`);
    await person.type(await box('Label'), 's');
    await press(person, 'Discard');
    expect(await box('Label')).toHaveValue('Plan');
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
  });

  it('reports other problems in a toast', async () => {
    backend.customFields = [aPlan()];
    server.use(http.patch(api('/custom-fields/:id'), () => refuse('custom_field.not_found')));
    const { person } = open(`&field=${backend.customFields[0]!.id}`);
    await person.type(await box('Label'), 's');
    await press(person, 'Save');
    expect(await screen.findByText('Couldn’t save the field. This custom field does not exist')).toBeInTheDocument();
    expect(await box('Label')).toHaveValue('Plans');
  });
});

describe('the translations', () => {
  beforeEach(offerLanguages);

  it('are entered per language, with the options', async () => {
    backend.customFields = [aPlan()];
    const { person } = open(`&field=${backend.customFields[0]!.id}`);
    const texts = await part('Translations');
    await person.type(texts.getByRole('textbox', { name: 'Label' }), 'Tarif');
    await person.type(texts.getByRole('textbox', { name: 'Option “Pro”' }), 'Profi');
    await choose(person, texts.getByRole('combobox', { name: 'Language' }), 'العربية (no text)');
    const label = texts.getByRole('textbox', { name: 'Label' });
    expect(label).toHaveValue('');
    expect(label).toHaveAttribute('dir', 'rtl');
    await person.type(label, 'خطة');
    await press(person, 'Save');
    await waitFor(() =>
      expect(sent('update')).toEqual({
        translations: { de: { label: 'Tarif', hint: null, options: { pro: 'Profi' } }, ar: { label: 'خطة', hint: null, options: {} } },
      }),
    );
  });

  it('show the language whose label is missing', async () => {
    backend.customFields = [aPlan()];
    const { person } = open(`&field=${backend.customFields[0]!.id}`);
    const texts = await part('Translations');
    await person.type(texts.getByRole('textbox', { name: 'Hint' }), 'Siehe Rechnung');
    await choose(person, texts.getByRole('combobox', { name: 'Language' }), 'العربية (no text)');
    await press(person, 'Save');
    expect(await screen.findByText('Enter the label in this language, too')).toBeInTheDocument();
    expect(texts.getByRole('combobox', { name: 'Language' })).toHaveTextContent('Deutsch');
    expect(texts.getByRole('textbox', { name: 'Label' })).toHaveFocus();
    expect(fake.sent).toEqual([]);
  });

  it('are not there if the organization offers one language', async () => {
    backend.signIn();
    backend.customFields = [aPlan()];
    open(`&field=${backend.customFields[0]!.id}`);
    await box('Label');
    expect(screen.queryByRole('region', { name: 'Translations' })).not.toBeInTheDocument();
  });
});
