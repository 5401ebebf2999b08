import {
  createRule,
  deleteRule,
  listRuleRuns,
  listRules,
  orderRules,
  ruleLimits,
  testRule,
  updateRule,
  type Context,
  type Operation,
  type Rule,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { asStaff, asToken, TicketsUnderTest, type TestOrganization } from '../../test/tickets';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
beforeAll(async () => void (tickets = await TicketsUnderTest.start()));
beforeEach(async () => void (organization = await tickets.anOrganization()));
afterAll(() => tickets?.close());

const admin = () => asStaff(organization, 'admin');
const settings = { name: 'Rule', triggers: ['ticket_created'], actions: [{ type: 'set_priority', priority: 'high' }] };
const create = (body: object, ctx: Context = admin()) => tickets.call<Rule>(createRule, ctx, { body: { ...settings, ...body } });
const list = async () => (await tickets.call<Rule[]>(listRules, admin())).data;
const update = ({ id }: Rule, body: object, ctx: Context = admin()) => tickets.call<Rule>(updateRule, ctx, { params: { id }, body });
const changesOf = async () =>
  (await tickets.eventsOf(organization))
    .filter(({ type }) => type === 'rule.changed')
    .map(({ data }) => [data['what'], Object.keys(data['changes'] as object)]);

const field = (name: string, op: string, value?: unknown) => ({
  condition: { field: name, op, ...(value === undefined ? {} : { value }) },
});
const deep = (levels: number): object => (levels === 0 ? { field: 'subject', op: 'is_empty' } : { all: [deep(levels - 1)] });
it.each<[string, object, string]>([
  ['without a name', { name: ' ' }, 'name'],
  ['with a long name', { name: 'x'.repeat(ruleLimits.name + 1) }, 'name'],
  ['without a trigger', { triggers: [] }, 'triggers'],
  ['with an unknown trigger', { triggers: ['deleted'] }, 'triggers.0'],
  ['with a trigger twice', { triggers: ['ticket_created', 'ticket_created'] }, 'triggers'],
  ['with a time and another trigger', { triggers: ['time_passed', 'ticket_created'], time: { since: 'created', hours: 1 } }, 'triggers'],
  ['for a time that is not given', { triggers: ['time_passed'] }, 'time'],
  ['with a time that no trigger reads', { time: { since: 'created', hours: 1 } }, 'time'],
  ['after no hour', { triggers: ['time_passed'], time: { since: 'created', hours: 0 } }, 'time.hours'],
  ['after half an hour', { triggers: ['time_passed'], time: { since: 'created', hours: 0.5 } }, 'time.hours'],
  ['after more than a year', { triggers: ['time_passed'], time: { since: 'created', hours: ruleLimits.hours + 1 } }, 'time.hours'],
  ['since an unknown moment', { triggers: ['time_passed'], time: { since: 'deleted', hours: 1 } }, 'time.since'],
  ['with an unknown field', field('password', 'is', 'x'), 'condition'],
  ['with an operator of another field', field('subject', 'at_least', 1), 'condition'],
  ['with a value of another type', field('subject', 'contains', 7), 'condition'],
  ['with groups that are too deep', { condition: deep(20) }, 'condition'],
  ['without an action', { actions: [] }, 'actions'],
  ['with too many actions', { actions: Array.from({ length: ruleLimits.actions + 1 }, () => settings.actions[0]) }, 'actions'],
  ['with an unknown action', { actions: [{ type: 'call_webhook', url: 'https://example.com' }] }, 'actions.0'],
  ['with an unknown member of an action', { actions: [{ ...settings.actions[0], more: 1 }] }, 'actions.0'],
  ['with an unknown variable', { actions: [{ type: 'add_note', content: '{{customer.password}}' }] }, 'actions.0.content'],
  [
    'with an unknown variable in a translation',
    { actions: [{ type: 'send_reply', content: 'Hi', translations: { de: '{{x.y}}' } }] },
    'actions.0.translations.de',
  ],
  ['with an unknown member of the rule', { id: newId() }, ''],
])('a rule %s is refused at its field', async (_, body, path) => {
  const { status, data } = await create(body);
  expect([status, data.code]).toEqual([422, 'request.invalid']);
  expect((data.errors as { path: string }[]).some((error) => error.path.startsWith(path))).toBe(true);
  expect(await list()).toEqual([]);
});

it('an organization has at most 100 rules, and at most 500,000 characters of them', async () => {
  const long = { actions: Array.from({ length: 20 }, () => ({ type: 'add_note', content: 'x'.repeat(9_000) })) };
  for (let i = 0; i < 2; i += 1) expect((await create({ ...long, is_active: false })).status).toBe(201);
  expect((await create(long)).data).toMatchObject({ code: 'rule.too_many', detail: expect.stringContaining('too long') as string });
  const [first] = await list();
  expect((await update(first!, { name: 'Renamed' })).status).toBe(200);
  for (let i = 2; i < ruleLimits.rules; i += 1) expect((await create({})).status).toBe(201);
  expect((await create({})).data.code).toBe('rule.too_many');
});

it('the order must have each rule once', async () => {
  const [a, b] = [(await create({ name: 'A' })).data.id, (await create({ name: 'B' })).data.id];
  for (const ids of [[a], [a, a], [a, b, b], [a, newId()], [a, b, newId()], []])
    expect((await tickets.call(orderRules, admin(), { body: { ids } })).data.code).toBe('rule.order_incomplete');
  expect((await tickets.call(orderRules, admin(), { body: { ids: ['x'] } })).status).toBe(422);
  expect((await list()).map(({ id }) => id)).toEqual([a, b]);
});

it('an update without a change makes no version, and a change of one field names only this field', async () => {
  const condition = { all: [{ field: 'subject', op: 'contains', value: 'a' }] };
  const actions = [
    { type: 'add_tags', tags: ['a', 'b'] },
    { type: 'send_reply', content: 'Hi', translations: { de: 'Hallo' } },
  ];
  const rule = (await create({ triggers: ['time_passed'], time: { since: 'created', hours: 2 }, condition, actions })).data;
  const reordered = { condition: { all: [{ value: 'a', op: 'contains', field: 'subject' }] }, time: { hours: 2, since: 'created' } };
  for (const body of [{ name: 'Rule' }, reordered, { actions }]) expect((await update(rule, body)).data.version).toBe(1);
  expect((await update(rule, { is_active: false })).data.version).toBe(2);
  expect((await update(rule, { actions: [actions[1], actions[0]] })).data.version).toBe(3);
  expect(await changesOf()).toEqual([
    ['created', []],
    ['updated', ['is_active']],
    ['updated', ['actions']],
  ]);
});

describe('access', () => {
  const calls = (id: string): [Operation, object, isWrite: boolean][] => [
    [listRules, {}, false],
    [listRuleRuns, { params: { id } }, false],
    [createRule, { body: settings }, true],
    [updateRule, { params: { id }, body: { name: 'New' } }, true],
    [orderRules, { body: { ids: [id] } }, true],
    [testRule, { body: { rule: settings } }, true],
    [deleteRule, { params: { id } }, true],
  ];

  it('admins write, managers read, and agents see nothing', async () => {
    const { id } = (await create({})).data;
    for (const [operation, input, isWrite] of calls(id)) {
      expect([operation.name, (await tickets.call(operation, asStaff(organization), input)).status]).toEqual([operation.name, 403]);
      const asManager = (await tickets.call(operation, asStaff(organization, 'manager'), input)).status;
      expect([operation.name, asManager]).toEqual([operation.name, isWrite ? 403 : 200]);
    }
    expect(await list()).toMatchObject([{ id, name: 'Rule', version: 1 }]);
  });

  it('tokens need the permission to read or to write the organization', async () => {
    const { id } = (await create({})).data;
    for (const [operation, input, isWrite] of calls(id)) {
      const status = async (permission: Parameters<typeof asToken>[1]) =>
        (await tickets.call(operation, asToken(organization, permission), input)).status;
      expect([operation.name, await status('tickets:write')]).toEqual([operation.name, 403]);
      if (isWrite) expect([operation.name, await status('organization:read')]).toEqual([operation.name, 403]);
      else expect([operation.name, await status('organization:read')]).toEqual([operation.name, 200]);
    }
    expect((await create({ name: 'By a program' }, asToken(organization, 'organization:write'))).data).toMatchObject({ updated_by: null });
  });

  it('a rule of another organization does not exist, and a rule names no user of another one', async () => {
    const rule = (await create({})).data;
    const other = await tickets.anOrganization();
    const theirs = asStaff(other, 'admin');
    expect((await update(rule, { name: 'Mine' }, theirs)).data.code).toBe('rule.not_found');
    for (const operation of [deleteRule, listRuleRuns])
      expect((await tickets.call(operation, theirs, { params: { id: rule.id } })).data.code).toBe('rule.not_found');
    expect((await tickets.call(orderRules, theirs, { body: { ids: [rule.id] } })).data.code).toBe('rule.order_incomplete');
    expect((await tickets.call<Rule[]>(listRules, theirs)).data).toEqual([]);
    for (const action of [
      { type: 'assign', to: other.agent },
      { type: 'add_watchers', user_ids: [organization.agent, other.agent] },
      { type: 'remove_watchers', user_ids: [other.agent] },
    ]) {
      expect((await create({ actions: [action] })).data).toMatchObject({ code: 'assignee.not_a_member', errors: [{ path: 'actions.0' }] });
      expect((await tickets.call(testRule, admin(), { body: { rule: { ...settings, actions: [action] } } })).data.code).toBe(
        'assignee.not_a_member',
      );
    }
  });
});
