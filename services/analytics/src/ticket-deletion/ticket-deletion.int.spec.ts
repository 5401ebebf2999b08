import { readTicketStats, type Context, type TicketStats } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { ticketOf } from '@tandem/testing';
import { sql } from 'kysely';
import { AnalyticsUnderTest } from '../../test/analytics-under-test';
import { AnalyticsTicketDeletion } from './ticket-deletion';

let analytics: AnalyticsUnderTest;
// Without jobs and consumers: only the test runs passes.
beforeAll(async () => (analytics = await AnalyticsUnderTest.start()));
afterAll(() => analytics?.close());

/** The consumer and the job of the provider, which the public type does not have. */
type Runnable = {
  onDeleted(ctx: object, data: { ticket_ids: string[]; keep_figures: boolean }, tx: object): Promise<void>;
  run(ctx: object): Promise<void>;
};
const deletion = () => new AnalyticsTicketDeletion(analytics.db) as unknown as Runnable;
const remove = (organization_id: string, ticket_ids: string[], keep_figures = false) =>
  analytics.inTenant(organization_id, (tx, ctx) => deletion().onDeleted(ctx, { ticket_ids, keep_figures }, tx));
const makeDue = (organization_id: string) =>
  analytics.inTenant(organization_id, (tx) => sql`update ticket_deletions set next_pass_at = now() - interval '1 second'`.execute(tx));
const facts = (organization_id: string) =>
  analytics.inTenant(organization_id, (tx) => tx.selectFrom('ticket_facts').select(['ticket_id', 'rating', 'feedback']).execute());
const counts = async (organization_id: string) => {
  const ctx: Context = {
    organization_id,
    actor: { type: 'user', user_id: newId(), role: 'agent', session_id: newId() },
    request_id: 'test',
  };
  return (await analytics.call<TicketStats>(ctx, readTicketStats)).data;
};

async function rated(organization_id: string): Promise<string> {
  const ticket = ticketOf(organization_id, {
    status: 'resolved',
    resolved_at: '2026-01-03T00:00:00.000Z',
    created_at: '2026-01-01T00:00:00.000Z',
  });
  await analytics.create(ticket);
  await analytics.deliver(organization_id, {
    kind: 'rated',
    ticket_id: ticket.id,
    rating: 4,
    feedback: 'Canary',
    at: '2026-01-04T00:00:00.000Z',
  });
  return ticket.id;
}

it('removes deleted tickets from facts, counts and days, and those of no other organization', async () => {
  const [organization_id, other] = [newId(), newId()];
  const [kept, gone] = [await rated(organization_id), await rated(organization_id)];
  await rated(other);
  await analytics.rollUp(organization_id);
  await remove(organization_id, [gone]);
  await remove(other, [kept]);
  expect((await facts(organization_id)).map(({ ticket_id }) => ticket_id)).toEqual([kept]);
  expect(await counts(organization_id)).toMatchObject({ total: 1, resolved: 1 });
  expect(await counts(other)).toMatchObject({ total: 1 });
  expect(await analytics.dirtyDays(organization_id)).toContain('2026-01-01');
});

it('keeps the figures of ended tickets without what the customer wrote, and none of open ones', async () => {
  const organization_id = newId();
  const ended = await rated(organization_id);
  const open = ticketOf(organization_id);
  await analytics.create(open);
  await remove(organization_id, [ended, open.id], true);
  expect(await facts(organization_id)).toEqual([{ ticket_id: ended, rating: 4, feedback: null }]);
  expect(await counts(organization_id)).toMatchObject({ total: 1, open: 0 });
});

it('removes what an event has written after the deletion, with the events about the ticket, and forgets the ticket after the last pass', async () => {
  const organization_id = newId();
  const late = ticketOf(organization_id);
  await remove(organization_id, [late.id]);
  await analytics.create(late);
  await analytics.inTenant(organization_id, (tx) =>
    sql`insert into outbox (id, organization_id, subject, type, sequence, envelope, published_at)
      values (${newId()}, ${organization_id}, ${late.id}, 'x', 1, '{}', now())`.execute(tx),
  );
  for (let pass = 0; pass < 3; pass += 1) {
    await makeDue(organization_id);
    await deletion().run({ organization_id });
    expect(await facts(organization_id)).toEqual([]);
  }
  expect(await counts(organization_id)).toMatchObject({ total: 0 });
  const left = await analytics.inTenant(organization_id, async (tx) => [
    (await sql`select from ticket_deletions`.execute(tx)).rows.length,
    (await sql`select from outbox where subject = ${late.id}`.execute(tx)).rows.length,
  ]);
  expect(left).toEqual([0, 0]);
});
