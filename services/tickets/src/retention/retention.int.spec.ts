import {
  addComment,
  addPublicComment,
  createCustomField,
  listTickets,
  mergeTicket,
  previewErasure,
  previewRetention,
  readPublicTicket,
  readRetention,
  readTicket,
  readTicketSurvey,
  readTimeline,
  saveDraft,
  saveRetention,
  submitSurvey,
  systemContext,
  unmergeTicket,
  updateTicket,
  type Activity,
  type ErasurePreview,
  type RetentionPolicy,
  type Ticket,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { eventually, queryAsOwner } from '@tandem/testing';
import { sql } from 'kysely';
import { asCustomer, asStaff, asToken, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { AttachmentWorker } from '../attachment/attachment.worker';
import { anonymizeTickets } from './anonymize-tickets.store';
import { RetentionWorker } from './retention.worker';

let tickets: TicketsUnderTest;
// Without jobs and consumers: only the test runs them.
beforeAll(async () => (tickets = await TicketsUnderTest.start({ RUN: 'http' })));
afterAll(() => tickets?.close());

const admin = (organization: TestOrganization) => asStaff(organization, 'admin');
const policy = { is_active: true, action: 'delete', months: 12, kept_categories: ['Billing'] };
const save = (organization: TestOrganization, body: object = policy) =>
  tickets.call<RetentionPolicy>(saveRetention, admin(organization), { body });
const inTenant = (organization: TestOrganization, statement: ReturnType<typeof sql>) =>
  tickets.db.forTenant({ organization_id: organization.id }, (tx) => statement.execute(tx));
const makeDue = (organization: TestOrganization) =>
  inTenant(organization, sql`update retention_policies set next_run_at = now() - interval '1 second' where next_run_at is not null`);
const apply = (organization: TestOrganization) => tickets.app.get(RetentionWorker).apply(systemContext(organization.id, 'test'));
const left = async (organization: TestOrganization) =>
  (await tickets.db.forTenant({ organization_id: organization.id }, (tx) => tx.selectFrom('tickets').select('subject').execute()))
    .map(({ subject }) => subject)
    .sort();

async function withTickets(): Promise<TestOrganization> {
  const organization = await tickets.anOrganization();
  for (const [subject, status, months, category] of [
    ['old', 'closed', 13, null],
    ['old and resolved', 'resolved', 13, 'Technical'],
    ['kept', 'closed', 13, 'Billing'],
    ['open', 'open', 13, null],
    ['recent', 'closed', 11, null],
  ] as const) {
    const { id } = await tickets.aTicket(organization, { subject, category });
    await inTenant(
      organization,
      sql`update tickets set status = ${status}, updated_at = now() - make_interval(months => ${months}) where id = ${id}`,
    );
  }
  return organization;
}

it('deletes resolved and closed tickets at night, once they have not changed for the given months', async () => {
  const [organization, other] = [await withTickets(), await withTickets()];
  expect((await tickets.call(previewRetention, admin(organization), { body: policy })).data).toEqual({ tickets: 2, nights: 1 });
  expect((await save(organization)).data).toMatchObject(policy);
  // Not before the night.
  await apply(organization);
  expect(await left(organization)).toHaveLength(5);
  await makeDue(organization);
  await apply(organization);
  await apply(organization);
  expect(await left(organization)).toEqual(['kept', 'open', 'recent']);
  expect(await left(other)).toHaveLength(5);
  const events = (await tickets.eventsOf(organization)).filter(({ type }) => /^(retention|tickets)\./.test(type));
  expect(events.map(({ type, data }) => [type, data['what'] ?? data['keep_figures'], data['tickets'] ?? null])).toEqual([
    ['retention.changed', 'updated', 0],
    ['tickets.deleted', true, null],
    ['retention.changed', 'applied', 2],
  ]);
});

it('deletes at most 2,000 tickets per night, and none after it was turned off', async () => {
  const organization = await withTickets();
  const { id } = await tickets.aTicket(organization, { subject: 'many' });
  await inTenant(
    organization,
    sql`insert into tickets (organization_id, id, ticket_number, subject, status, customer_email, created_at, updated_at)
      select organization_id, gen_random_uuid(), 'X-' || n, 'many', 'closed', customer_email, created_at, now() - interval '3 years'
      from tickets, generate_series(1, 2100) n where id = ${id}`,
  );
  await save(organization);
  await makeDue(organization);
  await apply(organization);
  expect((await left(organization)).filter((subject) => subject === 'many')).toHaveLength(101);
  await save(organization, { ...policy, is_active: false });
  await makeDue(organization);
  await apply(organization);
  expect((await left(organization)).filter((subject) => subject === 'many')).toHaveLength(101);
});

it('leaves a ticket that is reopened while the tickets are chosen', async () => {
  const organization = await withTickets();
  await save(organization);
  await makeDue(organization);
  let commit = () => {};
  const held = new Promise<void>((resolve) => (commit = resolve));
  let isChanged = () => {};
  const changed = new Promise<void>((resolve) => (isChanged = resolve));
  const reopening = tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
    await sql`update tickets set status = 'open', updated_at = now() where subject = 'old'`.execute(tx);
    isChanged();
    await held;
  });
  await changed;
  const applying = apply(organization);
  await eventually(async () => {
    const { rows } = await tickets.db.asSystem('test', (tx) =>
      sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(tx),
    );
    expect(rows).toHaveLength(1);
  });
  commit();
  await Promise.all([reopening, applying]);
  expect(await left(organization)).toEqual(['kept', 'old', 'open', 'recent']);
});

describe('a policy that anonymizes', () => {
  const anonymizing = { ...policy, action: 'anonymize' };
  const canary = 'canary4711zz';
  const address = `${canary}@example.com`;

  /** The tables of the service, apart from the outbox, in which the organization has rows that contain the text. */
  const tablesWith = (organization: TestOrganization, text: string) =>
    tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
      const { rows } = await sql<{ name: string }>`
        select c.relname as name from pg_class c where c.relkind = 'r' and c.relrowsecurity and c.relname <> 'outbox' order by 1`.execute(
        tx,
      );
      const found: string[] = [];
      for (const { name } of rows) {
        const has = await sql`select from ${sql.table(name)} x where x::text ilike ${`%${text}%`} limit 1`.execute(tx);
        if (has.rows.length > 0) found.push(name);
      }
      return found;
    });
  const run = async (organization: TestOrganization, body: object = anonymizing) => {
    await save(organization, body);
    await makeDue(organization);
    await apply(organization);
  };
  const read = async (organization: TestOrganization, ticket: Pick<Ticket, 'id'>) =>
    (await tickets.call<Ticket>(readTicket, admin(organization), { params: { id: ticket.id } })).data;
  const makeOld = (organization: TestOrganization, ticket: Pick<Ticket, 'id'>, months = 13) =>
    inTenant(organization, sql`update tickets set updated_at = now() - make_interval(months => ${months}) where id = ${ticket.id}`);

  /** A closed ticket with everything that a ticket can have. */
  async function aFullTicket(organization: TestOrganization): Promise<Ticket> {
    const ctx = admin(organization);
    await tickets.call(createCustomField, ctx, { body: { key: 'notes', label: 'Notes', type: 'text' } });
    await tickets.call(createCustomField, ctx, { body: { key: 'amount', label: 'Amount', type: 'number' } });
    const ticket = await tickets.aTicket(organization, {
      subject: canary,
      description: canary,
      customer_name: canary,
      customer_email: address,
      category: 'Technical',
      tags: ['fire'],
    });
    const at = { params: { id: ticket.id } };
    const file = await tickets.aFile(asStaff(organization), canary, `${canary}.txt`);
    const changes = { priority: 'high', assigned_to: organization.agent, subject: `${canary}!`, external_id: canary, cc: [`cc-${address}`], custom_fields: { notes: canary, amount: 17 } }; // prettier-ignore
    expect((await tickets.call(updateTicket, ctx, { ...at, body: changes })).status).toBe(200);
    const comment = { content: `Hello ${canary}`, attachment_ids: [file.id] };
    expect((await tickets.call(addComment, asStaff(organization), { ...at, body: comment })).status).toBe(201);
    await tickets.call(addComment, ctx, { ...at, body: { content: canary, is_internal: true } });
    await tickets.call(saveDraft, ctx, { ...at, body: { content: canary, is_internal: false } });
    await tickets.call(updateTicket, ctx, { ...at, body: { status: 'resolved' } });
    const survey = { email: address, rating: 2, feedback: canary };
    expect((await tickets.call(submitSurvey, asCustomer(organization.id), { params: { ticketId: ticket.id }, body: survey })).status).toBe(
      201,
    );
    await makeOld(organization, ticket);
    return ticket;
  }

  it('removes the customer and all texts, and keeps what figures need', async () => {
    const organization = await tickets.anOrganization();
    const ticket = await aFullTicket(organization);
    const before = await read(organization, ticket);
    expect((await tickets.call(previewRetention, admin(organization), { body: anonymizing })).data).toEqual({ tickets: 1, nights: 1 });
    expect((await tablesWith(organization, canary)).length).toBeGreaterThan(5);
    await run(organization);
    // The row of the file is detached, and the sweep removes it with its bytes.
    expect(await tablesWith(organization, canary)).toEqual(['attachments']);
    await inTenant(organization, sql`update attachments set created_at = now() - interval '2 days'`);
    await tickets.app.get(AttachmentWorker).remove();
    expect(await tablesWith(organization, canary)).toEqual([]);
    const after = await read(organization, ticket);
    expect(after).toEqual({
      ...before,
      subject: 'Anonymized ticket',
      description: null,
      customer_name: null,
      customer_email: 'removed@anonymous.invalid',
      cc: [],
      watchers: [],
      external_id: null,
      custom_fields: { amount: 17 },
      anonymized_at: expect.any(String) as string,
      version: before.version + 1,
    });
    expect(after).toMatchObject({ comment_count: 2, public_reply_count: 1, status: 'resolved', assigned_to: organization.agent });
    const { data: survey } = await tickets.call(readTicketSurvey, admin(organization), { params: { id: ticket.id } });
    expect(survey).toMatchObject({ rating: 2, feedback: null });
    const { data: history } = await tickets.call<Activity[]>(readTimeline, admin(organization), { params: { id: ticket.id }, query: {} });
    expect(history.map(({ kind, changes }) => [kind, changes])).toEqual([
      ['changed', { status: { from: 'open', to: 'resolved' } }],
      [
        'changed',
        {
          priority: { from: 'medium', to: 'high' },
          assigned_to: { from: null, to: organization.agent },
          subject: { from: null, to: null },
          external_id: { from: null, to: null },
          cc: { from: null, to: null },
          'custom_fields.notes': { from: null, to: null },
          'custom_fields.amount': { from: null, to: 17 },
        },
      ],
      ['created', {}],
    ]);
    const events = (await tickets.eventsOf(organization)).filter(({ type }) => /^(retention|tickets)\./.test(type));
    expect(events.map(({ data }) => data)).toMatchObject([
      { what: 'updated', policy: anonymizing },
      { ticket_ids: [ticket.id], keep_figures: true, is_anonymized: true },
      { what: 'applied', policy: anonymizing, tickets: 1 },
    ]);
  });

  it('anonymizes a ticket once, and a policy that deletes later deletes it at its age', async () => {
    const organization = await withTickets();
    await run(organization);
    expect(await left(organization)).toEqual(['Anonymized ticket', 'Anonymized ticket', 'kept', 'open', 'recent']);
    const versions = async () =>
      (
        await tickets.db.forTenant({ organization_id: organization.id }, (tx) =>
          tx.selectFrom('tickets').select(['version', 'anonymized_at']).where('anonymized_at', 'is not', null).orderBy('id').execute(),
        )
      ).map((row) => ({ ...row }));
    const before = await versions();
    expect((await tickets.call(previewRetention, admin(organization), { body: anonymizing })).data).toEqual({ tickets: 0, nights: 0 });
    await run(organization);
    expect(await versions()).toEqual(before);
    await run(organization, policy);
    expect(await left(organization)).toEqual(['kept', 'open', 'recent']);
  });

  it('repeats a batch that was interrupted', async () => {
    const organization = await withTickets();
    await save(organization, anonymizing);
    await makeDue(organization);
    // The transaction fails at its last statement.
    const owner = (statement: string) => queryAsOwner(tickets.database.ownerUrl, statement);
    await owner(`alter table outbox add constraint interrupted check (type <> 'tickets.deleted') not valid`);
    await expect(apply(organization)).rejects.toThrow();
    await owner('alter table outbox drop constraint interrupted');
    expect(await left(organization)).toEqual(['kept', 'old', 'old and resolved', 'open', 'recent']);
    await apply(organization);
    expect(await left(organization)).toEqual(['Anonymized ticket', 'Anonymized ticket', 'kept', 'open', 'recent']);
  });

  it('lets no draft and no rating be added while it runs', async () => {
    const organization = await tickets.anOrganization();
    const ticket = await tickets.aTicket(organization, { customer_email: address });
    await tickets.call(updateTicket, admin(organization), { params: { id: ticket.id }, body: { status: 'resolved' } });
    let answers: Promise<{ status: number }[]> | undefined;
    await tickets.db.forTenant({ organization_id: organization.id }, async (tx) => {
      await sql`select from tickets where id = ${ticket.id} for update`.execute(tx);
      await anonymizeTickets(tx, organization.id, [ticket.id]);
      answers = Promise.all([
        tickets.call(saveDraft, admin(organization), { params: { id: ticket.id }, body: { content: canary, is_internal: false } }),
        tickets.call(submitSurvey, asCustomer(organization.id), {
          params: { ticketId: ticket.id },
          body: { email: address, rating: 1, feedback: canary },
        }),
      ]);
      await eventually(async () => {
        const { rows } = await tickets.db.asSystem('test', (other) =>
          sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(other),
        );
        expect(rows).toHaveLength(2);
      });
    });
    expect((await answers!).map(({ status }) => status)).toEqual([423, 404]);
    expect(await tablesWith(organization, canary)).toEqual([]);
  });

  it('leaves a ticket that nobody can write to, open as a customer, or merge', async () => {
    const organization = await tickets.anOrganization();
    const [ticket, duplicate, other] = [
      await aFullTicket(organization),
      await tickets.aTicket(organization, { customer_email: address }),
      await tickets.aTicket(organization, { customer_email: 'removed@anonymous.invalid' }),
    ];
    const [ctx, customer, at] = [admin(organization), asCustomer(organization.id), { params: { id: ticket.id } }];
    await tickets.call(mergeTicket, ctx, { params: { id: duplicate.id }, body: { into_id: ticket.id } });
    await makeOld(organization, ticket);
    await run(organization);
    for (const [op, body] of [
      [addComment, { content: 'Hello' }],
      [addComment, { content: 'Hello', is_internal: true }],
      [updateTicket, { status: 'open' }],
    ] as const) {
      const { status, data } = await tickets.call(op, ctx, { ...at, body });
      expect([status, data.code, data.detail]).toEqual([423, 'ticket.locked', expect.stringContaining('has no customer')]);
    }
    const draft = await tickets.call(saveDraft, ctx, { ...at, body: { content: 'Hello', is_internal: false } });
    expect(draft.data.code).toBe('ticket.locked');
    for (const email of [address, 'removed@anonymous.invalid']) {
      expect((await tickets.call(readPublicTicket, customer, { ...at, query: { email } })).status).toBe(404);
      expect((await tickets.call(addPublicComment, customer, { ...at, body: { email, content: 'Hello' } })).status).toBe(404);
    }
    expect((await tickets.call(mergeTicket, ctx, { ...at, body: { into_id: other.id } })).data.code).toBe('ticket.merge_refused');
    const undo = await tickets.call(unmergeTicket, ctx, { params: { id: duplicate.id } });
    expect([undo.data.code, undo.data.detail]).toEqual(['ticket.unmerge_refused', expect.stringContaining('no longer be undone')]);
    // The address of anonymized tickets is no customer.
    const query = { customer_email: 'removed@anonymous.invalid' };
    const { data: found } = await tickets.call<Ticket[]>(listTickets, ctx, { query });
    expect(found.map(({ id }) => id)).toEqual([other.id]);
    const preview = await tickets.call<ErasurePreview>(previewErasure, ctx, { body: { email: query.customer_email } });
    expect(preview.data.counts.tickets).toBe(1);
  });
});

it('is for admins of the organization only', async () => {
  const [organization, other] = [await tickets.anOrganization(), await tickets.anOrganization()];
  expect((await tickets.call(readRetention, admin(organization))).data).toEqual({
    is_active: false,
    action: 'delete',
    months: 24,
    kept_categories: [],
    updated_at: null,
  });
  await save(organization);
  expect((await tickets.call(readRetention, admin(other))).data).toMatchObject({ is_active: false });
  for (const [ctx, status] of [
    [asStaff(organization, 'manager'), 403],
    [asToken(organization, 'tickets:write'), 403],
    [undefined, 401],
  ] as const) {
    for (const op of [saveRetention, previewRetention]) expect((await tickets.call(op, ctx, { body: policy })).status).toBe(status);
    expect((await tickets.call(readRetention, ctx)).status).toBe(status);
  }
  for (const body of [
    {},
    { ...policy, action: 'hide' },
    { ...policy, months: 0 },
    { ...policy, months: 121 },
    { ...policy, months: 1.5 },
    { ...policy, kept_categories: [''] },
    { ...policy, more: newId() },
  ])
    expect((await save(organization, body)).status).toBe(422);
});
