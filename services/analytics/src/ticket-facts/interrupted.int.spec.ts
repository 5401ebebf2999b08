import { readAnalytics, systemContext, ticketCreated, ticketUpdated, type Analytics, type Ticket } from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emitAll } from '@tandem/messaging';
import { signContext } from '@tandem/platform';
import { eventually, freshDatabase, startForTest, testEnv, ticketOf } from '@tandem/testing';
import { sql } from 'kysely';
import { userOf } from '../../test/analytics-under-test';
import { analyticsService } from '../analytics.module';
import type { AnalyticsSchema } from '../schema';

const tickets = 1_000;
const eventsEach = 5;

it('5,000 events are counted once each, even if the process dies while it handles them', async () => {
  const database = await freshDatabase('analytics');
  const env = await testEnv({ ANALYTICS_DATABASE_URL: database.url, SWEEP_MS: '200' });
  const db = new Database<AnalyticsSchema>({ url: database.url, applicationName: 'test' });
  const organization_id = newId();
  const ctx = systemContext(organization_id, 'test');
  const start = () => startForTest(analyticsService, env);
  const first = await start();

  let states: Ticket[] = Array.from({ length: tickets }, (_, n) =>
    ticketOf(organization_id, { created_at: new Date(Date.now() - (n % 20) * 86_400_000).toISOString() }),
  );
  await db.forTenant(ctx, (tx) =>
    emitAll(
      tx,
      ctx,
      ticketCreated,
      states.map((ticket) => ({ subject: ticket.id, data: { ticket } })),
    ),
  );
  for (const [step, status] of (['in_progress', 'resolved', 'open', 'resolved'] as const).entries()) {
    const updated_at = new Date(Date.now() + step).toISOString();
    const changed = states.map((before) => ({ ...before, status, updated_at, reopen_count: step >= 2 ? 1 : 0 }));
    const events = changed.map((ticket, n) => ({
      subject: ticket.id,
      data: { ticket, changes: { status: { from: states[n]!.status, to: status } } },
    }));
    await db.forTenant(ctx, (tx) => emitAll(tx, ctx, ticketUpdated, events));
    states = changed;
  }

  // A killed process looks the same to PostgreSQL: its connections are closed, and uncommitted transactions are rolled back.
  const facts = async () =>
    (
      await db.forTenant(ctx, (tx) =>
        tx
          .selectFrom('ticket_facts')
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow(),
      )
    ).n;
  const handled = async () =>
    (
      await db.asSystem('test', (tx) =>
        tx
          .selectFrom('inbox')
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow(),
      )
    ).n;
  await eventually(async () => expect(await facts()).toBeGreaterThan(tickets / 10));
  await db.asSystem('kill the connections of the service', (tx) =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'analytics' and datname = current_database()`.execute(
      tx,
    ),
  );
  await first.close();
  expect(await handled()).toBeLessThan(tickets * eventsEach);
  const second = await start();

  const read = async (): Promise<Analytics> => {
    const headers = { 'x-tandem-context': signContext(userOf(organization_id), env['CONTEXT_SECRET'] ?? '') };
    return ((await (await fetch(`${second.url}${readAnalytics.path}`, { headers })).json()) as { data: Analytics }).data;
  };
  // As long as it takes: only a time without progress is a failure.
  for (let before = await handled(); before < tickets * eventsEach; before = await handled())
    await eventually(async () => expect(await handled()).toBeGreaterThan(before));
  await eventually(async () => {
    const { figures, per_day } = await read();
    expect(figures).toMatchObject({ total_tickets: tickets, open_tickets: 0, reopened_tickets: tickets });
    expect(per_day.at(-1)).toMatchObject({ resolved: tickets, reopened: tickets, backlog: 0 });
  });
  expect(await handled()).toBe(tickets * eventsEach);
  await db.close();
}, 300_000);
