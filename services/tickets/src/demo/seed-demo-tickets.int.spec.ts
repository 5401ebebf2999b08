import {
  addComment,
  announceAttachment,
  attachmentRules,
  changeTickets,
  createTicket,
  demoLimits,
  listSlaPolicies,
  listTickets,
  readHelpCenter,
  searchArticles,
  mergeTicket,
  saveDraft,
  updateTicket,
  type ArticleMatch,
  type HelpCenter,
  type TicketHistory,
  type TicketSummary,
} from '@tandem/contracts';
import { asCustomer, asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { demoTickets } from './demo-tickets';
import { demoSurveys } from './demo-surveys';
import { seedDemoTickets } from './seed-demo-tickets';

let tickets: TicketsUnderTest;
beforeAll(async () => (tickets = await TicketsUnderTest.start()));
afterAll(() => tickets?.close());

const seed = (organization: TestOrganization) =>
  seedDemoTickets(tickets.db, {
    organization_id: organization.id,
    member_ids: [organization.admin, organization.manager, organization.agent],
  });

it('writes the demo tickets once, numbered by creation time', async () => {
  const organization = await tickets.anOrganization();
  expect(await Promise.all([seed(organization), seed(organization)])).toEqual(expect.arrayContaining([demoTickets.length, 0]));
  expect(await seed(organization)).toBe(0);
  const { data, pagination } = await tickets.call<TicketSummary[]>(listTickets, asStaff(organization), { query: { limit: '100' } });
  expect(pagination.total).toBe(demoTickets.length);
  expect(data.map(({ ticket_number }) => Number(ticket_number.slice(4)))).toEqual(demoTickets.map((_, i) => demoTickets.length - i));
  for (const ticket of data) {
    expect(Date.parse(ticket.created_at)).toBeGreaterThan(Date.now() - 30 * 86_400_000);
    expect(Date.parse(ticket.updated_at)).toBeLessThanOrEqual(Date.now());
    expect(ticket.resolved_at !== null).toBe(ticket.status === 'resolved');
  }
  expect(data.map(({ subject, status }) => [subject, status]).reverse()).toEqual(
    demoTickets.map(({ subject, status }) => [subject, status]),
  );
});
it('publishes the history of each ticket, with the time at which its survey was sent', async () => {
  const organization = await tickets.anOrganization();
  await seed(organization);
  const events = await tickets.eventsOf(organization);
  const histories = events.flatMap(({ type, data }) => (type === 'ticket.histories' ? (data.histories as TicketHistory[]) : []));
  expect(histories).toHaveLength(demoTickets.length);
  expect(histories.filter(({ survey }) => survey !== null)).toHaveLength(Object.keys(demoSurveys).length);
  for (const { ticket, survey_sent_at } of histories) expect(survey_sent_at !== null).toBe(['resolved', 'closed'].includes(ticket.status));
});
it('publishes three help articles in one category, which the search finds', async () => {
  const organization = await tickets.anOrganization();
  await seed(organization);
  const customer = asCustomer(organization.id);
  const { data } = await tickets.call<HelpCenter>(readHelpCenter, customer);
  expect(data).toMatchObject({ article_count: 3, categories: [{ category: { name: 'Orders and payments' }, article_count: 3 }] });
  const found = await tickets.call<ArticleMatch[]>(searchArticles, customer, { query: { q: 'refund' } });
  expect(found.data[0]?.title).toBe('Get a refund');
});
it('has policies for every priority, due tickets and paused ones', async () => {
  const organization = await tickets.anOrganization();
  await seed(organization);
  expect(((await tickets.call<unknown[]>(listSlaPolicies, asStaff(organization))).data as unknown[]).length).toBe(4);
  const { data } = await tickets.call<TicketSummary[]>(listTickets, asStaff(organization), { query: { limit: '100' } });
  expect(data.filter(({ next_due_at }) => next_due_at !== null).length).toBeGreaterThan(3);
  expect(data.filter(({ sla_paused_since }) => sla_paused_since !== null).length).toBeGreaterThan(0);
  expect(data.filter(({ first_response_at }) => first_response_at !== null).length).toBeGreaterThan(3);
});
it('has tickets of every channel, survey answers and one follow-up ticket', async () => {
  const organization = await tickets.anOrganization();
  await seed(organization);
  const { rows, surveys } = await tickets.db.forTenant({ organization_id: organization.id }, async (tx) => ({
    rows: await tx.selectFrom('tickets').select(['id', 'subject', 'status', 'channel', 'customer_email', 'follow_up_of_id']).execute(),
    surveys: await tx.selectFrom('surveys').selectAll().execute(),
  }));
  expect(new Set(rows.map(({ channel }) => channel))).toEqual(new Set(['email', 'portal', 'widget', 'staff']));
  const asked = surveys.map(({ ticket_id }) => rows.find(({ id }) => id === ticket_id)!);
  expect(asked.map(({ subject }) => subject).sort()).toEqual(Object.keys(demoSurveys).sort());
  expect(asked.filter(({ status }) => status !== 'resolved' && status !== 'closed')).toEqual([]);
  for (const { created_at } of surveys) expect(Date.parse(created_at)).toBeLessThanOrEqual(Date.now());
  const [follow, ...more] = rows.filter(({ follow_up_of_id }) => follow_up_of_id !== null);
  const before = rows.find(({ id }) => id === follow?.follow_up_of_id);
  expect(more).toEqual([]);
  expect([before?.status, before?.customer_email]).toEqual(['closed', follow?.customer_email]);
});
it('emits all events with the system as actor, so that no emails are sent', async () => {
  const organization = await tickets.anOrganization();
  await seed(organization);
  const events = await tickets.eventsOf(organization);
  expect(events.filter(({ type }) => type === 'ticket.created')).toHaveLength(demoTickets.length);
  expect(new Set(events.map(({ actor }) => actor.type))).toEqual(new Set(['system']));
});
it('writes and emits nothing if any part fails', async () => {
  const organization = await tickets.anOrganization();
  const setCounter = (last_number: number) =>
    tickets.db.forTenant({ organization_id: organization.id }, (tx) => tx.updateTable('ticket_counters').set({ last_number }).execute());
  await setCounter(9);
  const { id, ticket_number } = await tickets.aTicket(organization);
  expect(ticket_number).toBe('ACM-0010');
  await setCounter(0);
  // The demo ticket with this number conflicts with the existing one.
  await expect(seed(organization)).rejects.toThrow(/unique/);
  const { data } = await tickets.call<TicketSummary[]>(listTickets, asStaff(organization));
  expect(data.map((ticket) => ticket.id)).toEqual([id]);
  expect(await tickets.eventsOf(organization)).toHaveLength(1);
});

describe('a live demo', () => {
  const start = (demo_ends_at: string | null) => tickets.anOrganization({ demo_ends_at });
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
  const limited = { status: 409, data: { code: 'demo.limited' } };
  const anInput = (description: string) => ({ subject: 'Try', customer_email: 'ada@example.com', description });

  it('accepts short texts only', async () => {
    const [demo, other] = [await start(inAnHour()), await start(null)];
    const [longest, tooLong] = ['x'.repeat(demoLimits.characters), 'x'.repeat(demoLimits.characters + 1)];
    const ctx = asStaff(demo, 'manager');
    const { status, data: ticket } = await tickets.call<{ id: string }>(createTicket, ctx, { body: anInput(longest) });
    expect(status).toBe(201);
    const params = { id: ticket.id };
    expect(await tickets.call(createTicket, ctx, { body: anInput(tooLong) })).toMatchObject(limited);
    expect(await tickets.call(updateTicket, ctx, { params, body: { description: tooLong } })).toMatchObject(limited);
    expect(await tickets.call(addComment, ctx, { params, body: { content: tooLong, is_internal: true } })).toMatchObject(limited);
    expect(await tickets.call(saveDraft, ctx, { params, body: { content: tooLong, is_internal: true } })).toMatchObject(limited);
    expect((await tickets.call(createTicket, asStaff(other, 'manager'), { body: anInput(tooLong) })).status).toBe(201);
  });

  it('accepts a limited number of changes, however they are made', async () => {
    const demo = await start(inAnHour());
    await seed(demo);
    const ctx = asStaff(demo, 'manager');
    const [ticket, source] = [await tickets.aTicket(demo), await tickets.aTicket(demo)];
    const params = { id: ticket.id };
    expect((await tickets.call(updateTicket, ctx, { params, body: { priority: 'low' } })).status).toBe(200);
    await tickets.db.forTenant({ organization_id: demo.id }, (tx) =>
      tx.updateTable('tickets').set({ version: demoLimits.changes }).where('id', '=', ticket.id).execute(),
    );
    const count = async () => (await tickets.eventsOf(demo)).length;
    const before = await count();
    expect(await tickets.call(updateTicket, ctx, { params, body: { priority: 'high' } })).toMatchObject(limited);
    expect(await tickets.call(createTicket, ctx, { body: anInput('One more') })).toMatchObject(limited);
    expect(await tickets.call(addComment, ctx, { params, body: { content: 'Hi', is_internal: true } })).toMatchObject(limited);
    expect(await tickets.call(mergeTicket, ctx, { params: { id: source.id }, body: { into_id: ticket.id } })).toMatchObject(limited);
    await tickets.call(changeTickets, ctx, { body: { ids: [ticket.id, source.id], changes: { priority: 'high' } } });
    expect(await count()).toBe(before);
  });

  it('accepts only a few files, even if their uploads are announced at the same moment', async () => {
    const [demo, other] = [await start(inAnHour()), await start(null)];
    const size = Math.floor(demoLimits.fileBytes / 3);
    expect(size).toBeLessThanOrEqual(attachmentRules.maxBytes);
    const announce = (of: TestOrganization) =>
      tickets.call(announceAttachment, asStaff(of, 'manager'), { body: { file_name: 'a.png', size } });
    const statuses = async (of: TestOrganization) =>
      (await Promise.all(Array.from({ length: 6 }, () => announce(of)))).map(({ status }) => status).sort((a, b) => a - b);
    expect(await statuses(demo)).toEqual([201, 201, 201, 409, 409, 409]);
    expect(await statuses(other)).toEqual([201, 201, 201, 201, 201, 201]);
  });
});
