import {
  mergeTicket,
  readPublicSurvey,
  readTicketSurvey,
  submitSurvey,
  updateTicket,
  type Context,
  type PublicSurvey,
  type Survey,
  systemContext,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { asCustomer, asUserWithoutOrganization, asStaff, asToken, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { SentSurveys } from './sent-survey.consumer';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
let otherOrganization: TestOrganization;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  [organization, otherOrganization] = [await tickets.anOrganization(), await tickets.anOrganization()];
});
afterAll(() => tickets?.close());

const email = 'carla@example.com';
const ask = (ticketId: string, address = email, ctx: Context = asCustomer(organization.id)) =>
  tickets.call<PublicSurvey>(readPublicSurvey, ctx, { params: { ticketId }, query: { email: address } });
const answer = (ticketId: string, body: object, ctx: Context = asCustomer(organization.id), headers: Record<string, string> = {}) =>
  tickets.call<PublicSurvey>(submitSurvey, ctx, { params: { ticketId }, body: { email, ...body }, headers });
const stored = async (id: string, ctx: Context = asStaff(organization)) =>
  (await tickets.call<Survey | null>(readTicketSurvey, ctx, { params: { id } })).data as Survey | null;

it('shows the ticket, accepts one answer by the customer, and shows it to staff', async () => {
  const { id, ticket_number } = await tickets.aTicket(organization);
  await tickets.call(updateTicket, asStaff(organization), { params: { id }, body: { status: 'resolved', language: 'de' } });
  const about = { id, ticket_number, subject: 'The printer is on fire', status: 'resolved', customer_name: 'Carla', language: 'de' };
  expect((await ask(id)).data).toEqual({ ticket: about, survey: null });
  expect(await stored(id)).toBeNull();

  const { status, data } = await answer(id, { rating: 4, feedback: '  Quick, and <b>friendly</b>  ' });
  const saved = { rating: 4, feedback: 'Quick, and <b>friendly</b>', created_at: data.survey?.created_at };
  expect([status, data]).toEqual([201, { ticket: about, survey: saved }]);
  expect((await ask(id, ' Carla@EXAMPLE.com')).data).toEqual(data);
  const survey = { ticket_id: id, customer_email: email, ...saved };
  expect(await stored(id)).toEqual(survey);
  const events = (await tickets.events(id)).filter(({ type }) => type === 'survey.submitted');
  expect(events).toMatchObject([{ organization_id: organization.id, actor: { type: 'customer' } }]);
  expect(events[0]?.data).toEqual({ survey, ticket: expect.objectContaining({ id, status: 'resolved' }) });
});

it('accepts one of several concurrent answers', async () => {
  const { id } = await tickets.aTicket(organization);
  const answers = await Promise.all([1, 2, 3, 4, 5].map((rating) => answer(id, { rating })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  expect(new Set(answers.filter(({ status }) => status === 409).map(({ data }) => data.code))).toEqual(
    new Set(['survey.already_submitted']),
  );
  const first = answers.find(({ status }) => status === 201)!.data.survey;
  expect((await ask(id)).data.survey).toEqual(first);
  expect((await tickets.eventTypes(id)).filter((type) => type === 'survey.submitted')).toHaveLength(1);
});

it('returns the same response for a repeated idempotency key', async () => {
  const { id } = await tickets.aTicket(organization);
  const key = { 'idempotency-key': newId() };
  const first = await answer(id, { rating: 5 }, asCustomer(organization.id), key);
  const again = await answer(id, { rating: 5 }, asCustomer(organization.id), key);
  expect([again.status, again.data]).toEqual([first.status, first.data]);
});

it.each([undefined, null, 0, 6, 2.5, '5', Number.NaN])('requires a rating: rejects %s', async (rating) => {
  const { id } = await tickets.aTicket(organization);
  const { status, data } = await answer(id, { rating });
  expect([status, data.errors]).toEqual([
    422,
    [expect.objectContaining({ path: 'rating', message: 'Please provide a rating before submitting.' })],
  ]);
  expect(await stored(id)).toBeNull();
});

it.each([
  [{ rating: 5, feedback: 'x'.repeat(5_001) }, 'feedback'],
  [{ rating: 5, feedback: 7 }, 'feedback'],
  [{ rating: 5, email: '' }, 'email'],
  [{ rating: 5, ticket_id: newId() }, 'ticket_id'],
])('rejects %j and saves nothing', async (body, path) => {
  const { id } = await tickets.aTicket(organization);
  const { status, data } = await answer(id, body);
  expect([status, data.errors?.[0]?.path]).toEqual([422, path]);
  expect([await stored(id), await tickets.eventTypes(id)]).toEqual([null, ['ticket.created']]);
});

it('returns the same error for an unknown ID, a wrong address and another organization, answered or not', async () => {
  const { id } = await tickets.aTicket(organization);
  const answered = await tickets.aTicket(organization);
  await answer(answered.id, { rating: 1 });
  const there = asCustomer(otherOrganization.id);
  const answers = [
    await ask(newId()),
    await ask(id, 'eve@example.com'),
    await ask(answered.id, 'eve@example.com'),
    await ask(answered.id, email, there),
    await answer(newId(), { rating: 5 }),
    await answer(answered.id, { rating: 5, email: 'eve@example.com' }),
    await answer(answered.id, { rating: 5 }, there),
  ];
  for (const { status, data } of answers) expect([status, data]).toEqual([404, answers[0]?.data]);
  expect(answers[0]?.data.detail).toBe('No ticket found with that email address for this organization.');
});

it('is readable for staff of the organization and tokens with read permission, and no other caller', async () => {
  const { id } = await tickets.aTicket(organization);
  await answer(id, { rating: 3 });
  expect((await stored(id, asToken(organization, 'tickets:read')))?.rating).toBe(3);
  const status = async (ctx: Context) => (await tickets.call(readTicketSurvey, ctx, { params: { id } })).status;
  expect(await status(asToken(organization, 'tickets:write'))).toBe(403);
  expect(await status(asCustomer(organization.id))).toBe(401);
  expect(await status(asUserWithoutOrganization())).toBeGreaterThanOrEqual(400);
  expect(await status(asStaff(otherOrganization))).toBe(404);
});

it('stays with a merged ticket, and the target can be rated separately', async () => {
  const [source, target] = [await tickets.aTicket(organization), await tickets.aTicket(organization)];
  await answer(source.id, { rating: 2 });
  await tickets.call(mergeTicket, asStaff(organization), { params: { id: source.id }, body: { into_id: target.id } });
  expect([(await stored(source.id))?.rating, await stored(target.id)]).toEqual([2, null]);
  expect((await answer(target.id, { rating: 5 })).status).toBe(201);
});

it('records when a survey was first sent, in any order of events and after redelivery', async () => {
  const [organization, other] = [await tickets.anOrganization(), await tickets.anOrganization()];
  const { id } = await tickets.aTicket(organization);
  const consumer = new SentSurveys();
  const deliver = (sent_at: string, { id: organization_id } = organization) =>
    tickets.db.forTenant({ organization_id }, (tx) =>
      consumer.onSent({ ...systemContext(organization_id, 'test'), organization_id }, { ticket_id: id, sent_at }, tx),
    );
  const stored = ({ id: organization_id } = organization) =>
    tickets.db.forTenant({ organization_id }, (tx) => tx.selectFrom('sent_surveys').select(['ticket_id', 'sent_at']).execute());
  for (const n of [3, 2, 3, 4]) await deliver(`2026-03-0${n}T12:00:00.000Z`);
  expect(await stored()).toEqual([{ ticket_id: id, sent_at: '2026-03-02T12:00:00.000Z' }]);
  // Another organization's ticket: nothing is stored.
  await deliver('2026-03-01T12:00:00.000Z', other);
  expect(await stored(other)).toEqual([]);
});
