import {
  addComment,
  createCustomField,
  createMacro,
  createRule,
  createTicket,
  createView,
  customFieldLimits,
  deleteCustomField,
  listCustomFields,
  listFormFields,
  listRules,
  listTickets,
  listWidgetFields,
  orderCustomFields,
  purgeCustomField,
  readPublicTicket,
  readTicket,
  readTimeline,
  restoreCustomField,
  submitTicket,
  submitWidgetTicket,
  systemContext,
  updateCustomField,
  updateTicket,
  type Activity,
  type Context,
  type CustomField,
  type FormField,
  type Operation,
  type PublicTicket,
  type Rule,
  type Ticket,
  type TicketSummary,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { sql } from 'kysely';
import { asCustomer, asStaff, asToken, TicketsUnderTest, ticketInput, type TestOrganization } from '../../test/tickets';
import type { TicketsTx } from '../schema';
import { CustomFieldWorker } from './custom-field.worker';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
beforeAll(async () => void (tickets = await TicketsUnderTest.start()));
beforeEach(async () => void (organization = await tickets.anOrganization()));
afterAll(() => tickets?.close());

const admin = () => asStaff(organization, 'admin');
const options = [
  { value: 'basic', label: 'Basic' },
  { value: 'pro', label: 'Pro' },
];
const create = (body: object, ctx: Context = admin()) =>
  tickets.call<CustomField & { errors?: { path: string }[] }>(createCustomField, ctx, { body: { type: 'text', label: 'Field', ...body } });
const aField = async (body: { key: string } & Record<string, unknown>): Promise<CustomField> => {
  const answer = await create(body);
  expect([answer.status, answer.data.errors]).toEqual([201, undefined]);
  return answer.data;
};
const list = async () => (await tickets.call<CustomField[]>(listCustomFields, admin())).data;
const keys = async () => (await list()).filter(({ deleted_at }) => deleted_at === null).map(({ key, position }) => `${position} ${key}`);
const call = <T = Ticket & { errors?: { path: string; code: string }[] }>(
  op: Operation,
  id: string,
  body?: object,
  ctx: Context = admin(),
) => tickets.call<T>(op, ctx, { params: { id }, ...(body && { body }) });
const aTicket = async (custom_fields: object = {}) =>
  (await tickets.call<Ticket>(createTicket, admin(), { body: { ...ticketInput(), custom_fields } })).data;
const inOrganization = <T>(work: (tx: TicketsTx) => Promise<T>) => tickets.db.forTenant({ organization_id: organization.id }, work);
const found = async (condition: object, query: Record<string, string> = {}) => {
  const answer = await tickets.call<TicketSummary[]>(listTickets, admin(), { query: { condition: JSON.stringify(condition), ...query } });
  expect(answer.status).toBe(200);
  return answer.data.map(({ subject }) => subject).sort();
};

describe('the fields of an organization', () => {
  it('are created, changed, ordered, deleted and restored, each announced for the audit log', async () => {
    const product = await aField({ key: 'product', type: 'choice', options });
    const order = await aField({ key: 'order_number' });
    expect(await keys()).toEqual(['1 product', '2 order_number']);
    expect((await call(updateCustomField, product.id, { label: 'Our product', form: 'required' })).data).toMatchObject({
      label: 'Our product',
      form: 'required',
      type: 'choice',
    });
    await tickets.call(orderCustomFields, admin(), { body: { ids: [order.id, product.id] } });
    expect(await keys()).toEqual(['1 order_number', '2 product']);
    expect((await call(deleteCustomField, order.id)).status).toBe(200);
    expect(await keys()).toEqual(['1 product']);
    expect((await list()).find(({ key }) => key === 'order_number')).toMatchObject({ deleted_at: expect.any(String), position: 0 });
    expect((await call(restoreCustomField, order.id)).data).toMatchObject({ position: 2, deleted_at: null });
    const announced = (await tickets.eventsOf(organization))
      .filter(({ type }) => type === 'custom_field.changed')
      .map(({ data }) => data['what']);
    expect(announced).toEqual(['created', 'created', 'updated', 'reordered', 'deleted', 'restored']);
  });

  it('stay without an event if nothing changes', async () => {
    const field = await aField({
      key: 'product',
      type: 'choice',
      options,
      translations: { de: { label: 'Produkt', hint: null, options: {} } },
    });
    const { label, options: same, translations, categories } = field;
    await call(updateCustomField, field.id, { label, options: same, translations, categories });
    expect((await tickets.eventsOf(organization)).filter(({ type }) => type === 'custom_field.changed')).toHaveLength(1);
  });

  it.each<[string, object, string]>([
    ['without a key', {}, 'key'],
    ['with a key in capital letters', { key: 'Product' }, 'key'],
    ['with the name of a JavaScript member as key', { key: 'constructor' }, 'key'],
    ['with a long key', { key: 'x'.repeat(customFieldLimits.key + 1) }, 'key'],
    ['without a label', { key: 'a', label: ' ' }, 'label'],
    ['of an unknown type', { key: 'a', type: 'money' }, 'type'],
    ['for a choice without options', { key: 'a', type: 'choice' }, 'options'],
    ['for text with options', { key: 'a', options }, 'options'],
    ['with an option twice', { key: 'a', type: 'choices', options: [options[0], options[0]] }, 'options'],
    [
      'with too many options',
      { key: 'a', type: 'choice', options: Array.from({ length: 101 }, (_, i) => ({ value: `o${i}`, label: 'O' })) },
      'options',
    ],
    ['in an unknown language', { key: 'a', translations: { xx: { label: 'X' } } }, 'translations'],
    ['with an unknown member', { key: 'a', colour: 'red' }, 'colour'],
  ])('are refused %s', async (_, body, path) => {
    const answer = await create({ key: undefined, ...body });
    expect([answer.status, answer.data.errors?.[0]?.path.split('.')[0]]).toEqual([422, path]);
  });

  it('have keys of their own, also beside deleted ones, and a maximum number', async () => {
    const first = await aField({ key: 'product' });
    await call(deleteCustomField, first.id);
    expect(await create({ key: 'product' })).toMatchObject({ status: 409, data: { code: 'custom_field.key_taken' } });
    for (let i = 0; i < customFieldLimits.fields; i += 1) await aField({ key: `f${i}` });
    expect(await create({ key: 'more' })).toMatchObject({ status: 409, data: { code: 'custom_field.too_many' } });
    expect(await call(restoreCustomField, first.id)).toMatchObject({ status: 409, data: { code: 'custom_field.too_many' } });
  });

  it('cannot be ordered without one of them, and a choice keeps at least one option', async () => {
    const [a] = [await aField({ key: 'a' }), await aField({ key: 'b', type: 'choice', options })];
    const answer = await tickets.call(orderCustomFields, admin(), { body: { ids: [a.id] } });
    expect(answer).toMatchObject({ status: 409, data: { code: 'custom_field.order_incomplete' } });
    const choice = (await list())[1]!;
    expect((await call(updateCustomField, choice.id, { options: [] })).status).toBe(422);
    expect((await call(updateCustomField, a.id, { options })).status).toBe(422);
  });

  it('belong to one organization, and only admins and their tokens change them', async () => {
    const field = await aField({ key: 'product' });
    const other = asStaff(await tickets.anOrganization(), 'admin');
    expect((await tickets.call<CustomField[]>(listCustomFields, other)).data).toEqual([]);
    for (const op of [updateCustomField, deleteCustomField, restoreCustomField])
      expect([op.name, (await call(op, field.id, op === updateCustomField ? { label: 'X' } : undefined, other)).status]).toEqual([
        op.name,
        404,
      ]);
    for (const role of ['manager', 'agent'] as const) {
      expect((await create({ key: 'x' }, asStaff(organization, role))).status).toBe(403);
      expect((await tickets.call(listCustomFields, asStaff(organization, role))).status).toBe(200);
    }
    expect((await create({ key: 'x' }, asToken(organization, 'tickets:write'))).status).toBe(403);
    expect((await create({ key: 'x' }, asToken(organization, 'organization:write'))).status).toBe(201);
    expect(await keys()).toEqual(['1 product', '2 x']);
  });
});

describe('the values of a ticket', () => {
  beforeEach(async () => {
    await aField({ key: 'product', type: 'choice', options });
    await aField({ key: 'areas', type: 'choices', options });
    await aField({ key: 'seats', type: 'number' });
    await aField({ key: 'due', type: 'date' });
    await aField({ key: 'vip', type: 'yes_no' });
    await aField({ key: 'order_number' });
    await aField({ key: 'notes', type: 'long_text' });
  });
  const all = {
    product: 'pro',
    areas: ['pro', 'basic'],
    seats: 2.5,
    due: '2026-02-28',
    vip: false,
    order_number: 'A-1',
    notes: 'Long\ntext',
  };

  it('are stored on creation, changed one by one and removed with null; the timeline names each', async () => {
    const ticket = await aTicket({ ...all, order_number: '  A-1 ', notes: ' ' });
    const { notes: _, ...stored } = all;
    expect(ticket.custom_fields).toEqual(stored);
    const changed = await call(updateTicket, ticket.id, { custom_fields: { product: 'basic', seats: null } });
    const { seats: __, ...rest } = stored;
    expect(changed.data.custom_fields).toEqual({ ...rest, product: 'basic' });
    expect((await call(readTicket, ticket.id)).data.custom_fields).toEqual({ ...rest, product: 'basic' });
    const [latest] = (await call<Activity[]>(readTimeline, ticket.id)).data;
    expect(latest?.changes).toEqual({
      'custom_fields.product': { from: 'pro', to: 'basic' },
      'custom_fields.seats': { from: 2.5, to: null },
    });
    const same = await call(updateTicket, ticket.id, { custom_fields: { areas: ['pro', 'basic'] } });
    expect(same.data.version).toBe(changed.data.version);
  });

  it.each<[string, unknown]>([
    ['product', 'enterprise'],
    ['product', ['pro']],
    ['areas', ['pro', 'enterprise']],
    ['areas', 'pro'],
    ['seats', '2'],
    ['seats', 1e16],
    ['due', '2026-02-30'],
    ['due', '0000-01-01'],
    ['due', '28.02.2026'],
    ['vip', 'yes'],
    ['order_number', 7],
    ['order_number', 'x'.repeat(256)],
    ['notes', 'x'.repeat(5_001)],
    ['colour', 'red'],
    ['constructor', 'red'],
  ])('are refused: %s cannot be %j', async (key, value) => {
    const ticket = await aTicket();
    const body = JSON.parse(`{"custom_fields":{${JSON.stringify(key)}:${JSON.stringify(value)}}}`) as object;
    const answer = await call(updateTicket, ticket.id, body);
    expect(answer.status).toBe(422);
    expect(answer.data.errors?.[0]?.path).toContain('custom_fields');
    expect((await call(readTicket, ticket.id)).data).toMatchObject({ custom_fields: {}, version: ticket.version });
  });

  it('are changed together with a reply, and by a macro only if they are valid', async () => {
    const ticket = await aTicket();
    const comment = await call(addComment, ticket.id, { content: 'Done', changes: { custom_fields: { product: 'pro' } } });
    expect(comment.status).toBe(201);
    expect((await call(readTicket, ticket.id)).data.custom_fields).toEqual({ product: 'pro' });
    const macro = (custom_fields: object) =>
      tickets.call(createMacro, admin(), { body: { name: 'M', content: '', changes: { custom_fields } } });
    expect((await macro({ product: 'pro' })).status).toBe(201);
    expect((await macro({ product: 'other' })).status).toBe(422);
  });

  it('keep an option that was removed until the value changes', async () => {
    const ticket = await aTicket({ product: 'pro' });
    const product = (await list())[0]!;
    await call(updateCustomField, product.id, { options: [options[0]] });
    expect((await call(updateTicket, ticket.id, { custom_fields: { seats: 1 } })).data.custom_fields).toEqual({ product: 'pro', seats: 1 });
    expect((await call(updateTicket, ticket.id, { custom_fields: { product: 'pro' } })).status).toBe(422);
  });

  it('are found by conditions of every type, in pages of all statuses', async () => {
    const subject = (custom_fields: object, more: object = {}) =>
      tickets.call<Ticket>(createTicket, admin(), { body: { ...ticketInput(), ...more, custom_fields } });
    await subject({ product: 'pro', seats: 10, due: '2026-03-31', vip: true, order_number: 'Straße 7' }, { subject: 'A' });
    await subject({ product: 'basic', areas: ['pro'], seats: 2, due: '2026-04-01', vip: false }, { subject: 'B' });
    const { data: closed } = await subject({ areas: ['basic', 'pro'], product: 'pro' }, { subject: 'C' });
    await call(updateTicket, closed.id, { status: 'closed' });
    await subject({}, { subject: 'D' });
    const on = (field: string, op: string, value?: unknown) => ({
      field: `custom_fields.${field}`,
      op,
      ...(value !== undefined && { value }),
    });
    expect(await found(on('product', 'is_any_of', ['pro']))).toEqual(['A', 'C']);
    expect(await found(on('product', 'is_any_of', ['pro']), { status: 'closed' })).toEqual(['C']);
    expect(await found(on('product', 'is_any_of', ['pro', 'basic']), { sort: 'priority' })).toEqual(['A', 'B', 'C']);
    expect(await found(on('product', 'is_none_of', ['pro']))).toEqual(['B', 'D']);
    expect(await found(on('product', 'is_empty'))).toEqual(['D']);
    expect(await found(on('areas', 'contains_any_of', ['pro']))).toEqual(['B', 'C']);
    expect(await found(on('areas', 'contains_all_of', ['pro', 'basic']))).toEqual(['C']);
    expect(await found(on('areas', 'contains_none_of', ['pro']))).toEqual(['A', 'D']);
    expect(await found(on('seats', 'at_least', 2.5))).toEqual(['A']);
    expect(await found(on('seats', 'is', 2))).toEqual(['B']);
    expect(await found(on('due', 'at_most', '2026-03-31'))).toEqual(['A']);
    expect(await found(on('due', 'at_least', '2026-04-01'))).toEqual(['B']);
    expect(await found(on('vip', 'is', false))).toEqual(['B']);
    expect(await found(on('order_number', 'contains', 'STRASSE'.replace('SS', 'ß')))).toEqual(['A']);
    expect(await found(on('order_number', 'is', 'straße 7'))).toEqual(['A']);
    expect(await found(on('unknown', 'is', 'x'))).toEqual([]);
    expect(await found({ any: [on('seats', 'is', 2), on('vip', 'is', true)] })).toEqual(['A', 'B']);
    const query = { search: 'straße', condition: JSON.stringify(on('product', 'is_any_of', ['pro'])) };
    expect((await tickets.call<TicketSummary[]>(listTickets, admin(), { query })).data.map((each) => each.subject)).toEqual(['A']);
    for (const condition of [on('seats', 'at_least', 10), on('due', 'is', '2026-03-31'), on('areas', 'is_not_empty')])
      expect(
        (await tickets.call(listTickets, admin(), { query: { search: 'example', condition: JSON.stringify(condition) } })).status,
      ).toBe(200);
  });

  it('sort the list, page by page, with tickets without a value at the end', async () => {
    const seats = [10, 9, 2.5, 9, null, -1, null];
    const dues = ['2026-03-01', '2025-12-31', null, '2026-01-01', '2026-01-01', '0001-01-01', '9999-12-31'];
    for (const [i, value] of seats.entries()) {
      const body = { ...ticketInput(), subject: `${i}`, custom_fields: { seats: value, due: dues[i], order_number: `${'bA'[i % 2]}${i}` } };
      expect((await tickets.call(createTicket, admin(), { body })).status).toBe(201);
    }
    const sorted = async (sort: string, more: Record<string, string> = {}) => {
      const subjects: string[] = [];
      for (let cursor = ''; ;) {
        const query = { sort, limit: '2', ...more, ...(cursor && { cursor }) };
        const { status, data, pagination } = await tickets.call<TicketSummary[]>(listTickets, admin(), { query });
        expect(status).toBe(200);
        subjects.push(...data.map((each) => each.subject));
        if (!pagination?.next_cursor) return subjects.join(' ');
        cursor = pagination.next_cursor;
      }
    };
    expect(await sorted('custom_fields.seats')).toBe('5 2 1 3 0 4 6');
    expect(await sorted('custom_fields.due')).toBe('5 1 3 4 0 6 2');
    expect(await sorted('custom_fields.order_number')).toBe('1 3 5 0 2 4 6');
    const above = { condition: JSON.stringify({ field: 'custom_fields.seats', op: 'at_least', value: 3 }) };
    expect(await sorted('custom_fields.due', above)).toBe('1 3 0');
    expect(await sorted('custom_fields.seats', { search: 'example' })).toBe('5 2 1 3 0 4 6');
    const page = await tickets.call<TicketSummary[]>(listTickets, admin(), {
      query: { sort: 'custom_fields.seats', page: '2', limit: '3' },
    });
    expect(page.data.map(({ subject, sort_value }) => [subject, sort_value])).toEqual([
      ['3', 9],
      ['0', 10],
      ['4', null],
    ]);
    expect(await sorted('custom_fields.colour')).toBe('0 1 2 3 4 5 6');
    for (const sort of ['custom_fields.product', 'custom_fields.', 'seats'])
      expect([sort, (await tickets.call(listTickets, admin(), { query: { sort } })).status]).toEqual([sort, 422]);
  });

  it('are found by the search, and no longer after a change', async () => {
    const ticket = await aTicket({ order_number: 'Zebra-4711' });
    const search = async (text: string) =>
      (await tickets.call<TicketSummary[]>(listTickets, admin(), { query: { search: text } })).data.length;
    expect([await search('zebra'), await search('4711')]).toEqual([1, 1]);
    await call(updateTicket, ticket.id, { custom_fields: { order_number: null } });
    expect(await search('zebra')).toBe(0);
  });

  it('are set and read by rules; a view or an active rule cannot name a field that does not exist', async () => {
    const rule = (body: object) =>
      tickets.call<Rule>(createRule, admin(), {
        body: { name: 'R', triggers: ['ticket_created'], actions: [{ type: 'add_tags', tags: ['x'] }], ...body },
      });
    const set = (key: string, value: unknown) => ({ actions: [{ type: 'set_field', key, value }] });
    const when = (field: string, op: string, value: unknown) => ({ condition: { field: `custom_fields.${field}`, op, value } });
    expect((await rule({ ...when('seats', 'at_least', 5), ...set('product', 'pro') })).status).toBe(201);
    expect((await rule({ ...when('product', 'is_any_of', ['pro']), ...set('vip', true) })).status).toBe(201);
    expect((await aTicket({ seats: 9 })).custom_fields).toEqual({ seats: 9, product: 'pro', vip: true });
    expect((await aTicket({ seats: 4 })).custom_fields).toEqual({ seats: 4 });
    expect((await rule(set('colour', 'red'))).status).toBe(422);
    expect((await rule(set('product', 'red'))).status).toBe(422);
    expect((await rule(when('colour', 'is', 'red'))).status).toBe(422);
    expect((await rule(when('seats', 'contains', 'red'))).status).toBe(422);
    expect((await rule({ ...when('colour', 'is', 'red'), is_active: false })).status).toBe(201);
    const view = (field: string) =>
      tickets.call(createView, admin(), { body: { name: field, filter: when(field, 'is', 'x'), is_shared: false } });
    expect([(await view('order_number')).status, (await view('colour')).status]).toEqual([201, 422]);
  });
});

describe('a required field', () => {
  beforeEach(() => aField({ key: 'cause', label: 'Cause', required_to_resolve: true, categories: ['Billing'] }));

  it('must have a value before staff and tokens resolve or close a ticket of its category', async () => {
    const ticket = (await tickets.call<Ticket>(createTicket, admin(), { body: { ...ticketInput(), category: 'Billing' } })).data;
    for (const ctx of [admin(), asToken(organization, 'tickets:write')])
      for (const status of ['resolved', 'closed']) {
        const answer = await call(updateTicket, ticket.id, { status }, ctx);
        expect([answer.status, answer.data.errors]).toEqual([
          422,
          [{ path: 'custom_fields.cause', code: 'required', message: 'Cause is required' }],
        ]);
      }
    expect((await call(addComment, ticket.id, { content: 'Done', changes: { status: 'resolved' } })).status).toBe(422);
    const both = await call(updateTicket, ticket.id, { status: 'resolved', custom_fields: { cause: 'Typo' } });
    expect(both.data).toMatchObject({ status: 'resolved', custom_fields: { cause: 'Typo' } });
    expect((await call(updateTicket, ticket.id, { status: 'closed', custom_fields: { cause: null } })).status).toBe(200);
  });

  it('does not concern tickets of other categories, nor rules', async () => {
    const ticket = await aTicket();
    expect((await call(updateTicket, ticket.id, { status: 'resolved' })).status).toBe(200);
    const rule = { name: 'R', triggers: ['ticket_created'], actions: [{ type: 'set_status', status: 'resolved' }] };
    await tickets.call(createRule, admin(), { body: rule });
    const created = await tickets.call<Ticket>(createTicket, admin(), { body: { ...ticketInput(), category: 'Billing' } });
    expect(created.data.status).toBe('resolved');
  });
});

describe('customers', () => {
  const visitor = () => asCustomer(organization.id);
  const input = () => {
    const { subject, customer_email } = ticketInput();
    return { subject, customer_email };
  };
  const submit = (body: object) =>
    tickets.call<PublicTicket & { errors?: { path: string; code: string }[] }>(submitTicket, visitor(), { body: { ...input(), ...body } });

  it('fill in the fields of the form, and see those that are shown to them', async () => {
    await aField({ key: 'product', type: 'choice', options, form: 'required', shown_to_customers: true });
    await aField({ key: 'invoice', form: 'required', categories: ['Billing'] });
    await aField({ key: 'score', type: 'number' });
    const asked = (await tickets.call<FormField[]>(listFormFields, visitor())).data;
    expect(asked.map(({ key }) => key)).toEqual(['product', 'invoice']);
    expect(asked[0]).not.toHaveProperty('required_to_resolve');
    expect((await submit({})).data.errors).toEqual([{ path: 'custom_fields.product', code: 'required', message: 'Field is required' }]);
    expect((await submit({ category: 'Billing', custom_fields: { product: 'pro' } })).data.errors?.[0]?.path).toBe('custom_fields.invoice');
    expect((await submit({ custom_fields: { product: 'pro', score: 7 } })).status).toBe(422);
    const sent = await submit({ category: 'Billing', custom_fields: { product: 'pro', invoice: 'I-1' } });
    expect(sent.status).toBe(201);
    expect(sent.data.custom_fields).toMatchObject([{ field: { key: 'product' }, value: 'pro' }]);
    await call(updateTicket, sent.data.id, { custom_fields: { score: 7 } });
    const query = { email: sent.data.customer_email };
    const read = await tickets.call<PublicTicket>(readPublicTicket, visitor(), { params: { id: sent.data.id }, query });
    expect(read.data.custom_fields.map(({ field, value }) => [field.key, value])).toEqual([['product', 'pro']]);
  });

  it('send values with the widget, and the website sets the fields that it may', async () => {
    await aField({ key: 'product', type: 'choice', options, form: 'optional' });
    await aField({ key: 'seats', type: 'number', set_by_widget: true });
    await aField({ key: 'vip', type: 'yes_no' });
    await aField({ key: 'floor', type: 'number', form: 'optional' });
    await aField({ key: 'areas', type: 'choices', options, set_by_widget: true, categories: ['Billing'] });
    const query = { organization: 'north' };
    expect((await tickets.call<FormField[]>(listWidgetFields, visitor(), { query })).data.map(({ key }) => key)).toEqual([
      'product',
      'floor',
    ]);
    const send = async (custom_fields: object) => {
      const answer = await tickets.call<PublicTicket>(submitWidgetTicket, visitor(), { query, body: { ...input(), custom_fields } });
      return answer.status === 201 ? (await call(readTicket, answer.data.id)).data.custom_fields : answer.status;
    };
    expect(await send({ product: 'pro', seats: '12', vip: 'true', areas: 'pro, basic', other: 'x' })).toEqual({
      product: 'pro',
      seats: 12,
      areas: ['pro', 'basic'],
    });
    expect(await send({ floor: '3' })).toEqual({ floor: 3 });
    expect(await send({ floor: 'third' })).toBe(422);
    expect(await send({ seats: 'many', areas: 'gold' })).toEqual({});
    expect(await send({ product: 'gold' })).toBe(422);
  });
});

describe('a deleted field', () => {
  it('turns off the rules that use it, and keeps its values until it can no longer be restored', async () => {
    const field = await aField({ key: 'product', type: 'choice', options });
    const ticket = await aTicket({ product: 'pro' });
    const rule = (body: object) =>
      tickets.call<Rule>(createRule, admin(), {
        body: { name: 'R', triggers: ['ticket_updated'], actions: [{ type: 'add_tags', tags: ['x'] }], ...body },
      });
    await rule({ condition: { any: [{ field: 'custom_fields.product', op: 'is_empty' }] } });
    await rule({ actions: [{ type: 'set_field', key: 'product', value: null }] });
    await rule({});
    await call(deleteCustomField, field.id);
    expect(
      (await tickets.call<Rule[]>(listRules, admin())).data.map(({ is_active, disabled_reason }) => [is_active, disabled_reason]),
    ).toEqual([
      [false, { code: 'invalid', detail: 'Field' }],
      [false, { code: 'invalid', detail: 'Field' }],
      [true, null],
    ]);
    expect((await call(updateTicket, ticket.id, { custom_fields: { product: 'basic' } })).status).toBe(422);
    expect((await call(readTicket, ticket.id)).data.custom_fields).toEqual({ product: 'pro' });
    await call(restoreCustomField, field.id);
    expect((await call(updateTicket, ticket.id, { custom_fields: { product: 'basic' } })).status).toBe(200);
  });

  it('is deleted with its values after 30 days, also if a process dies in between', async () => {
    const field = await aField({ key: 'product', type: 'choice', options });
    const kept = await aField({ key: 'seats', type: 'number' });
    const all = await Promise.all([1, 2, 3].map((seats) => aTicket({ product: 'pro', seats })));
    await call(deleteCustomField, field.id);
    await call(deleteCustomField, kept.id);
    const worker = new CustomFieldWorker(tickets.db);
    const mine = async () =>
      (await worker.findExpired()).filter(({ ctx }) => ctx.organization_id === organization.id).map(({ data }) => data.field_id);
    expect(await mine()).toEqual([]);
    await inOrganization((tx) => sql`update custom_fields set deleted_at = now() - interval '31 days' where id = ${field.id}`.execute(tx));
    expect(await mine()).toEqual([field.id]);
    // As a process leaves it that died after its first batch.
    await inOrganization((tx) => sql`update tickets set custom_fields = custom_fields - 'product' where id = ${all[0]!.id}`.execute(tx));
    const ctx = systemContext(organization.id, newId());
    await worker.purge(ctx, { field_id: field.id });
    await worker.purge(ctx, { field_id: kept.id });
    expect((await list()).map(({ key }) => key)).toEqual(['seats']);
    for (const [i, { id, version }] of all.entries())
      expect((await call(readTicket, id)).data).toMatchObject({ custom_fields: { seats: i + 1 }, version });
    expect(await inOrganization((tx) => tx.selectFrom('ticket_field_values').select('key').distinct().execute())).toEqual([
      { key: 'seats' },
    ]);
    expect((await create({ key: 'product' })).status).toBe(201);
    expect(purgeCustomField.type).toBe('purge_custom_field');
  });
});
