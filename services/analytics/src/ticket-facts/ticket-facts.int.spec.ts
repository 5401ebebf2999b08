import {
  readTicketStats,
  systemContext,
  ticketCreated,
  ticketUpdated,
  type Actor,
  type Context,
  type Envelope,
  type Role,
  type Ticket,
  type TicketStats,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { signContext, type RunningService } from '@tandem/platform';
import { eventually, freshDatabase, startForTest, testEnv, ticketOf, type FreshDatabase } from '@tandem/testing';
import { analyticsService } from '../analytics.module';
import type { AnalyticsSchema } from '../schema';
import { TicketFacts } from './ticket-facts.consumer';
import { toCounts } from './ticket-facts';

let database: FreshDatabase;
let service: RunningService;
let db: Database<AnalyticsSchema>;
let secret: string;
beforeAll(async () => {
  database = await freshDatabase('analytics');
  const env = await testEnv({ ANALYTICS_DATABASE_URL: database.url });
  secret = env['CONTEXT_SECRET'] ?? '';
  service = await startForTest(analyticsService, env);
  db = new Database<AnalyticsSchema>({ url: database.url });
});
afterAll(async () => {
  await db?.close();
  await service?.close();
  await database?.drop();
});

const consumer = new TicketFacts();
/** Handles an event like a delivery, except for the inbox. */
const deliver = (ticket: Ticket, sequence: number) =>
  db.forTenant(ticket, (tx) => {
    const ctx = systemContext(ticket.organization_id, 'test');
    const envelope = { sequence } as Envelope;
    return sequence === 1
      ? consumer.onCreated([{ ctx, data: { ticket }, envelope }], tx)
      : consumer.onUpdated([{ ctx, data: { ticket, changes: {} }, envelope }], tx);
  });
const asActor = (organization_id: string | null, actor: Actor): Context => ({ organization_id, actor, request_id: 'test' });
const staff = (organization_id: string, role: Role = 'agent') =>
  asActor(organization_id, { type: 'user', user_id: newId(), role, session_id: newId() });
async function read(ctx: Context | undefined): Promise<{ status: number; data: TicketStats }> {
  const headers: Record<string, string> = ctx ? { 'x-tandem-context': signContext(ctx, secret) } : {};
  const response = await fetch(`${service.url}${readTicketStats.path}`, { headers });
  const { data } = (await response.json()) as { data: TicketStats };
  return { status: response.status, data };
}
const counts = async (organization_id: string) => (await read(staff(organization_id))).data;
const announced = (organization_id: string) =>
  db.asSystem('test', async (tx) =>
    (
      await tx
        .selectFrom('outbox')
        .select(['subject', 'type'])
        .where('organization_id', '=', organization_id)
        .where('type', '=', 'metrics.updated')
        .execute()
    ).map(({ subject }) => subject),
  );

it('are zero for an organization without tickets', async () =>
  expect(await counts(newId())).toEqual({ total: 0, open: 0, resolved: 0, unassigned: 0 }));

it('are readable by every role of the organization only', async () => {
  const organization_id = newId();
  await deliver(ticketOf(organization_id), 1);
  for (const role of ['admin', 'manager', 'agent'] satisfies Role[]) {
    expect(await read(staff(organization_id, role))).toEqual({ status: 200, data: { total: 1, open: 1, resolved: 0, unassigned: 1 } });
  }
  expect((await read(staff(newId()))).data.total).toBe(0);
  expect((await read(undefined)).status).toBe(401);
  expect((await read(asActor(organization_id, { type: 'customer' }))).status).toBe(401);
  expect(
    (await read(asActor(organization_id, { type: 'token', token_id: newId(), name: 'Importer', permissions: [], via: 'api' }))).status,
  ).toBe(403);
  expect((await read(asActor(null, { type: 'user', user_id: newId(), role: null, session_id: newId() }))).status).toBe(403);
});

it('include tickets from the stream, and publish metrics.updated', async () => {
  const organization_id = newId();
  const ctx = systemContext(organization_id, 'test');
  const ticket = ticketOf(organization_id);
  await db.forTenant(ctx, async (tx) => {
    await emit(tx, ctx, ticketCreated, ticket.id, { ticket });
    const resolved: Ticket = { ...ticket, status: 'resolved', assigned_to: newId(), resolved_at: '2026-01-02T00:00:00.000Z' };
    await emit(tx, ctx, ticketUpdated, ticket.id, { ticket: resolved, changes: { status: { from: 'open', to: 'resolved' } } });
  });
  await eventually(async () => expect(await counts(organization_id)).toEqual({ total: 1, open: 0, resolved: 1, unassigned: 0 }));
  expect(new Set(await announced(organization_id))).toEqual(new Set([organization_id]));
});

it('reflect the newest state, regardless of the order and repetition of events', async () => {
  const organization_id = newId();
  const id = newId();
  const life = [
    ticketOf(organization_id, { id }),
    ticketOf(organization_id, { id, status: 'in_progress', assigned_to: newId() }),
    ticketOf(organization_id, { id, status: 'resolved', resolved_at: '2026-01-02T00:00:00.000Z' }),
    ticketOf(organization_id, { id, status: 'waiting_for_customer' }),
  ];
  for (const sequence of [3, 1, 2, 4, 3, 1, 4]) await deliver(life[sequence - 1]!, sequence);
  expect(await counts(organization_id)).toEqual({ total: 1, open: 0, resolved: 0, unassigned: 1 });
  const fact = await db.forTenant({ organization_id }, (tx) => tx.selectFrom('ticket_facts').selectAll().executeTakeFirstOrThrow());
  expect(fact).toMatchObject({ ticket_id: id, status: 'waiting_for_customer', sequence: 4, created_at: life[0]!.created_at });
  // The first and the fourth event changed the counts. The outdated ones emitted nothing.
  expect(await announced(organization_id)).toEqual([organization_id, organization_id]);
});

it('equal a recount after many concurrent, unordered events', async () => {
  const organization_id = newId();
  const statuses = ['open', 'in_progress', 'waiting_for_customer', 'resolved', 'closed'] as const;
  const deliveries = Array.from({ length: 12 }, (_, n) => n).flatMap((n) => {
    const id = newId();
    return Array.from({ length: 8 }, (_, step) => ({
      ticket: ticketOf(organization_id, { id, status: statuses[(n + step) % 5], assigned_to: (n + step) % 3 === 0 ? null : newId() }),
      sequence: step + 1,
    }));
  });
  // Shuffled the same way in every run.
  const shuffled = deliveries.map((delivery, i) => ({ delivery, key: (i * 7919) % 97 })).sort((a, b) => a.key - b.key);
  await Promise.all(shuffled.map(({ delivery }) => deliver(delivery.ticket, delivery.sequence)));
  const facts = await db.forTenant({ organization_id }, (tx) => tx.selectFrom('ticket_facts').selectAll().execute());
  expect(facts.map(({ sequence }) => sequence)).toEqual(Array(12).fill(8));
  const recount = facts.map(toCounts).reduce((sum, one) => ({
    total: sum.total + one.total,
    open: sum.open + one.open,
    resolved: sum.resolved + one.resolved,
    unassigned: sum.unassigned + one.unassigned,
  }));
  expect(await counts(organization_id)).toEqual(recount);
});

it('equal those of single events after a batch of new tickets, even with known tickets and a second delivery', async () => {
  const organization_id = newId();
  const ctx = systemContext(organization_id, 'test');
  const tickets = Array.from({ length: 8 }, (_, n) => ticketOf(organization_id, n % 2 ? { assigned_to: newId() } : {}));
  await deliver(tickets[2]!, 1);
  // A later event of this ticket arrived first.
  await deliver({ ...tickets[5]!, status: 'resolved', resolved_at: '2026-01-02T00:00:00.000Z' }, 2);
  const batch = tickets.map((ticket) => ({ ctx, data: { ticket }, envelope: { sequence: 1 } as Envelope }));
  for (const events of [batch, batch.toReversed()]) await db.forTenant(ctx, (tx) => consumer.onCreated(events, tx));
  expect(await counts(organization_id)).toEqual({ total: 8, open: 7, resolved: 1, unassigned: 4 });
  const sequences = await db.forTenant(ctx, (tx) => tx.selectFrom('ticket_facts').select(['ticket_id', 'sequence']).execute());
  expect(new Map(sequences.map(({ ticket_id, sequence }) => [ticket_id, sequence]))).toEqual(
    new Map(tickets.map(({ id }, n) => [id, n === 5 ? 2 : 1])),
  );
  // Once for each of the two single events and for the first batch.
  expect(await announced(organization_id)).toEqual(Array(3).fill(organization_id));
});

it('equal those of single events after a batch of changes, also of one ticket and in any order, and keep its earlier moments', async () => {
  const moves = [
    { from: 'open', to: 'resolved' },
    { from: 'resolved', to: 'in_progress' },
    { from: 'in_progress', to: 'resolved' },
  ] as const;
  const changesOf = (ticket: Ticket) =>
    moves.map((status, n) => {
      const changed = { ...ticket, status: status.to, updated_at: `2026-01-0${n + 2}T12:00:00.000Z` };
      const ctx = systemContext(ticket.organization_id, 'test');
      return { ctx, data: { ticket: changed, changes: { status } }, envelope: { sequence: n + 2 } as Envelope };
    });
  const figuresAfter = async (handle: (events: ReturnType<typeof changesOf>) => ReturnType<typeof changesOf>[]) => {
    const organization_id = newId();
    const tickets = [1, 2, 3].map(() => ticketOf(organization_id));
    // The creation of the third has not arrived yet.
    for (const ticket of tickets.slice(0, 2)) await deliver(ticket, 1);
    for (const events of handle(tickets.flatMap(changesOf))) {
      await db.forTenant({ organization_id }, (tx) => consumer.onUpdated(events, tx));
    }
    return db.forTenant({ organization_id }, async (tx) => {
      const moments = await tx.selectFrom('ticket_moments').select(['ticket_id', 'kind', 'at', 'day']).orderBy('at').execute();
      const facts = await tx.selectFrom('ticket_facts').select(['ticket_id', 'status', 'sequence']).execute();
      const byTicket = tickets.map(({ id }) => [...facts, ...moments].filter(({ ticket_id }) => ticket_id === id));
      return {
        counts: await counts(organization_id),
        days: await tx.selectFrom('dirty_days').select('day').orderBy('day').execute(),
        tickets: byTicket.map((rows) => rows.map(({ ticket_id: _, ...row }) => row)),
      };
    });
  };
  const single = await figuresAfter((events) => events.map((event) => [event]));
  expect(single.counts).toEqual({ total: 3, open: 0, resolved: 3, unassigned: 0 });
  expect(single.tickets.map((rows) => rows.length)).toEqual([4, 4, 4]);
  expect(await figuresAfter(([first, ...others]) => [[first!], others.toReversed()])).toEqual(single);
});

it('roll back together with the fact and the event', async () => {
  const organization_id = newId();
  const ticket = ticketOf(organization_id);
  const ctx = systemContext(organization_id, 'test');
  const failing = db.forTenant(ctx, async (tx) => {
    await consumer.onCreated([{ ctx, data: { ticket }, envelope: { sequence: 1 } as Envelope }], tx);
    throw new Error('before the commit');
  });
  await expect(failing).rejects.toThrow('before the commit');
  expect(await counts(organization_id)).toEqual({ total: 0, open: 0, resolved: 0, unassigned: 0 });
  expect(await announced(organization_id)).toEqual([]);
  await deliver(ticket, 1);
  expect((await counts(organization_id)).total).toBe(1);
});
