/** @jsxImportSource preact */
import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { http } from 'msw';
import { render } from 'preact';
import type { FormField } from '@tandem/contracts';
import type { Language } from '@tandem/contracts/values';
import { backend } from '../../testing/backend';
import { answer, api, refuse, server } from '../../testing/server';
import { App } from './App';
import { readParameters } from './parameters';
import { widgetStorage } from './storage';

const aField = (key: string, type: FormField['type'], more: Partial<FormField> = {}): FormField => ({
  key,
  type,
  label: key,
  hint: null,
  options: [],
  categories: [],
  form: 'optional',
  translations: {},
  ...more,
});
const colors = [
  { value: 'red', label: 'Red' },
  { value: 'blue', label: 'Blue' },
];
const orderNumber = aField('order_number', 'text', { label: 'Order number', hint: 'On your invoice', form: 'required' });

let fields: FormField[];
let language: Language;
let bodies: Record<string, unknown>[];

beforeEach(() => {
  fields = [];
  language = 'en';
  bodies = [];
  server.use(
    http.get(api('/widget/v1/config'), () =>
      answer({
        name: 'Northwind Coffee',
        branding: { primary_color: '#3B82F6', secondary_color: '#8B5CF6', logo_url: null, favicon_url: null, hide_powered_by: false },
        identity_required: false,
        theme: 'auto',
        portal_url: 'https://acme.desk.example',
        languages: { default: language, offered: [language] },
      }),
    ),
    http.get(api('/widget/v1/form-fields'), ({ request }) =>
      new URL(request.url).searchParams.get('organization') === 'acme' ? answer(fields) : refuse('organization.not_found'),
    ),
    http.post(api('/widget/v1/tickets'), async ({ request }) => {
      bodies.push((await request.json()) as Record<string, unknown>);
      return refuse('limit.exceeded');
    }),
  );
});
afterEach(() => {
  render(null, document.body);
  document.documentElement.lang = 'en';
  document.documentElement.dir = 'ltr';
});

/** Opens the form on a site that sets these custom fields by attributes, and fills in its own inputs. */
async function openForm(attributes: Record<string, string> = {}) {
  const hash = new URLSearchParams({ host: location.origin });
  for (const [name, value] of Object.entries(attributes)) hash.set(name, value);
  render(<App parameters={readParameters({ search: '?organization=acme', hash: `#${hash.toString()}` })} />, document.body);
  const person = userEvent.setup();
  const button = await screen.findByRole('button', { name: 'Submit ticket' });
  fireEvent.input(screen.getByLabelText('Subject'), { target: { value: 'Wrong grind' } });
  fireEvent.input(screen.getByLabelText('Email'), { target: { value: 'jonas@example.com' } });
  await waitFor(() => expect(backend.calls).toContain('GET /widget/v1/form-fields?organization=acme'));
  return { person, send: () => person.click(button) };
}
const sent = async () => {
  await waitFor(() => expect(bodies).toHaveLength(1));
  return bodies[0]!.custom_fields;
};

it('sends a value of each type, and none for fields that are left empty', async () => {
  fields = [
    orderNumber,
    aField('story', 'long_text'),
    aField('bags', 'number'),
    aField('bought_on', 'date'),
    aField('opened', 'yes_no'),
    aField('color', 'choice', { options: colors }),
    aField('others', 'choices', { options: colors }),
    aField('untouched', 'text'),
  ];
  const { person, send } = await openForm();
  await person.type(await screen.findByLabelText('Order number'), 'A-17');
  await person.type(screen.getByLabelText(/^story/), 'Long');
  await person.type(screen.getByLabelText(/^bags/), '12');
  fireEvent.input(screen.getByLabelText(/^bought_on/), { target: { value: '2026-03-31' } });
  await person.selectOptions(screen.getByLabelText(/^opened/), 'Yes');
  await person.selectOptions(screen.getByLabelText(/^color/), 'Blue');
  await person.click(within(screen.getByRole('group', { name: /^others/ })).getByLabelText('Red'));
  await send();
  expect(await sent()).toEqual({
    order_number: 'A-17',
    story: 'Long',
    bags: 12,
    bought_on: '2026-03-31',
    opened: true,
    color: 'blue',
    others: ['red'],
  });
});

it('has no accessibility problems, with and without errors', async () => {
  fields = [orderNumber, aField('others', 'choices', { label: 'Colors', hint: 'All that apply', options: colors, form: 'required' })];
  const { send } = await openForm();
  const group = await screen.findByRole('group', { name: 'Colors' });
  const check = async () => {
    const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } });
    expect(violations).toEqual([]);
  };
  await check();
  await send();
  await waitFor(() => expect(group).toHaveAccessibleDescription('Choose an option All that apply'));
  await check();
});

it('refuses a required field without a value, at the field', async () => {
  fields = [orderNumber];
  const { person, send } = await openForm();
  const input = await screen.findByLabelText('Order number');
  expect(input).toBeRequired();
  await send();
  expect(await screen.findByRole('alert')).toHaveTextContent('Some fields need your attention');
  expect(input).toHaveAccessibleDescription('Fill in this field On your invoice');
  await waitFor(() => expect(input).toHaveFocus());
  expect(bodies).toEqual([]);
  await person.keyboard('A-17');
  await send();
  expect(await sent()).toEqual({ order_number: 'A-17' });
});

it('does not ask for fields of certain categories, which its tickets do not have', async () => {
  fields = [aField('invoice', 'text', { categories: ['Billing'], form: 'required' }), orderNumber];
  const { person, send } = await openForm();
  await person.type(await screen.findByLabelText('Order number'), 'A-17');
  expect(screen.queryByLabelText('invoice')).not.toBeInTheDocument();
  await send();
  expect(await sent()).toEqual({ order_number: 'A-17' });
});

it('shows the server’s problem at a field that the form has not asked for yet', async () => {
  const errors = [{ path: 'custom_fields.order_number', code: 'required', message: 'Order number is required' }];
  server.use(http.post(api('/widget/v1/tickets'), () => refuse('request.invalid', { errors })));
  const { send } = await openForm();
  fields = [orderNumber];
  await send();
  const input = await screen.findByLabelText('Order number');
  await waitFor(() => expect(input).toHaveAccessibleDescription('Order number is required On your invoice'));
  await waitFor(() => expect(input).toHaveFocus());
});

it('shows labels, hints and options in the visitor’s language', async () => {
  language = 'ar';
  const arabic = { label: 'اللون', hint: 'على الكيس', options: { red: 'أحمر' } };
  fields = [
    aField('color', 'choice', { label: 'Color', hint: 'On the bag', options: colors, form: 'required', translations: { ar: arabic } }),
  ];
  render(<App parameters={readParameters({ search: '?organization=acme', hash: '' })} />, document.body);
  const select = await screen.findByLabelText('اللون');
  expect(select).toHaveAccessibleDescription('على الكيس');
  expect(
    within(select)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['اختر أحد الخيارات', 'أحمر', 'Blue']);
});

describe('values that the site sets', () => {
  it('fill in the inputs, and are sent in the type of the field', async () => {
    fields = [
      orderNumber,
      aField('bags', 'number'),
      aField('opened', 'yes_no'),
      aField('others', 'choices', { options: colors }),
      aField('color', 'choice', { options: colors }),
    ];
    const { send } = await openForm({
      fieldOrderNumber: 'A-17',
      fieldBags: '12',
      fieldOpened: 'yes',
      fieldOthers: 'red, blue',
      fieldColor: 'green',
    });
    expect(await screen.findByLabelText('Order number')).toHaveValue('A-17');
    expect(screen.getByLabelText(/^bags/)).toHaveValue(12);
    expect(screen.getByLabelText(/^opened/)).toHaveDisplayValue('Yes');
    expect(screen.getByLabelText('Blue')).toBeChecked();
    // The field has no such option.
    expect(screen.getByLabelText(/^color/)).toHaveDisplayValue('Choose an option');
    await send();
    expect(await sent()).toEqual({ order_number: 'A-17', bags: 12, opened: true, others: ['red', 'blue'] });
  });

  it('are sent as texts for fields that the form does not ask for', async () => {
    const { send } = await openForm({ fieldSeats: '12', fieldPlan: 'pro', fieldEmpty: ' ' });
    await send();
    expect(await sent()).toEqual({ seats: '12', plan: 'pro' });
  });

  it('are sent as texts if the fields do not load', async () => {
    server.use(http.get(api('/widget/v1/form-fields'), () => refuse('service.unavailable')));
    const { send } = await openForm({ fieldOrderNumber: 'A-17' });
    await send();
    expect(await sent()).toEqual({ order_number: 'A-17' });
  });

  it('give way to what the visitor enters, even nothing, but do not become part of the draft', async () => {
    fields = [aField('order_number', 'text', { label: 'Order number' }), aField('plan', 'text')];
    const { person, send } = await openForm({ fieldOrderNumber: 'A-17', fieldPlan: 'pro' });
    await person.clear(await screen.findByLabelText(/^Order number/));
    await send();
    expect(await sent()).toEqual({ plan: 'pro' });
    expect(widgetStorage('acme').draft('new')).toMatchObject({ 'custom_fields.order_number': '' });
    expect(widgetStorage('acme').draft('new')).not.toHaveProperty('custom_fields.plan');
  });

  it('can come from scripts, one after the other', async () => {
    const site = document.createElement('iframe');
    document.documentElement.append(site);
    jest.spyOn(window, 'parent', 'get').mockReturnValue(site.contentWindow!);
    const prefill = (values: object) =>
      fireEvent(
        window,
        new MessageEvent('message', {
          data: { tandem: { type: 'prefill', values } },
          origin: location.origin,
          source: site.contentWindow,
        }),
      );
    fields = [orderNumber];
    const { send } = await openForm({ fieldPlan: 'free' });
    prefill({ custom_fields: { order_number: 'A-17', seats: 12 } });
    prefill({ custom_fields: { plan: 'pro' } });
    await waitFor(() => expect(screen.getByLabelText('Order number')).toHaveValue('A-17'));
    await send();
    expect(await sent()).toEqual({ order_number: 'A-17', seats: 12, plan: 'pro' });
    site.remove();
    jest.restoreAllMocks();
  });
});
