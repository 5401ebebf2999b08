import { demoLimits, systemContext, type TicketHistory } from '@tandem/contracts';
import { weekdays } from '@tandem/contracts/values';
import { TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { findCalendar } from '../sla/sla.store';
import { pastTickets } from './demo-history';
import { demoTickets } from './demo-tickets';
import { LiveDemo } from './live-demo.consumer';
import { seedDemoHistory } from './seed-demo-history';
import { seedDemoTickets } from './seed-demo-tickets';

let tickets: TicketsUnderTest;
let organization: TestOrganization;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  organization = await tickets.anOrganization();
  await tickets.changeSettings(organization, {
    time_zone: 'Europe/Berlin',
    business_hours: weekdays.slice(0, 5).map((day) => ({ day, from: '09:00', to: '17:30' })),
  });
});
afterAll(() => tickets?.close());

const now = new Date();
/** Half of the history, with the bad week: a write of all 90 days takes eight CPU seconds more. */
const days = 45;
const demoOf = ({ id, admin, manager, agent }: TestOrganization) => ({ organization_id: id, member_ids: [admin, manager, agent] });
const pastOf = ({ id }: TestOrganization) =>
  tickets.db.forTenant({ organization_id: id }, (tx) =>
    tx
      .selectFrom('tickets')
      .selectAll()
      .where(
        'subject',
        'not in',
        demoTickets.map(({ subject }) => subject),
      )
      .execute(),
  );

it('is the same at every start, except for the days', () => {
  const later = new Date(now.getTime() + 7 * 86_400_000);
  const past = pastTickets(null, now);
  expect(pastTickets(null, now)).toEqual(past);
  const subjects = (all: { subject: string }[]) => all.slice(0, 100).map(({ subject }) => subject);
  expect(subjects(pastTickets(null, later))).toEqual(subjects(past));
});
it('has quiet nights and weekends, and one bad week', () => {
  const dayMs = 86_400_000;
  const today = Math.floor(now.getTime() / dayMs);
  const past = pastTickets(null, now).map((ticket) => {
    const created = new Date(ticket.created_at);
    const ago = today - Math.floor(created.getTime() / dayMs);
    return { ...ticket, created, isBad: ago >= 34 && ago <= 40, waited: Date.parse(ticket.steps[0]!.at) - created.getTime() };
  });
  const share = (matches: (created: Date) => boolean) => past.filter(({ created }) => matches(created)).length / past.length;
  expect(share((created) => created.getUTCHours() < 5 || created.getUTCHours() > 19)).toBeLessThan(0.1);
  expect(share((created) => [0, 6].includes(created.getUTCDay()))).toBeLessThan(0.12);

  const [bad, usual] = [past.filter(({ isBad }) => isBad), past.filter(({ isBad }) => !isBad)];
  expect(bad.length / 7).toBeGreaterThan(1.4 * (usual.length / 82));
  const median = (all: typeof past) => all.map(({ waited }) => waited).sort((a, b) => a - b)[Math.floor(all.length / 2)]!;
  expect(median(bad)).toBeGreaterThan(2 * median(usual));
  const rating = (all: typeof past) => {
    const ratings = all.flatMap(({ survey }) => survey?.rating ?? []);
    return ratings.reduce((sum, each) => sum + each, 0) / ratings.length;
  };
  expect(rating(bad)).toBeLessThan(rating(usual) - 0.5);
  expect(past.filter(({ tags }) => tags.includes('outage')).every(({ isBad }) => isBad)).toBe(true);
});
it('has everything that the figures show, and nothing unfinished; a second call continues after an interruption', async () => {
  await seedDemoTickets(tickets.db, demoOf(organization), now);
  // Simulates that the process is killed after some batches.
  const forTenant = tickets.db.forTenant.bind(tickets.db);
  let batches = 0;
  const killed = Object.assign(Object.create(tickets.db) as typeof tickets.db, {
    forTenant: ((ctx, work) => ((batches += 1) > 5 ? Promise.reject(new Error('killed')) : forTenant(ctx, work))) as typeof forTenant,
  });
  await expect(seedDemoHistory(killed, demoOf(organization), now, days)).rejects.toThrow('killed');
  const before = (await pastOf(organization)).length;
  expect(before).toBeGreaterThan(0);
  const written = await seedDemoHistory(tickets.db, demoOf(organization), now, days);
  const past = await pastOf(organization);
  expect(before + written).toBe(past.length);
  expect(await seedDemoHistory(tickets.db, demoOf(organization), now, days)).toBe(0);
  const all = pastTickets(await tickets.db.forTenant({ organization_id: organization.id }, findCalendar), now);
  expect(all.length).toBeGreaterThan(500);
  expect(all.length).toBeLessThan(750);
  expect(past.length).toBe(all.filter(({ created_at }) => Date.parse(created_at) >= now.getTime() - days * 86_400_000).length);
  expect(past.length).toBeGreaterThan(250);

  // Leaves a visitor enough changes.
  const changesOfAll = (past.reduce((sum, { version }) => sum + version, 0) / past.length) * all.length;
  expect(changesOfAll).toBeLessThan(demoLimits.changes - 1_000);

  const share = (matches: (ticket: (typeof past)[number]) => boolean) => past.filter(matches).length / past.length;
  expect(share(({ status }) => status === 'resolved' || status === 'closed')).toBe(1);
  const rare = {
    breached: share(({ sla_breached_at }) => sla_breached_at !== null),
    escalated: share(({ escalated_at }) => escalated_at !== null),
    reopened: share(({ reopen_count }) => reopen_count > 0),
    not_resolved: share(({ resolution_time_hours }) => resolution_time_hours === null),
  };
  for (const [name, of] of Object.entries(rare)) expect({ name, isRare: of > 0.01 && of < 0.35 }).toEqual({ name, isRare: true });
  expect(share(({ is_one_touch }) => is_one_touch)).toBeGreaterThan(0.25);
  const medianOf = (user_id: string) => {
    const hours = past.filter(({ assigned_to }) => assigned_to === user_id).map((ticket) => ticket.first_response_time_hours!);
    return hours.sort((a, b) => a - b)[Math.floor(hours.length / 2)]!;
  };
  expect(medianOf(organization.manager)).toBeGreaterThan(2 * medianOf(organization.agent));

  const events = await tickets.eventsOf(organization);
  // Notifications sends nothing for these.
  expect(new Set(events.map(({ actor }) => actor.type))).toEqual(new Set(['system']));
  const histories = events
    .flatMap(({ type, data }) => (type === 'ticket.histories' ? (data.histories as TicketHistory[]) : []))
    .filter(({ ticket }) => past.some(({ id }) => id === ticket.id));
  expect(histories).toHaveLength(past.length);
  const sent = histories.filter(({ survey_sent_at }) => survey_sent_at !== null);
  const answered = sent.filter(({ survey }) => survey !== null);
  expect(answered.length / sent.length).toBeGreaterThan(0.3);
  expect(answered.length / sent.length).toBeLessThan(0.6);
}, 180_000);
it('of a live demo is written by a job, which the sweep repeats after an interruption and which ends with the demo', async () => {
  const live = tickets.app.get(LiveDemo);
  const { id } = await tickets.anOrganization();
  const ctx = systemContext(id, 'demo');
  const pending = async () => (await live.findUnwrittenAcrossOrganizations()).filter((job) => job.id === id);
  // Without its tickets and its prefix, like a demo that is being deleted.
  await tickets.db.forTenant(ctx, async (tx) => {
    await tx.deleteFrom('ticket_counters').where('organization_id', '=', id).execute();
    await tx
      .insertInto('demo_histories')
      .values({ organization_id: id, member_ids: [id], started_at: now.toISOString() })
      .execute();
  });
  await expect(live.writeHistory(ctx)).rejects.toThrow('prefix');
  expect(await pending()).toHaveLength(1);
  await tickets.db.forTenant(ctx, (tx) => tx.deleteFrom('demo_histories').where('organization_id', '=', id).execute());
  await live.writeHistory(ctx);
  expect(await pending()).toEqual([]);
});
