import {
  createRule,
  listRules,
  readTicket,
  readTimeline,
  ruleLimits,
  systemContext,
  updateRule,
  updateTicket,
  webhookEndpointChanged,
  webhookEndpointMissing,
  type Activity,
  type Rule,
  type Ticket,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { eventually } from '@tandem/testing';
import { sql } from 'kysely';
import pg from 'pg';
import { asCustomer, asStaff, TicketsUnderTest, ticketInput, type TestOrganization } from '../../test/tickets';
import type { TicketsTx } from '../schema';
import { writeTicket } from '../ticket/ticket.service';
import { findTicketForUpdate, saveTicket } from '../ticket/ticket.store';
import { findDueRuleTimersAcrossOrganizations } from './rule-scan.store';
import { RuleWorker } from './rule.worker';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
beforeAll(async () => void (tickets = await TicketsUnderTest.start()));
beforeEach(async () => void (organization = await tickets.anOrganization()));
afterAll(() => tickets?.close());

const admin = () => asStaff(organization, 'admin');
const note = { type: 'add_note', content: 'Seen' };
const aRule = async (body: object): Promise<Rule> => {
  const answer = await tickets.call<Rule>(createRule, admin(), { body: { name: 'Rule', triggers: ['ticket_updated'], ...body } });
  expect([answer.status, answer.data.errors]).toEqual([201, undefined]);
  return answer.data;
};
const change = async ({ id }: Ticket, body: object) => (await tickets.call<Ticket>(updateTicket, admin(), { params: { id }, body })).data;
const inOrganization = <T>(work: (tx: TicketsTx) => Promise<T>) => tickets.db.forTenant({ organization_id: organization.id }, work);
const attention = async () =>
  (await tickets.eventsOf(organization)).filter(({ type }) => type === 'rule.needs_attention').map(({ data }) => data['problem'] as string);
const check = ({ id }: Ticket) => new RuleWorker(tickets.db).check(systemContext(organization.id, 'test'), { ticket_id: id });
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const dayAfterCreation = { triggers: ['time_passed'], time: { since: 'created', hours: 24 } };
const reply = { type: 'send_reply', content: 'Hello', translations: {} };
const notesOf = (ticket: Ticket) =>
  inOrganization((tx) => tx.selectFrom('comments').select('id').where('ticket_id', '=', ticket.id).where('rule', 'is not', null).execute());

async function addTickets(tx: TicketsTx, owner: TestOrganization, count: number): Promise<void> {
  await sql`select set_config('app.organization_id', ${owner.id}, true)`.execute(tx);
  // Statements have a time limit, and 6,000 rows can take longer than it on a busy machine.
  const batch = 500;
  for (let added = 0; added < count; added += batch) {
    await sql`insert into tickets (organization_id, id, ticket_number, subject, customer_email, created_at, updated_at)
      select ${owner.id}::uuid, gen_random_uuid(), 'S-' || gen_random_uuid(), 'Subject', 'c@example.com', now() - interval '30 hours', now()
      from generate_series(1, ${Math.min(batch, count - added)})`.execute(tx);
  }
}

async function asOwner(statement: string): Promise<void> {
  const owner = new pg.Client({ connectionString: tickets.database.ownerUrl });
  await owner.connect();
  try {
    await owner.query(statement);
  } finally {
    await owner.end();
  }
}

describe('a ticket that rules change too often', () => {
  it('has its rules paused at 200 actions an hour, with one warning for all such tickets, and runs them again after the pause', async () => {
    const rule = await aRule({ actions: Array.from({ length: ruleLimits.actions }, () => note) });
    const [first, second] = [await tickets.aTicket(organization), await tickets.aTicket(organization)];
    const perRule = ruleLimits.actionsPerHour / ruleLimits.actions;
    for (let i = 0; i <= perRule; i += 1) await change(first, { subject: `Changed ${i}` });
    expect(await notesOf(first)).toHaveLength(ruleLimits.actionsPerHour);
    expect(await attention()).toEqual(['ticket_paused']);
    const pauses = (await tickets.call<Activity[]>(readTimeline, admin(), { params: { id: first.id } })).data.filter(
      ({ kind }) => kind === 'rules_paused',
    );
    expect(pauses).toMatchObject([{ actor_type: 'system', changes: { rules_paused_until: { to: expect.any(String) } } }]);

    await inOrganization((tx) =>
      tx
        .insertInto('rule_runs')
        .values({
          organization_id: organization.id,
          id: newId(),
          rule_id: rule.id,
          rule_version: 1,
          ticket_id: second.id,
          trigger: 'ticket_updated',
          changes: '{}',
          effects: ['add_note'],
          problem: null,
          action_count: ruleLimits.actionsPerHour,
          created_at: new Date().toISOString(),
        })
        .execute(),
    );
    expect(await change(second, { subject: 'Changed' })).toMatchObject({ subject: 'Changed' });
    expect([(await notesOf(second)).length, await attention()]).toEqual([0, ['ticket_paused']]);

    // The pause and the hour are over.
    await inOrganization(async (tx) => {
      await tx.updateTable('rule_pauses').set({ paused_until: new Date().toISOString() }).execute();
      await sql`update rule_runs set created_at = created_at - interval '61 minutes'`.execute(tx);
    });
    await change(first, { subject: 'Changed after the pause' });
    expect(await notesOf(first)).toHaveLength(ruleLimits.actionsPerHour + ruleLimits.actions);
  });

  it('loses the actions after the fiftieth of a change, with one warning', async () => {
    const actions = Array.from({ length: ruleLimits.actions }, () => note);
    for (const name of ['A', 'B', 'C']) await aRule({ name, actions });
    const ticket = await tickets.aTicket(organization);
    await change(ticket, { subject: 'One' });
    await change(ticket, { subject: 'Two' });
    expect([(await notesOf(ticket)).length, await attention()]).toEqual([2 * ruleLimits.actionsPerCause, ['cut_off']]);
    expect((await tickets.call<Rule[]>(listRules, admin())).data.map(({ last_error }) => last_error?.code)).toEqual([
      undefined,
      undefined,
      'cut_off',
    ]);
  });
});

it('tickets whose rules are paused or cut off at the same time cause one warning each', async () => {
  for (const name of ['A', 'B', 'C']) await aRule({ name, actions: Array.from({ length: ruleLimits.actions }, () => note) });
  const all = await Promise.all(Array.from({ length: 8 }, () => tickets.aTicket(organization)));
  const rounds = ruleLimits.actionsPerHour / ruleLimits.actionsPerCause;
  for (let i = 0; i <= rounds; i += 1) await Promise.all(all.map((ticket) => change(ticket, { subject: `Changed ${i}` })));
  expect(await attention()).toEqual(['cut_off', 'ticket_paused']);
});

it('a rule whose webhook was deleted, or never existed, is turned off with the reason, and others stay', async () => {
  const [deleted, missing, kept] = [newId(), newId(), newId()];
  for (const endpoint_id of [deleted, missing, kept])
    await aRule({ name: endpoint_id, actions: [note, { type: 'send_to_webhook', endpoint_id }] });
  const url = 'https://hooks.example.com/x';
  const ctx = systemContext(organization.id, 'test');
  const endpoint = { id: deleted, url, state: 'active' } as const;
  await tickets.db.forTenant(ctx, async (tx) => {
    await emit(tx, ctx, webhookEndpointChanged, kept, { what: 'updated', endpoint: { ...endpoint, id: kept }, changes: {} });
    await emit(tx, ctx, webhookEndpointChanged, deleted, { what: 'deleted', endpoint, changes: {} });
    await emit(tx, ctx, webhookEndpointMissing, missing, { endpoint_id: missing });
  });
  await eventually(async () => {
    const { data } = await tickets.call<Rule[]>(listRules, admin());
    expect(data.map(({ name, is_active, disabled_reason }) => [name, is_active, disabled_reason])).toEqual([
      [deleted, false, { code: 'webhook_deleted', detail: 'hooks.example.com' }],
      [missing, false, { code: 'webhook_deleted', detail: '' }],
      [kept, true, null],
    ]);
  });
  expect(await attention()).toEqual(['disabled', 'disabled']);
});

describe('rules after time rules', () => {
  it('that run once per ticket do so however often time rules change the ticket', async () => {
    await aRule({ name: 'Once', runs: 'once_per_ticket', actions: [reply] });
    const tag = (name: string, hours: number) =>
      aRule({ triggers: ['time_passed'], time: { since: 'created', hours }, actions: [{ type: 'add_tags', tags: [name] }] });
    await tag('day', 24);
    await tag('two-days', 48);
    const ticket = await tickets.aTicket(organization, { created_at: hoursAgo(30) });
    await check(ticket);
    await inOrganization((tx) => sql`update tickets set created_at = created_at - interval '30 hours' where id = ${ticket.id}`.execute(tx));
    await check(ticket);
    const { tags } = (await tickets.call<Ticket>(readTicket, admin(), { params: { id: ticket.id } })).data;
    expect([tags, (await notesOf(ticket)).length]).toEqual([['day', 'two-days'], 1]);
  });

  it('that are due together are skipped after one that stops, also by later checks', async () => {
    await aRule({ ...dayAfterCreation, stops: true, actions: [note] });
    await aRule({ ...dayAfterCreation, actions: [note] });
    const ticket = await tickets.aTicket(organization, { created_at: hoursAgo(30) });
    for (let i = 0; i < 3; i += 1) await check(ticket);
    expect(await notesOf(ticket)).toHaveLength(1);
  });
});

it('no rule replies on a ticket whose opening email forbids automatic replies, neither later nor after a change by staff', async () => {
  for (const when of [{ triggers: ['ticket_created'] }, { triggers: ['ticket_updated'] }, dayAfterCreation])
    await aRule({ ...when, actions: [reply, note] });
  const ticket = await inOrganization((tx) =>
    writeTicket(tx, asCustomer(organization.id), { ...ticketInput(), quiet: true }, hoursAgo(30)),
  );
  await check(ticket!);
  await change(ticket!, { subject: 'Changed' });
  const written = await inOrganization((tx) =>
    tx.selectFrom('comments').select('is_internal').where('ticket_id', '=', ticket!.id).execute(),
  );
  // One note per trigger.
  expect(written).toEqual(Array.from({ length: 3 }, () => ({ is_internal: true })));
});

it('a time rule is scheduled again by each change that is saved, also by the system', async () => {
  const dueAt = async ({ id }: Ticket) =>
    inOrganization((tx) => tx.selectFrom('rule_timers').select('check_at').where('ticket_id', '=', id).executeTakeFirst());
  await aRule({ ...dayAfterCreation, condition: { field: 'is_breached', op: 'is', value: true }, actions: [note] });
  const ticket = await tickets.aTicket(organization, { created_at: hoursAgo(30) });
  await check(ticket);
  expect(await dueAt(ticket)).toBeUndefined();
  await inOrganization(async (tx) => {
    const locked = await findTicketForUpdate(tx, ticket.id);
    await saveTicket(tx, locked!, { sla_breached_at: new Date().toISOString() }, new Date().toISOString());
  });
  expect(await dueAt(ticket)).toBeDefined();
  await check(ticket);
  expect(await notesOf(ticket)).toHaveLength(1);
});

it('two transactions that assign in opposite directions before their rules assign again do not deadlock', async () => {
  const [a, b, c] = [organization.admin, organization.manager, organization.agent];
  await aRule({
    condition: { field: 'changed_fields', op: 'contains_any_of', value: ['assigned_to'] },
    actions: [{ type: 'assign', to: c }],
  });
  const [first, second] = await Promise.all([tickets.aTicket(organization), tickets.aTicket(organization)]);
  await Promise.all([change(first, { assigned_to: a }), change(second, { assigned_to: b })]);
  for (let i = 0; i < 15; i += 1) {
    await inOrganization((tx) =>
      sql`update tickets set assigned_to = case when id = ${first.id} then ${a}::uuid else ${b}::uuid end`.execute(tx),
    );
    const both = [
      tickets.call(updateTicket, admin(), { params: { id: first.id }, body: { assigned_to: b } }),
      tickets.call(updateTicket, admin(), { params: { id: second.id }, body: { assigned_to: a } }),
    ];
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
  }
});

it('a time rule that this release cannot read is turned off when it is due', async () => {
  const rule = await aRule({ ...dayAfterCreation, actions: [note] });
  const ticket = await tickets.aTicket(organization, { created_at: hoursAgo(30) });
  await inOrganization(async (tx) => {
    const condition = JSON.stringify({ field: 'from_a_later_release', op: 'is', value: 1 });
    await tx.updateTable('rules').set({ condition }).where('id', '=', rule.id).execute();
    await sql`update organizations set rules_version = rules_version + 1`.execute(tx);
  });
  await check(ticket);
  const { data } = await tickets.call<Rule[]>(listRules, admin());
  expect([data.map(({ is_active }) => is_active), await attention()]).toEqual([[false], ['disabled']]);
});

it('a rule that this release cannot read is turned off with a warning, and the change succeeds', async () => {
  const rule = await aRule({ actions: [note] });
  const other = await aRule({ name: 'Other', actions: [note] });
  await inOrganization(async (tx) => {
    const condition = JSON.stringify({ field: 'from_a_later_release', op: 'is', value: 1 });
    await tx.updateTable('rules').set({ condition }).where('id', '=', rule.id).execute();
    await sql`update organizations set rules_version = rules_version + 1`.execute(tx);
  });
  const ticket = await tickets.aTicket(organization);
  for (const subject of ['One', 'Two']) expect((await change(ticket, { subject })).subject).toBe(subject);
  const { data } = await tickets.call<Rule[]>(listRules, admin());
  expect(data.map(({ id, is_active, condition, disabled_reason }) => [id, is_active, condition, disabled_reason?.code])).toEqual([
    [rule.id, false, { any: [] }, 'invalid'],
    [other.id, true, { all: [] }, undefined],
  ]);
  const params = { id: rule.id };
  expect((await tickets.call(updateRule, admin(), { params, body: { is_active: true } })).status).toBe(422);
  expect((await tickets.call(updateRule, admin(), { params, body: { is_active: true, condition: { all: [] } } })).status).toBe(200);
  expect([await attention(), (await notesOf(ticket)).length]).toEqual([['disabled'], 2]);
});

it('an admin can turn off a rule that this release cannot read, which keeps its parts', async () => {
  const rule = await aRule({ actions: [note] });
  const condition = { field: 'from_a_later_release', op: 'is', value: 1 };
  const stored = () =>
    inOrganization((tx) => tx.selectFrom('rules').select(['is_active', 'condition']).where('id', '=', rule.id).executeTakeFirstOrThrow());
  await inOrganization((tx) =>
    tx
      .updateTable('rules')
      .set({ condition: JSON.stringify(condition) })
      .where('id', '=', rule.id)
      .execute(),
  );
  const call = (body: object) => tickets.call<Rule>(updateRule, admin(), { params: { id: rule.id }, body });
  expect((await call({ name: 'Renamed', is_active: false })).status).toBe(422);
  const { status, data } = await call({ is_active: false });
  expect([status, data.is_active, data.version]).toEqual([200, false, rule.version + 1]);
  expect(await stored()).toEqual({ is_active: false, condition });
  expect((await call({ is_active: false })).data.version).toBe(rule.version + 1);
});

it('a transaction that fails after rules have run leaves none of their actions, runs and events', async () => {
  await aRule({ triggers: ['ticket_created'], runs: 'once_per_ticket', actions: [note, { type: 'set_priority', priority: 'urgent' }] });
  const create = (fails: boolean) =>
    inOrganization(async (tx) => {
      const ticket = await writeTicket(tx, admin(), ticketInput(), new Date().toISOString());
      if (fails) throw new Error(`${ticket!.priority}`);
      return ticket!;
    });
  await expect(create(true)).rejects.toThrow('urgent');
  const count = (table: 'tickets' | 'comments' | 'rule_runs' | 'rule_acts' | 'activities') =>
    inOrganization(async (tx) => (await tx.selectFrom(table).select('organization_id').execute()).length);
  const counts = async () => [await count('tickets'), await count('comments'), await count('rule_runs'), await count('rule_acts')];
  expect([await counts(), (await tickets.eventsOf(organization)).filter(({ type }) => type.startsWith('ticket.'))]).toEqual([
    [0, 0, 0, 0],
    [],
  ]);
  expect((await create(false)).priority).toBe('urgent');
  expect(await counts()).toEqual([1, 1, 1, 1]);
});

it('100 tickets that are due at once each run once, also with two workers and repeated jobs', async () => {
  await inOrganization((tx) => addTickets(tx, organization, 100));
  const rule = await aRule({
    triggers: ['time_passed'],
    time: { since: 'created', hours: 24 },
    actions: [{ type: 'add_tags', tags: ['late'] }],
  });
  const ctx = systemContext(organization.id, 'test');
  const workers = [new RuleWorker(tickets.db), new RuleWorker(tickets.db)] as const;
  await workers[0].scan(ctx);
  const due = (await workers[0].findDue()).filter(({ ctx: of }) => of.organization_id === organization.id);
  expect(due).toHaveLength(100);
  await Promise.all(
    workers.map(async (worker, i) => {
      for (const { data } of i === 0 ? due : due.toReversed()) await worker.check(ctx, data);
    }),
  );
  const runs = await inOrganization((tx) => tx.selectFrom('rule_runs').select('ticket_id').where('rule_id', '=', rule.id).execute());
  expect([runs.length, new Set(runs.map(({ ticket_id }) => ticket_id)).size]).toEqual([100, 100]);
  expect((await workers[0].findDue()).filter(({ ctx: of }) => of.organization_id === organization.id)).toEqual([]);
});

describe('a sweep for due time rules', () => {
  const addTimers = async (tx: TicketsTx, owner: TestOrganization, count: number, minutes: number): Promise<void> => {
    await addTickets(tx, owner, count);
    await sql`insert into rule_timers (organization_id, ticket_id, check_at)
      select organization_id, id, now() - make_interval(mins => ${minutes}) from tickets where organization_id = ${owner.id} and ticket_number like 'S-%'
      on conflict do nothing`.execute(tx);
  };

  // Statistics of a small table.
  it.each([0, 1, 5])(
    'takes organizations in turn and reads a bounded number of rows, with statistics of a table with %i timers',
    async (known) => {
      const other = await tickets.anOrganization();
      await asOwner('truncate rule_timers');
      if (known > 0) await tickets.db.asSystem('test', (tx) => addTimers(tx, organization, known, 1));
      await asOwner('vacuum analyze rule_timers');
      const rollback = new Error('rolled back');
      let found: { organization_id: string }[] = [];
      let read = 0;
      const countRead = async (tx: TicketsTx) => {
        const { rows } = await sql<{ n: number }>`
        select sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::integer as n
        from (select 'rule_timers'::regclass::oid union all select indexrelid from pg_index where indrelid = 'rule_timers'::regclass) as r (oid)`.execute(
          tx,
        );
        return rows[0]!.n;
      };
      const work = tickets.db.asSystem('test', async (tx) => {
        await addTimers(tx, organization, 6_000, 90);
        await addTimers(tx, other, 3, 10);
        // Organizations without a due timer take no share.
        for (let i = 0; i < 300; i += 1) await addTimers(tx, { ...other, id: newId() }, 1, -60);
        const before = await countRead(tx);
        found = await findDueRuleTimersAcrossOrganizations(tx, 500);
        read = (await countRead(tx)) - before;
        throw rollback;
      });
      await work.catch((error: unknown) => {
        if (error !== rollback) throw error;
      });
      const of = ({ id }: TestOrganization) => found.filter(({ organization_id }) => organization_id === id).length;
      expect([of(other), found.length]).toEqual([3, 500]);
      expect(read).toBeLessThan(4_000);
    },
  );
});
