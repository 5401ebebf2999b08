import { screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { aCustomField, aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';

const plans = ['Basic', 'Pro'].map((label) => ({ value: label.toLowerCase(), label }));
const order = () => aCustomField({ key: 'order', type: 'text', label: 'Order number' });
const product = () => aCustomField({ key: 'product', type: 'choice', label: 'Product', options: plans });

beforeEach(() => {
  backend.signIn();
  backend.tickets = [aTicket({ ticket_number: 'NC-0042' })];
  backend.customFields = [order(), product()];
});
const ticket = () => backend.tickets[0]!;
const open = () => renderApp(`/tickets/${ticket().id}`);
const section = async () => within(await screen.findByRole('region', { name: 'Fields' }));
const patches = () => backend.calls.filter((call) => call.startsWith('PATCH /tickets/'));

it('shows nothing without custom fields', async () => {
  backend.customFields = [aCustomField({ deleted_at: new Date().toISOString(), position: 0 })];
  open();
  await screen.findByRole('button', { name: 'Watch' });
  expect(screen.queryByRole('region', { name: 'Fields' })).not.toBeInTheDocument();
});

it('shows the fields of the category, and others that have a value', async () => {
  ticket().category = 'Orders';
  ticket().custom_fields = { serial: 'S-1', product: 'legacy' };
  backend.customFields = [
    order(),
    { ...product(), categories: ['Orders'] },
    aCustomField({ key: 'serial', label: 'Serial number', categories: ['Hardware'] }),
    aCustomField({ key: 'browser', label: 'Browser', categories: ['Website'] }),
  ];
  open();
  const fields = await section();
  expect(fields.getByRole('button', { name: 'Edit Order number' })).toBeInTheDocument();
  expect(fields.getByRole('combobox', { name: 'Product' })).toHaveTextContent('legacy');
  expect(fields.getByRole('button', { name: 'Edit Serial number: S-1' })).toBeInTheDocument();
  expect(fields.queryByText('Browser')).not.toBeInTheDocument();
});

it('treats a ticket without the member as one without values', async () => {
  backend.tickets = [{ ...ticket(), custom_fields: undefined as never }];
  open();
  expect((await section()).getByRole('button', { name: 'Edit Order number' })).toBeInTheDocument();
});

it('saves text with Enter, returns the focus, and offers to undo it', async () => {
  const { person } = open();
  const fields = await section();
  await person.click(fields.getByRole('button', { name: 'Edit Order number' }));
  await person.type(fields.getByRole('textbox', { name: 'Order number' }), ' 1234 {Enter}');
  expect(fields.getByRole('button', { name: 'Edit Order number: 1234' })).toHaveFocus();
  expect(await screen.findByText('NC-0042: Order number: 1234')).toBeInTheDocument();
  expect(ticket().custom_fields).toEqual({ order: '1234' });
  await person.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('NC-0042: Order number cleared')).toBeInTheDocument();
  expect(ticket().custom_fields).toEqual({});
  expect(fields.getByRole('button', { name: 'Edit Order number' })).toBeInTheDocument();
});

it('saves text when the focus leaves it, and restores it on Escape', async () => {
  ticket().custom_fields = { order: '1', product: 'pro' };
  const { person } = open();
  const fields = await section();
  await person.click(fields.getByRole('button', { name: 'Edit Order number: 1' }));
  await person.type(fields.getByRole('textbox', { name: 'Order number' }), '2');
  await person.tab();
  await waitFor(() => expect(ticket().custom_fields).toEqual({ order: '12', product: 'pro' }));
  await person.click(fields.getByRole('button', { name: 'Edit Order number: 12' }));
  await person.type(fields.getByRole('textbox', { name: 'Order number' }), '3{Escape}');
  expect(fields.getByRole('button', { name: 'Edit Order number: 12' })).toHaveFocus();
  expect(patches()).toHaveLength(1);
});

it('saves a choice immediately, and several choices when their list closes', async () => {
  backend.customFields.push(aCustomField({ key: 'parts', type: 'choices', label: 'Parts', options: plans }));
  const { person } = open();
  const fields = await section();
  await person.click(fields.getByRole('combobox', { name: 'Product' }));
  await person.click(await screen.findByRole('option', { name: 'Pro' }));
  await waitFor(() => expect(ticket().custom_fields).toEqual({ product: 'pro' }));
  await person.click(fields.getByRole('combobox', { name: 'Parts' }));
  await person.click(await screen.findByRole('option', { name: 'Pro' }));
  await person.click(screen.getByRole('option', { name: 'Basic' }));
  expect(patches()).toHaveLength(1);
  await person.keyboard('{Escape}');
  await waitFor(() => expect(ticket().custom_fields).toEqual({ product: 'pro', parts: ['pro', 'basic'] }));
});

it('shows a value that cannot be sent, or that the server refuses, with its problem', async () => {
  backend.customFields = [aCustomField({ key: 'seats', type: 'number', label: 'Seats' })];
  const errors = [{ path: 'custom_fields.seats', code: 'invalid', message: 'At most 100' }];
  server.use(http.patch(api('/tickets/:id'), () => refuse('request.invalid', { errors }), { once: true }));
  const { person } = open();
  const fields = await section();
  await person.click(fields.getByRole('button', { name: 'Edit Seats' }));
  await person.type(fields.getByRole('textbox', { name: 'Seats' }), 'many{Enter}');
  expect(fields.getByRole('alert')).toHaveTextContent('Enter a number');
  expect(patches()).toEqual([]);
  await person.clear(fields.getByRole('textbox', { name: 'Seats' }));
  await person.type(fields.getByRole('textbox', { name: 'Seats' }), '500{Enter}');
  expect(await fields.findByRole('alert')).toHaveTextContent('At most 100');
  const input = fields.getByRole('textbox', { name: 'Seats' });
  expect(input).toHaveValue('500');
  expect(input).toHaveAccessibleDescription('At most 100');
  await person.clear(input);
  await person.type(input, '50{Enter}');
  await waitFor(() => expect(ticket().custom_fields).toEqual({ seats: 50 }));
  expect(fields.queryByRole('alert')).not.toBeInTheDocument();
});

it('folds empty fields if there are many, but not those that are required', async () => {
  const many = ['One', 'Two', 'Three', 'Four'].map((label) => aCustomField({ key: label.toLowerCase(), label }));
  backend.customFields = [...many, { ...order(), required_to_resolve: true }];
  const { person } = open();
  const fields = await section();
  expect(fields.getByText('Order number')).toHaveTextContent('Order number * (Required to resolve)');
  expect(fields.queryByText('One')).not.toBeInTheDocument();
  await person.click(fields.getByRole('button', { name: 'Show 4 empty fields' }));
  await waitFor(() => expect(fields.getByRole('button', { name: 'Edit One' })).toHaveFocus());
});

describe('required fields', () => {
  beforeEach(() => {
    backend.customFields = [
      { ...order(), required_to_resolve: true },
      { ...product(), required_to_resolve: true },
    ];
  });
  const dialog = async (name = 'Fill in before resolving') => within(await screen.findByRole('dialog', { name }));

  it('are asked for before a ticket is resolved, and sent in one request with the status', async () => {
    ticket().custom_fields = { product: 'pro' };
    const { person } = open();
    await section();
    await person.keyboard('e');
    const asked = await dialog();
    expect(asked.queryByText('Product')).not.toBeInTheDocument();
    expect(asked.getByLabelText('Order number')).toHaveFocus();
    await person.click(asked.getByRole('button', { name: 'Save and resolve' }));
    expect(asked.getByLabelText('Order number')).toHaveAccessibleDescription('Enter a value');
    await person.type(asked.getByLabelText('Order number'), '1234{Enter}');
    await waitFor(() => expect(ticket()).toMatchObject({ status: 'resolved', custom_fields: { product: 'pro', order: '1234' } }));
    expect(patches()).toHaveLength(1);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('change nothing if the user cancels', async () => {
    const { person } = open();
    await section();
    await person.click(screen.getByRole('combobox', { name: 'Status' }));
    await person.click(await screen.findByRole('option', { name: 'Closed' }));
    const asked = await dialog('Fill in before closing');
    const { violations } = await axe.run(screen.getByRole('dialog'), { rules: { 'color-contrast': { enabled: false } } });
    expect(violations).toEqual([]);
    await person.click(asked.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(patches()).toEqual([]);
    expect(screen.getByRole('combobox', { name: 'Status' })).toHaveTextContent('Open');
  });

  it('are not asked for when a resolved ticket is closed', async () => {
    ticket().status = 'resolved';
    server.use(http.patch(api('/tickets/:id'), () => answer(Object.assign(ticket(), { status: 'closed', version: 2 }))));
    const { person } = open();
    await section();
    await person.click(screen.getByRole('combobox', { name: 'Status' }));
    await person.click(await screen.findByRole('option', { name: 'Closed' }));
    await waitFor(() => expect(ticket().status).toBe('closed'));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('are asked for when the server misses them, because rows of lists have no values', async () => {
    ticket().custom_fields = { product: 'pro' };
    const { person } = renderApp('/tickets');
    await person.click(await screen.findByRole('button', { name: 'Actions for NC-0042' }));
    await person.click(await screen.findByRole('menuitem', { name: 'Mark as Resolved' }));
    const asked = await dialog();
    expect(ticket().status).toBe('open');
    expect(asked.getByLabelText('Order number')).toHaveAccessibleDescription('Order number is required');
    await person.type(asked.getByLabelText('Order number'), '1234{Enter}');
    await waitFor(() => expect(ticket()).toMatchObject({ status: 'resolved', custom_fields: { product: 'pro', order: '1234' } }));
  });

  it('are asked for before a reply that resolves the ticket is sent', async () => {
    ticket().custom_fields = { product: 'pro' };
    const { person } = open();
    await section();
    await person.type(await screen.findByRole('textbox', { name: 'Public reply' }), 'Done');
    const sendAndResolve = async () => {
      await person.click(screen.getByRole('button', { name: 'More ways to send' }));
      await person.click(await screen.findByRole('menuitem', { name: 'Send and resolve' }));
    };
    await sendAndResolve();
    await person.click((await dialog()).getByRole('button', { name: 'Cancel' }));
    expect(screen.getByRole('textbox', { name: 'Public reply' })).toHaveValue('Done');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await sendAndResolve();
    await person.type((await dialog()).getByLabelText('Order number'), '1234{Enter}');
    await person.click(await screen.findByRole('button', { name: 'Send now' }));
    await waitFor(() => expect(ticket()).toMatchObject({ status: 'resolved', custom_fields: { product: 'pro', order: '1234' } }));
    expect(backend.comments.map(({ content }) => content)).toEqual(['Done']);
  });

  it('are named, and the first gets the focus, when a reply is refused because they have become required', async () => {
    const [first, second] = backend.customFields;
    backend.customFields = [order(), product()];
    const { person } = open();
    const fields = await section();
    backend.customFields = [first!, second!];
    await person.type(await screen.findByRole('textbox', { name: 'Public reply' }), 'Done');
    await person.click(screen.getByRole('button', { name: 'More ways to send' }));
    await person.click(await screen.findByRole('menuitem', { name: 'Send and resolve' }));
    await person.click(await screen.findByRole('button', { name: 'Send now' }));
    expect(await screen.findByText('Fill in these fields first: Order number, Product')).toBeInTheDocument();
    await waitFor(() => expect(fields.getByRole('button', { name: 'Edit Order number' })).toHaveFocus());
    expect(screen.getByRole('textbox', { name: 'Public reply' })).toHaveValue('Done');
    expect(ticket().status).toBe('open');
  });

  it('are counted in the result of a bulk change', async () => {
    backend.tickets.push(aTicket({ ticket_number: 'NC-0043', custom_fields: { order: '1', product: 'pro' } }), aTicket());
    const { person } = renderApp('/tickets');
    await person.click(await screen.findByRole('checkbox', { name: 'Select NC-0042' }));
    const bar = within(await screen.findByRole('toolbar', { name: 'Selected tickets' }));
    await person.click(bar.getByRole('button', { name: 'Select all 3 loaded' }));
    await person.click(bar.getByRole('button', { name: 'Resolve' }));
    expect(await screen.findByText('1 changed, 2 failed: 2 tickets lack required fields')).toBeInTheDocument();
  });
});

it('has no accessibility violations', async () => {
  ticket().custom_fields = { order: '1234' };
  backend.customFields = [{ ...order(), required_to_resolve: true }, product()];
  open();
  await section();
  const { violations } = await axe.run(screen.getByRole('region', { name: 'Fields' }), { rules: { 'color-contrast': { enabled: false } } });
  expect(violations).toEqual([]);
});
