import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { FormField } from '@tandem/contracts';
import { languages } from '@tandem/contracts/values';
import axe from 'axe-core';
import { http } from 'msw';
import { backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';
import { publicOrganization, serveSite } from '../../testing/site';
import { aPublicTicket, portal } from './testing';

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
let bodies: Record<string, unknown>[];

beforeEach(() => {
  portal();
  fields = [];
  bodies = [];
  const ticket = aPublicTicket();
  server.use(
    http.get(api('/public/form-fields'), () => answer(fields)),
    http.post(api('/public/tickets'), async ({ request }) => {
      bodies.push((await request.json()) as Record<string, unknown>);
      return answer(ticket, { status: 201 });
    }),
    http.get(api('/public/tickets/:id'), () => answer(ticket)),
  );
});

/** Opens the form with its own fields filled in, and waits for the custom fields. */
async function openForm() {
  const view = renderApp('/submit-ticket');
  fireEvent.change(await screen.findByLabelText(/^Subject/), { target: { value: 'Wrong grind' } });
  fireEvent.change(screen.getByLabelText(/^Email/), { target: { value: 'jonas@example.com' } });
  await waitFor(() => expect(backend.calls).toContain('GET /public/form-fields'));
  const send = () => view.person.click(screen.getByRole('button', { name: 'Submit ticket' }));
  return { ...view, send };
}
const sent = async () => {
  await waitFor(() => expect(bodies).toHaveLength(1));
  return bodies[0]!.custom_fields;
};

describe('the form', () => {
  it('sends a value of each type, and none for fields that are left empty', async () => {
    fields = [
      orderNumber,
      aField('story', 'long_text'),
      aField('bags', 'number'),
      aField('bought_on', 'date'),
      aField('opened', 'yes_no'),
      aField('color', 'choice', { options: colors }),
      aField('others', 'choices', { options: colors }),
      aField('untouched', 'choices', { options: colors }),
    ];
    const { person, send } = await openForm();
    await person.type(await screen.findByLabelText('Order number'), ' A-17 ');
    await person.type(screen.getByLabelText(/^story/), 'Long');
    await person.type(screen.getByLabelText(/^bags/), '12.5');
    fireEvent.change(screen.getByLabelText(/^bought_on/), { target: { value: '2026-03-31' } });
    await person.selectOptions(screen.getByLabelText(/^opened/), 'No');
    await person.selectOptions(screen.getByLabelText(/^color/), 'Blue');
    const others = within(screen.getByRole('group', { name: /^others/ }));
    await person.click(others.getByLabelText('Blue'));
    await person.click(others.getByLabelText('Red'));
    await send();
    expect(await sent()).toEqual({
      order_number: 'A-17',
      story: 'Long',
      bags: 12.5,
      bought_on: '2026-03-31',
      opened: false,
      color: 'blue',
      others: ['red', 'blue'],
    });
  });

  it('has no accessibility problems, with and without errors', async () => {
    fields = [orderNumber, aField('others', 'choices', { label: 'Colors', hint: 'All that apply', options: colors, form: 'required' })];
    const { send } = await openForm();
    await screen.findByRole('group', { name: 'Colors' });
    const check = async () => {
      const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } });
      expect(violations).toEqual([]);
    };
    await check();
    await send();
    expect(screen.getByRole('group', { name: 'Colors' })).toHaveAccessibleDescription('Choose an option All that apply');
    await check();
  });

  it('refuses a required field without a value, at the field', async () => {
    fields = [orderNumber];
    const { person, send } = await openForm();
    const input = await screen.findByLabelText('Order number');
    expect(input).toBeRequired();
    await send();
    expect(await screen.findByText('Some fields need your attention')).toBeInTheDocument();
    expect(input).toHaveFocus();
    expect(input).toHaveAccessibleDescription('Fill in this field On your invoice');
    expect(bodies).toEqual([]);

    await person.keyboard('A-17');
    await send();
    expect(await sent()).toEqual({ order_number: 'A-17' });
  });

  it('focuses the first option of required choices that have none', async () => {
    fields = [aField('others', 'choices', { options: colors, form: 'required' })];
    const { send } = await openForm();
    await screen.findByRole('group', { name: 'others' });
    await send();
    expect(screen.getByLabelText('Red')).toHaveFocus();
    expect(screen.getByLabelText('Red')).toBeInvalid();
  });

  it('refuses a number that the browser cannot read, instead of sending no value', async () => {
    fields = [aField('bags', 'number')];
    const { send } = await openForm();
    const input = await screen.findByLabelText(/^bags/);
    Object.defineProperty(input, 'validity', { value: { badInput: true }, configurable: true });
    await send();
    expect(input).toHaveAccessibleDescription('Enter a number');
    expect(bodies).toEqual([]);
  });

  it('asks for the fields of the chosen category, and sends no values of others', async () => {
    serveSite({
      kind: 'portal',
      organization: publicOrganization({
        categories: [
          { name: 'Billing', translations: {} },
          { name: 'Delivery', translations: {} },
        ],
      }),
    });
    fields = [aField('invoice', 'text', { categories: ['Billing'], form: 'required' }), aField('color', 'text')];
    const { person, send } = await openForm();
    expect(await screen.findByLabelText(/^color/)).toBeInTheDocument();
    expect(screen.queryByLabelText('invoice')).not.toBeInTheDocument();
    await person.click(screen.getByText('More details'));
    await person.selectOptions(screen.getByLabelText(/^Category/), 'Billing');
    await person.type(screen.getByLabelText('invoice'), 'R-1');
    await person.selectOptions(screen.getByLabelText(/^Category/), 'Delivery');
    expect(screen.queryByLabelText('invoice')).not.toBeInTheDocument();
    await person.type(screen.getByLabelText(/^color/), 'red');
    await send();
    expect(await sent()).toEqual({ color: 'red' });
  });

  it('keeps the input after a reload, until it is sent', async () => {
    fields = [orderNumber, aField('others', 'choices', { options: colors })];
    const first = await openForm();
    await first.person.type(await screen.findByLabelText('Order number'), 'A-17');
    await first.person.click(screen.getByLabelText('Blue'));
    first.unmount();

    const second = await openForm();
    expect(screen.getByLabelText('Order number')).toHaveValue('A-17');
    expect(screen.getByLabelText('Blue')).toBeChecked();
    await second.send();
    expect(await sent()).toEqual({ order_number: 'A-17', others: ['blue'] });
    await screen.findByRole('heading', { name: 'Wrong grind' });
    second.unmount();

    await openForm();
    expect(screen.getByLabelText('Order number')).toHaveValue('');
    expect(screen.getByLabelText('Blue')).not.toBeChecked();
  });

  it('can be sent if the fields do not load', async () => {
    server.use(http.get(api('/public/form-fields'), () => refuse('organization.not_found')));
    const { send } = await openForm();
    await send();
    await waitFor(() => expect(bodies).toHaveLength(1));
    expect(bodies[0]).not.toHaveProperty('custom_fields');
  });

  it('shows the server’s problem at a field that the form has not asked for yet', async () => {
    const problem = { path: 'custom_fields.order_number', code: 'required', message: 'Order number is required' };
    const { send } = await openForm();
    fields = [orderNumber];
    server.use(http.post(api('/public/tickets'), () => refuse('request.invalid', { errors: [problem] }), { once: true }));
    await send();
    const input = await screen.findByLabelText('Order number');
    expect(input).toHaveAccessibleDescription('Order number is required On your invoice');
    expect(input).toHaveFocus();
  });

  it('shows labels, hints and options in the page’s language, and the original where there is none', async () => {
    jest.spyOn(navigator, 'languages', 'get').mockReturnValue(['de']);
    serveSite({ kind: 'portal', organization: publicOrganization({ languages: { default: 'en', offered: [...languages] } }) });
    const german = { label: 'Farbe', hint: 'Auf der Tüte', options: { red: 'Rot' } };
    fields = [
      aField('color', 'choice', { label: 'Color', hint: 'On the bag', options: colors, form: 'required', translations: { de: german } }),
      aField('billing_email', 'text', { label: 'Billing address' }),
    ];
    const errors = [{ path: 'custom_fields.billing_email', code: 'invalid', message: 'At most 255 characters' }];
    server.use(http.post(api('/public/tickets'), () => refuse('request.invalid', { errors })));
    const { person } = renderApp('/submit-ticket');
    const select = await screen.findByLabelText('Farbe');
    expect(select).toHaveAccessibleDescription('Auf der Tüte');
    expect(
      within(select)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Option wählen', 'Rot', 'Blue']);
    await person.type(screen.getByLabelText('Betreff'), 'Falsch gemahlen');
    await person.type(screen.getByLabelText('E-Mail'), 'jonas@example.com');
    await person.selectOptions(select, 'Rot');
    await person.click(screen.getByRole('button', { name: 'Ticket senden' }));
    await waitFor(() => expect(screen.getByLabelText(/^Billing address/)).toHaveAccessibleDescription('Prüfen Sie dieses Feld'));
    jest.restoreAllMocks();
  });
});

describe('the ticket’s page', () => {
  async function listed(custom_fields: { field: FormField; value: string | number | boolean | string[] }[], language: 'en' | 'de' = 'en') {
    const ticket = aPublicTicket({ custom_fields, language });
    serveSite({ kind: 'portal', organization: publicOrganization({ languages: { default: 'en', offered: ['en', 'de'] } }) });
    server.use(http.get(api('/public/tickets/:id'), () => answer(ticket)));
    renderApp(`/ticket-status/${ticket.id}?email=jonas%40example.com`);
    await screen.findByRole('heading', { name: ticket.subject });
    if (language === 'de') await screen.findByLabelText('Kommentar hinzufügen');
    const texts = (role: string) => screen.queryAllByRole(role).map(({ textContent }) => textContent);
    return texts('term').map((term, index) => [term, texts('definition')[index]]);
  }

  it('lists the values in the page’s language', async () => {
    const values = [
      { field: aField('bags', 'number', { translations: { de: { label: 'Tüten', hint: null, options: {} } } }), value: 1234.5 },
      { field: aField('bought_on', 'date'), value: '2026-03-31' },
      { field: aField('opened', 'yes_no'), value: false },
      {
        field: aField('others', 'choices', {
          options: colors,
          translations: { de: { label: 'Farben', hint: null, options: { red: 'Rot' } } },
        }),
        value: ['red', 'blue', 'removed'],
      },
    ];
    expect(await listed(values, 'de')).toEqual([
      ['Tüten', '1.234,5'],
      ['bought_on', '31.03.2026'],
      ['opened', 'Nein'],
      ['Farben', 'Rot, Blue und removed'],
    ]);
  });

  it('shows a date as its calendar day, and text as it is', async () => {
    const values = [
      { field: aField('bought_on', 'date'), value: '2026-03-01' },
      { field: aField('color', 'choice', { options: colors }), value: 'red' },
      { field: aField('story', 'long_text'), value: '**bold** <b>x</b>' },
    ];
    expect(await listed(values)).toEqual([
      ['bought_on', 'Mar 1, 2026'],
      ['color', 'Red'],
      ['story', '**bold** <b>x</b>'],
    ]);
  });

  it('has no list if there are no values', async () => expect(await listed([])).toEqual([]));
});
