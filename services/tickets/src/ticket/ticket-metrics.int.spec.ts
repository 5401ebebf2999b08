import { mergeTicket, systemContext, type BusinessHours, type Context, type Ticket, type TicketStatus } from '@tandem/contracts';
import { weekdays } from '@tandem/contracts/values';
import { asStaff, asCustomer, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { writeComment, type NewComment } from '../comment/comment.service';
import { findHistories } from '../export/ticket-history.store';
import { addPolicy } from '../sla/sla.service';
import { changeTicket, getTicketForUpdate } from './ticket.service';

let tickets: TicketsUnderTest;
beforeAll(async () => (tickets = await TicketsUnderTest.start()));
afterAll(() => tickets?.close());

const inside = <T>(organization: TestOrganization, work: Parameters<typeof tickets.db.forTenant<T>>[1]) =>
  tickets.db.forTenant({ organization_id: organization.id }, work);
const change = (organization: TestOrganization, id: string, patch: Parameters<typeof changeTicket>[3], now: string): Promise<Ticket> =>
  inside(organization, (tx) => changeTicket(tx, systemContext(organization.id, 'test'), id, patch, { now }));
const setStatus = (organization: TestOrganization, id: string, status: TicketStatus, now: string) =>
  change(organization, id, { status }, now);
const comment = (organization: TestOrganization, id: string, now: string, overrides: Partial<NewComment> = {}, ctx?: Context) =>
  inside(organization, async (tx) => {
    const input = { content: 'Hello', is_internal: false, author: { user_id: organization.agent }, ...overrides };
    const before = await getTicketForUpdate(tx, id);
    return (await writeComment(tx, ctx ?? asStaff(organization), before, input, now)).ticket;
  });
const momentsOf = async (organization: TestOrganization, id: string) =>
  (await inside(organization, (tx) => findHistories(tx, [id])))[0]!.moments;

const office: BusinessHours = weekdays.slice(0, 5).map((day) => ({ day, from: '09:00', to: '17:00' }));
const berlin = { time_zone: 'Europe/Berlin', business_hours: office, holidays: [{ date: '2026-03-11', name: 'Festival' }] };
/** Friday, 16:00 in Berlin. */
const friday = '2026-03-06T15:00:00.000Z';
const policy = {
  name: 'Standard',
  priority_level: 'medium' as const,
  response_time_hours: 4,
  resolution_time_hours: 24,
  escalation_enabled: false,
  escalation_time_hours: 24,
  is_active: true,
};

describe.each([['with timers'], ['without a policy']])('the hours of a ticket %s', (kind) => {
  let organization: TestOrganization;
  beforeAll(async () => {
    organization = await tickets.anOrganization();
    await tickets.changeSettings(organization, berlin);
    if (kind === 'with timers') await inside(organization, (tx) => addPolicy(tx, systemContext(organization.id, 'test'), policy));
  });

  it('count business hours only, without holidays', async () => {
    const { id } = await tickets.aTicket(organization, { created_at: friday });
    expect(await comment(organization, id, '2026-03-09T09:30:00.000Z')).toMatchObject({ first_response_time_hours: 2.5 });
    // Friday 1, Monday and Tuesday 16, Wednesday is a holiday, Thursday until 11:00.
    expect(await setStatus(organization, id, 'resolved', '2026-03-12T10:00:00.000Z')).toMatchObject({
      first_response_time_hours: 2.5,
      resolution_time_hours: 19,
    });
  });
  it('do not count waiting for the customer, even if that has not ended', async () => {
    const { id } = await tickets.aTicket(organization, { created_at: '2026-03-09T08:00:00.000Z' });
    await setStatus(organization, id, 'waiting_for_customer', '2026-03-09T09:00:00.000Z');
    expect(await comment(organization, id, '2026-03-09T12:00:00.000Z')).toMatchObject({ first_response_time_hours: 1 });
    await setStatus(organization, id, 'open', '2026-03-10T08:00:00.000Z');
    await setStatus(organization, id, 'waiting_for_customer', '2026-03-10T10:00:00.000Z');
    expect(await setStatus(organization, id, 'resolved', '2026-03-12T08:00:00.000Z')).toMatchObject({ resolution_time_hours: 3 });
  });
  it('are set by the first public comment of staff, and not by notes, customers or later comments', async () => {
    const { id, customer_email } = await tickets.aTicket(organization, { created_at: '2026-03-09T08:00:00.000Z' });
    await comment(organization, id, '2026-03-09T09:00:00.000Z', { is_internal: true });
    const unanswered = await comment(
      organization,
      id,
      '2026-03-09T10:00:00.000Z',
      { author: { customer_email } },
      asCustomer(organization.id),
    );
    expect(unanswered).toMatchObject({ first_response_time_hours: null, public_reply_count: 0, comment_count: 2 });
    expect(await comment(organization, id, '2026-03-09T11:00:00.000Z')).toMatchObject({
      first_response_time_hours: 3,
      public_reply_count: 1,
    });
    expect(await comment(organization, id, '2026-03-09T12:00:00.000Z')).toMatchObject({
      first_response_time_hours: 3,
      public_reply_count: 2,
    });
  });
  it('count to the last resolution; a reopened ticket has none until then', async () => {
    const { id } = await tickets.aTicket(organization, { created_at: '2026-03-09T08:00:00.000Z' });
    expect(await setStatus(organization, id, 'resolved', '2026-03-09T09:00:00.000Z')).toMatchObject({
      resolution_time_hours: 1,
      reopen_count: 0,
    });
    expect(await setStatus(organization, id, 'closed', '2026-03-09T10:00:00.000Z')).toMatchObject({ resolution_time_hours: 1 });
    expect(await setStatus(organization, id, 'open', '2026-03-09T11:00:00.000Z')).toMatchObject({
      resolution_time_hours: null,
      reopen_count: 1,
    });
    expect(await setStatus(organization, id, 'resolved', '2026-03-09T12:00:00.000Z')).toMatchObject({
      resolution_time_hours: 4,
      reopen_count: 1,
    });
  });
  it('are the same if a comment resolves the ticket', async () => {
    const { id } = await tickets.aTicket(organization, { created_at: '2026-03-09T08:00:00.000Z' });
    expect(await comment(organization, id, '2026-03-09T08:15:00.000Z', { changes: { status: 'resolved' } })).toMatchObject({
      first_response_time_hours: 0.25,
      resolution_time_hours: 0.25,
    });
  });
  it('stay when the priority changes', async () => {
    const { id } = await tickets.aTicket(organization, { created_at: '2026-03-09T08:00:00.000Z' });
    await comment(organization, id, '2026-03-09T09:00:00.000Z');
    expect(await change(organization, id, { priority: 'high' }, '2026-03-09T10:00:00.000Z')).toMatchObject({
      first_response_time_hours: 1,
    });
    expect(await setStatus(organization, id, 'resolved', '2026-03-09T11:00:00.000Z')).toMatchObject({ resolution_time_hours: 3 });
  });
});

it('without business hours all hours count', async () => {
  const organization = await tickets.anOrganization();
  const { id } = await tickets.aTicket(organization, { created_at: friday });
  expect(await comment(organization, id, '2026-03-09T15:00:00.000Z')).toMatchObject({ first_response_time_hours: 72 });
});

describe('moments', () => {
  const day = (n: number) => `2026-03-${String(n).padStart(2, '0')}T12:00:00.000Z`;

  it('are recorded when work ends, with or without a resolution, and when it begins again', async () => {
    const organization = await tickets.anOrganization();
    const { id } = await tickets.aTicket(organization, { created_at: day(1) });
    const statuses: TicketStatus[] = [
      'in_progress',
      'resolved',
      'closed',
      'waiting_for_customer',
      'open',
      'closed',
      'resolved',
      'in_progress',
    ];
    for (const [n, status] of statuses.entries()) await setStatus(organization, id, status, day(n + 2));
    expect(await momentsOf(organization, id)).toEqual([
      { kind: 'resolved', at: day(3) },
      { kind: 'reopened', at: day(5) },
      { kind: 'resolved', at: day(7) },
      { kind: 'reopened', at: day(9) },
    ]);
  });
  it('have the time of the event, so that analytics can collect them from `ticket.updated`', async () => {
    const organization = await tickets.anOrganization();
    const { id } = await tickets.aTicket(organization);
    const [{ id: duplicate }, { id: target }] = [await tickets.aTicket(organization), await tickets.aTicket(organization)];
    await comment(organization, id, day(2), { changes: { status: 'resolved' } });
    await setStatus(organization, id, 'open', day(3));
    await change(organization, id, { subject: 'Another' }, day(3));
    await setStatus(organization, id, 'closed', day(4));
    await tickets.call(mergeTicket, asStaff(organization), { params: { id: duplicate }, body: { into_id: target } });
    for (const each of [id, duplicate]) {
      const isOver = (status: unknown) => status === 'resolved' || status === 'closed';
      const events = (await tickets.events(each)).filter(({ type, data }) => type === 'ticket.updated' && data.changes.status);
      const collected = events
        .filter(({ data }) => isOver(data.changes.status.from) !== isOver(data.changes.status.to))
        .map(({ data }) => ({ kind: isOver(data.changes.status.to) ? 'resolved' : 'reopened', at: data.ticket.updated_at as string }));
      expect(collected).toEqual(await momentsOf(organization, each));
      expect(collected).toHaveLength(each === id ? 3 : 1);
    }
  });
  it('are not recorded if the change is rolled back', async () => {
    const organization = await tickets.anOrganization();
    const { id } = await tickets.aTicket(organization);
    const undone = inside(organization, async (tx) => {
      await changeTicket(tx, systemContext(organization.id, 'test'), id, { status: 'resolved' });
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect(await momentsOf(organization, id)).toEqual([]);
  });
});

it('a merge moves the number of replies with the comments', async () => {
  const organization = await tickets.anOrganization();
  const [source, target] = [await tickets.aTicket(organization), await tickets.aTicket(organization)];
  const at = new Date().toISOString();
  for (const id of [source.id, source.id, target.id]) await comment(organization, id, at);
  await comment(organization, source.id, at, { is_internal: true });
  const { data } = await tickets.call<Ticket>(mergeTicket, asStaff(organization), {
    params: { id: source.id },
    body: { into_id: target.id },
  });
  expect(data.public_reply_count).toBe(3);
  expect((await inside(organization, (tx) => getTicketForUpdate(tx, source.id))).public_reply_count).toBe(0);
});
