import {
  addComment,
  createRule,
  createTicket,
  deleteRule,
  listRuleRuns,
  listRules,
  orderRules,
  readTimeline,
  submitTicket,
  systemContext,
  testRule,
  updateRule,
  updateTicket,
  type Activity,
  type Rule,
  type RuleRun,
  type RuleTest,
  type Ticket,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { asCustomer, asStaff, asToken, TicketsUnderTest, ticketInput, type TestOrganization } from '../../test/tickets';
import { writeTicket } from '../ticket/ticket.service';
import { RuleWorker } from './rule.worker';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
beforeAll(async () => void (tickets = await TicketsUnderTest.start()));
beforeEach(async () => void (organization = await tickets.anOrganization()));
afterAll(() => tickets?.close());

const admin = () => asStaff(organization, 'admin');
const aRule = async (body: object) => {
  const answer = await tickets.call<Rule>(createRule, admin(), {
    body: { name: 'Rule', triggers: ['ticket_created'], actions: [{ type: 'set_priority', priority: 'high' }], ...body },
  });
  expect([answer.status, answer.data.detail, answer.data.errors]).toEqual([201, undefined, undefined]);
  return answer.data;
};
const create = async (more: object = {}) => {
  const { subject, customer_email } = ticketInput();
  const { data } = await tickets.call<Ticket>(createTicket, asStaff(organization), { body: { subject, customer_email, ...more } });
  return data;
};
const timeline = async ({ id }: Ticket) => (await tickets.call<Activity[]>(readTimeline, admin(), { params: { id } })).data;
const runsOf = async ({ id }: Rule) => (await tickets.call<RuleRun[]>(listRuleRuns, admin(), { params: { id } })).data;
const rules = async () => (await tickets.call<Rule[]>(listRules, admin())).data;

it('changes a new ticket once for all rules, each on the result of those before it, and names them in the timeline', async () => {
  const first = await aRule({ name: 'First' });
  await aRule({
    name: 'Second',
    condition: { field: 'priority', op: 'is_any_of', value: ['high'] },
    actions: [
      { type: 'add_tags', tags: ['fire'] },
      { type: 'assign', to: organization.agent },
    ],
  });
  const ticket = await create();
  expect(ticket).toMatchObject({ priority: 'high', tags: ['fire'], assigned_to: organization.agent, version: 2 });
  expect((await timeline(ticket)).map(({ rule, actor_type }) => [rule?.name, actor_type])).toEqual([
    ['Second', 'system'],
    ['First', 'system'],
    [undefined, 'user'],
  ]);
  expect(await tickets.eventTypes(ticket.id)).toEqual(['ticket.created', 'ticket.updated', 'ticket.assigned']);
  expect(await runsOf(first)).toMatchObject([
    {
      ticket: { id: ticket.id },
      trigger: 'ticket_created',
      changes: { priority: { from: 'medium', to: 'high' } },
      effects: [],
      problem: null,
    },
  ]);
  expect(await rules()).toMatchObject([{ run_count: 1, last_error: null }, { run_count: 1 }]);
});

it('causes rules for updates once, so that contradicting rules do not loop', async () => {
  const set = (priority: string, is: string) => ({
    triggers: ['ticket_updated'],
    condition: { field: 'priority', op: 'is_any_of', value: [is] },
    actions: [{ type: 'set_priority', priority }],
  });
  await aRule(set('low', 'urgent'));
  await aRule(set('urgent', 'low'));
  const ticket = await create();
  const { data } = await tickets.call<Ticket>(updateTicket, admin(), { params: { id: ticket.id }, body: { priority: 'urgent' } });
  expect(data.priority).toBe('urgent');
  expect((await timeline(ticket)).filter(({ rule }) => rule)).toHaveLength(2);
});

it('sends the ticket to a webhook as it is after all rules, once for each rule that names one', async () => {
  const endpoint_id = newId();
  const first = await aRule({ name: 'First', actions: [{ type: 'send_to_webhook', endpoint_id }] });
  await aRule({ name: 'Second' });
  await aRule({ name: 'Never', condition: { field: 'subject', op: 'is_empty' }, actions: [{ type: 'send_to_webhook', endpoint_id }] });
  const ticket = await create();
  const sent = (await tickets.events(ticket.id)).filter(({ type }) => type === 'ticket.rule.ran');
  const { priority, version } = ticket;
  expect(priority).toBe('high');
  expect(sent.map(({ data }) => data)).toMatchObject([
    { endpoint_id, rule: { id: first.id, name: 'First' }, ticket: { id: ticket.id, priority, version } },
  ]);
  expect(await tickets.eventTypes(ticket.id)).toEqual(['ticket.created', 'ticket.updated', 'ticket.rule.ran']);
  expect((await timeline(ticket)).find(({ rule }) => rule?.name === 'First')).toMatchObject({
    changes: { sent_to_webhook: { from: null, to: true } },
  });
  expect(await runsOf(first)).toMatchObject([{ effects: ['send_to_webhook'], changes: {}, problem: null }]);
  const body = { rule: { name: 'Tested', triggers: ['ticket_created'], actions: [{ type: 'send_to_webhook', endpoint_id }] } };
  expect((await tickets.call<RuleTest>(testRule, admin(), { body })).data.changed).toMatchObject([{ effects: ['send_to_webhook'] }]);
  expect((await tickets.events(ticket.id)).filter(({ type }) => type === 'ticket.rule.ran')).toHaveLength(1);
});

it('sends a reply that is no response by staff, but not to a customer who must get no automatic reply', async () => {
  await aRule({ actions: [{ type: 'send_reply', content: 'Hello {{customer.name}}', translations: {} }] });
  const { data } = await tickets.call<Ticket>(submitTicket, asCustomer(organization.id), {
    body: { subject: 'S', customer_email: 'c@example.com', customer_name: 'Carla' },
  });
  const added = (await tickets.events(data.id)).find(({ type }) => type === 'ticket.comment.added');
  expect(added?.data).toMatchObject({
    comment: { content: 'Hello Carla', is_internal: false, rule: { name: 'Rule' } },
    ticket: { first_response_at: null, public_reply_count: 0, comment_count: 1 },
  });
  const ctx = asCustomer(organization.id);
  const quiet = await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
    writeTicket(tx, ctx, { ...ticketInput(), quiet: true }, new Date().toISOString()),
  );
  expect(await tickets.eventTypes(quiet!.id)).toEqual(['ticket.created']);
  expect(await runsOf((await rules())[0]!)).toMatchObject([
    { effects: [], problem: 'no_automatic_reply' },
    { effects: ['send_reply'], problem: null },
  ]);
});

it('turns off a rule whose member is no longer active, without failing the request', async () => {
  await aRule({ actions: [{ type: 'assign', to: organization.manager }] });
  await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx.updateTable('members').set({ is_active: false }).where('user_id', '=', organization.manager).execute(),
  );
  const ticket = await create();
  expect(ticket).toMatchObject({ assigned_to: null, version: 1 });
  expect(await rules()).toMatchObject([{ is_active: false, disabled_reason: { code: 'member_inactive', detail: 'Ada manager' } }]);
  expect((await tickets.eventsOf(organization)).map(({ type }) => type)).toContain('rule.needs_attention');
});

it('assigns in turn, stops, and adds notes', async () => {
  await aRule({
    actions: [
      { type: 'assign', to: 'round_robin' },
      { type: 'add_note', content: 'Note' },
    ],
    stops: true,
  });
  await aRule({ name: 'Never' });
  const ticket = await create();
  expect(ticket).toMatchObject({ assigned_to: organization.agent, priority: 'medium', comment_count: 1 });
});

it('runs once per ticket on replies by staff', async () => {
  await aRule({ triggers: ['staff_replied'], runs: 'once_per_ticket', actions: [{ type: 'add_note', content: 'First reply' }] });
  const { id } = await create();
  for (const content of ['a', 'b']) await tickets.call(addComment, admin(), { params: { id }, body: { content } });
  expect((await tickets.events(id)).filter(({ data }) => data.comment?.rule)).toHaveLength(1);
});

it('runs a time rule on existing tickets, once for a moment', async () => {
  const ticket = await tickets.aTicket(organization, { created_at: new Date(Date.now() - 30 * 3_600_000).toISOString() });
  const rule = await aRule({ triggers: ['time_passed'], time: { since: 'created', hours: 24 } });
  const worker = new RuleWorker(tickets.db);
  const ctx = systemContext(organization.id, 'test');
  await worker.scan(ctx);
  expect((await worker.findDue()).map(({ id }) => id)).toContain(ticket.id);
  await Promise.all([1, 2, 3].map(() => worker.check(ctx, { ticket_id: ticket.id })));
  expect(await runsOf(rule)).toMatchObject([{ trigger: 'time_passed', changes: { priority: { to: 'high' } } }]);
});

it('tests a rule on the latest tickets without changing them', async () => {
  const [loud] = [await create({ subject: 'Refund' }), await create()];
  const rule = {
    name: 'R',
    triggers: ['ticket_created'],
    condition: { field: 'text', op: 'contains', value: 'refund' },
    actions: [{ type: 'add_tags', tags: ['r'] }],
  };
  const { status, data } = await tickets.call<RuleTest>(testRule, admin(), { body: { rule } });
  expect([status, data]).toEqual([
    200,
    expect.objectContaining({
      tested: 2,
      not_matching: 1,
      unaffected: 0,
      not_triggered: 0,
      most_failed: { condition: rule.condition, count: 1 },
    }),
  ]);
  expect(data.changed.map(({ ticket }) => ticket.id)).toEqual([loud.id]);
  expect(await rules()).toEqual([]);
});

it('orders, changes and removes rules', async () => {
  const [a, b] = [await aRule({ name: 'A' }), await aRule({ name: 'B' })];
  const { data } = await tickets.call<Rule[]>(orderRules, admin(), { body: { ids: [b.id, a.id] } });
  expect(data.map(({ name, position }) => [name, position])).toEqual([['B', 1], ['A', 2]]); // prettier-ignore
  expect((await tickets.call(orderRules, admin(), { body: { ids: [a.id] } })).data.code).toBe('rule.order_incomplete');
  const off = await tickets.call<Rule>(updateRule, admin(), { params: { id: b.id }, body: { is_active: false } });
  expect(off.data).toMatchObject({ is_active: false, version: 2, updated_by: organization.admin });
  expect((await tickets.call(deleteRule, admin(), { params: { id: b.id } })).status).toBe(200);
  expect(await rules()).toMatchObject([{ name: 'A', position: 1 }]);
});

it('refuses invalid rules, other roles and other organizations', async () => {
  const rule = await aRule({});
  const body = { name: 'R', triggers: ['ticket_created'], actions: [{ type: 'assign', to: newId() }] };
  expect((await tickets.call(createRule, admin(), { body })).data.code).toBe('assignee.not_a_member');
  const time = await tickets.call(updateRule, admin(), { params: { id: rule.id }, body: { triggers: ['time_passed'] } });
  expect([time.status, time.data.errors?.[0]?.path]).toEqual([422, 'time']);
  expect((await tickets.call(listRules, asStaff(organization, 'manager'))).status).toBe(200);
  expect((await tickets.call(listRules, asToken(organization, 'organization:read'))).status).toBe(200);
  expect((await tickets.call(listRules, asStaff(organization))).status).toBe(403);
  expect((await tickets.call(createRule, asStaff(organization, 'manager'), { body })).status).toBe(403);
  const other = await tickets.anOrganization();
  expect((await tickets.call(deleteRule, asStaff(other, 'admin'), { params: { id: rule.id } })).status).toBe(404);
});
