import { listTickets, systemContext, type Context, type Ticket, type TicketStatus, type TicketSummary } from '@tandem/contracts';
import { asCustomer, asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { writeComment } from '../comment/comment.service';
import type { TicketsTx } from '../schema';
import { saveSurvey } from '../survey/survey.service';
import { saveSentSurvey } from '../survey/survey.store';
import { changeTicket, getTicket, getTicketForUpdate } from './ticket.service';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
let ctx: Context;
const day = (n: number, hour = 12) => new Date(Date.UTC(2026, 2, n, hour)).toISOString();

interface Step {
  day: number;
  status?: TicketStatus;
  reply?: boolean;
}

async function make(subject: string, created_at: string, overrides: Partial<Ticket>, steps: Step[]): Promise<string> {
  const { id } = await tickets.aTicket(organization, { subject, created_at, tags: ['all'], ...overrides });
  for (const step of steps) {
    await inside(async (tx) => {
      if (step.status) await changeTicket(tx, ctx, id, { status: step.status }, { now: day(step.day) });
      const reply = { content: 'Hello', is_internal: false, author: { user_id: organization.agent } };
      if (step.reply) await writeComment(tx, ctx, await getTicketForUpdate(tx, id), reply, day(step.day));
    });
  }
  return id;
}
const inside = <T>(work: (tx: TicketsTx) => Promise<T>) => tickets.db.forTenant({ organization_id: organization.id }, work);

beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  organization = await tickets.anOrganization();
  ctx = systemContext(organization.id, 'test');
  await tickets.changeSettings(organization, { time_zone: 'Asia/Kolkata' });
  // Sunday 19:30 in UTC is Monday 1:00 in India.
  await make('new', '2026-03-01T19:30:00.000Z', { channel: 'email' }, []);
  const rated = await make('quick', day(2), { channel: 'portal', category: 'Billing' }, [
    { day: 3, reply: true },
    { day: 4, status: 'resolved' },
  ]);
  const slow = await make('slow', day(3), { channel: 'email', category: 'Billing' }, [
    { day: 5, reply: true },
    { day: 6, reply: true },
    { day: 7, status: 'resolved' },
    { day: 9, status: 'open' },
    { day: 12, status: 'resolved' },
  ]);
  await make('closed', day(4), { tags: ['all', 'a, b'] }, [{ day: 8, status: 'closed' }]);
  await inside(async (tx) => {
    await saveSurvey(tx, ctx, await getTicket(tx, rated), { rating: 5, feedback: null }, day(5));
    for (const ticket_id of [rated, slow]) await saveSentSurvey(tx, { organization_id: organization.id, ticket_id, sent_at: day(5) });
    await tx
      .updateTable('tickets')
      .set({ sla_breached_at: day(4), escalated_at: day(6) })
      .where('id', '=', slow)
      .execute();
  });
});
afterAll(() => tickets?.close());

const all = ['closed', 'slow', 'quick', 'new'];
const cases: [Record<string, string>, string[]][] = [
  [{ channel: 'email' }, ['slow', 'new']],
  [{ channel: 'portal,none' }, ['closed', 'quick']],
  [{ channel: 'none' }, ['closed']],
  [{ has_category: 'true' }, ['slow', 'quick']],
  [{ has_category: 'false' }, ['closed', 'new']],
  [{ other_category: 'Shipping' }, ['slow', 'quick']],
  [{ other_category: 'Billing,Shipping' }, []],
  [{ other_tag: 'some' }, all],
  [{ other_tag: 'all' }, ['closed']],
  [{ other_tag: 'all,a\\, b' }, []],
  [{ escalated: 'true' }, ['slow']],
  [{ escalated: 'false' }, ['closed', 'quick', 'new']],
  [{ breached: 'true' }, ['slow']],
  [{ breached_from: day(4), breached_to: day(5) }, ['slow']],
  [{ breached_to: day(4) }, []],
  [{ reopened: 'true' }, ['slow']],
  [{ reopened: 'false' }, ['closed', 'quick', 'new']],
  [{ reopened_from: day(9), reopened_to: day(10) }, ['slow']],
  [{ reopened_from: day(3), reopened_to: day(9) }, []],
  [{ resolved_from: day(4), resolved_to: day(8) }, ['slow', 'quick']],
  [{ resolved_from: day(8) }, ['closed', 'slow']],
  // Resolved before and after, but not in between.
  [{ resolved_from: day(9), resolved_to: day(12) }, []],
  [{ resolved_to: day(100) }, ['closed', 'slow', 'quick']],
  [{ one_touch: 'true' }, ['quick']],
  [{ one_touch: 'false' }, ['closed', 'slow', 'new']],
  [{ has_first_response_time: 'true' }, ['slow', 'quick']],
  [{ has_first_response_time: 'false' }, ['closed', 'new']],
  [{ first_response_hours_from: '24', first_response_hours_to: '48' }, ['quick']],
  [{ first_response_hours_from: '48' }, ['slow']],
  [{ has_resolution_time: 'true' }, ['slow', 'quick']],
  [{ resolution_hours_from: '48', resolution_hours_to: '48.0001' }, ['quick']],
  [{ survey: 'sent' }, ['slow', 'quick']],
  [{ survey: 'answered' }, ['quick']],
  [{ rating: '4,5' }, ['quick']],
  [{ rating: '1' }, []],
  [{ open_at: day(1) }, []],
  [{ open_at: day(4, 11) }, ['slow', 'quick', 'new']],
  [{ open_at: day(4, 13) }, ['closed', 'slow', 'new']],
  [{ open_at: day(8, 13) }, ['new']],
  [{ open_at: day(10) }, ['slow', 'new']],
  [{ open_at: day(12, 13) }, ['new']],
  [{ created_weekday: '1' }, ['quick', 'new']],
  [{ created_weekday: '7' }, []],
  [{ created_weekday: '1', created_hour: '1' }, ['new']],
  [{ created_hour: '17' }, all.slice(0, 3)],
  [{ channel: '', rating: '', survey: 'answered', one_touch: 'true' }, ['quick']],
];
const found = (query: Record<string, string>) => tickets.call<TicketSummary[]>(listTickets, asStaff(organization), { query });

it.each(cases)('%j selects the same tickets in the list, in every order, with tags and in a search', async (query, subjects) => {
  const ways: Record<string, string>[] = [{}, { sort: 'updated' }, { sort: 'due' }, { sort: 'priority' }, { tag: 'all' }, { search: 'carla' }, { search: 'ca' }, { status: 'open,resolved,closed' }, { assignee: 'unassigned' }]; // prettier-ignore
  for (const way of ways) {
    const { status, data, pagination } = await found({ ...query, ...way });
    expect({ status, way, subjects: data.map(({ subject }) => subject).sort() }).toEqual({
      status: 200,
      way,
      subjects: [...subjects].sort(),
    });
    expect(pagination.total).toBe(subjects.length);
    const { pagination: one } = await found({ ...query, ...way, limit: '1' });
    expect(one.total).toBe(subjects.length);
  }
});
it.each<Record<string, string>>([
  { channel: 'fax' },
  { escalated: 'yes' },
  { rating: '6' },
  { survey: 'lost' },
  { first_response_hours_from: '-1' },
  { resolution_hours_to: 'NaN' },
  { open_at: 'yesterday' },
  { resolved_from: '0000-01-01' },
  { created_weekday: '0' },
  { created_hour: '24' },
])('rejects %j', async (query) => {
  expect(await found(query)).toMatchObject({ status: 422, data: { code: 'request.invalid' } });
});
it('finds both hours when the clocks are set back, and none that is skipped', async () => {
  const berlin = await tickets.anOrganization();
  await tickets.changeSettings(berlin, { time_zone: 'Europe/Berlin' });
  const times = ['2026-03-29T00:59:00.000Z', '2026-03-29T01:00:00.000Z', '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'];
  for (const created_at of times) await tickets.aTicket(berlin, { subject: created_at, created_at });
  const at = async (created_hour: string, range: Record<string, string> = {}) => {
    const query = { created_weekday: '7', created_hour, ...range };
    return (await tickets.call<TicketSummary[]>(listTickets, asStaff(berlin), { query })).data.map(({ subject }) => subject);
  };
  expect(await at('1')).toEqual([times[0]]);
  expect(await at('2')).toEqual([times[3], times[2]]);
  expect(await at('3')).toEqual([times[1]]);
  expect(await at('2', { created_from: '2026-10-25T01:00:00.000Z' })).toEqual([times[3]]);
  expect(await at('2', { created_to: '2026-10-25T01:00:00.000Z' })).toEqual([times[2]]);
  expect(await at('2', { created_from: '2026-11-01T00:00:00.000Z' })).toEqual([]);
});
it('shows no other organization’s tickets', async () => {
  const other = await tickets.anOrganization();
  const queries: Record<string, string>[] = [
    { open_at: day(10) },
    { survey: 'sent' },
    { resolved_to: day(100) },
    { search: 'carla', rating: '5' },
  ];
  for (const query of queries) {
    expect((await tickets.call<TicketSummary[]>(listTickets, asStaff(other), { query: query })).data).toEqual([]);
  }
  expect((await tickets.call(listTickets, asCustomer(organization.id), { query: { open_at: day(10) } })).status).toBe(401);
});
