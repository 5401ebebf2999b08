import {
  importChanged,
  systemContext,
  ticketCommentAdded,
  ticketCreated,
  ticketSnapshot,
  ticketSnapshotCompleted,
  ticketUpdated,
  type Actor,
  type Comment,
  type DataOf,
  type Envelope,
  type EventType,
  type Ticket,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { emit, Jobs } from '@tandem/messaging';
import { commentOf, eventually, ticketOf } from '@tandem/testing';
import { IntegrationsUnderTest, type TestOrganization } from '../../test/integrations';
import { TicketCopies } from './ticket-copy.consumer';

let integrations: IntegrationsUnderTest;
let consumer: TicketCopies;
beforeAll(async () => {
  // Due work stays due: no worker may process it while a test checks it.
  integrations = await IntegrationsUnderTest.start({ SWEEP_MS: '600000' });
  consumer = new TicketCopies({ add: () => undefined } as unknown as Jobs);
});
afterAll(() => integrations?.close());

const batchHandlers = {
  'ticket.created': 'onTicketsCreated',
  'ticket.updated': 'onTicketsUpdated',
  'ticket.comment.added': 'onComments',
} as const;
const handlers = {
  'ticket.snapshot': 'onSnapshot',
  'ticket.snapshot_completed': 'onSnapshotCompleted',
  'import.changed': 'onImportChanged',
} as const;
/** The effect of a delivered event, without the inbox. */
async function deliver<E extends EventType>(
  organization: TestOrganization,
  event: E,
  data: DataOf<E>,
  sequence: number,
  actor: Actor = { type: 'customer' },
) {
  const ctx = systemContext(organization.id, 'test');
  const envelope = { sequence, actor } as Envelope;
  await integrations.db.forTenant(ctx, (tx) =>
    event.type in batchHandlers
      ? consumer[batchHandlers[event.type as keyof typeof batchHandlers]]([{ ctx, data: data as never, envelope }], tx)
      : consumer[handlers[event.type as keyof typeof handlers]](ctx, data as never, tx, envelope),
  );
}
const copyOf = (organization: TestOrganization, ticket: Ticket) =>
  integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx.selectFrom('ticket_copies').selectAll().where('ticket_id', '=', ticket.id).executeTakeFirst(),
  );
const comments = (organization: TestOrganization) =>
  integrations.db.forTenant({ organization_id: organization.id }, (tx) => tx.selectFrom('comment_links').selectAll().execute());
const customerCommentOf = (ticket: Ticket, overrides: Partial<Comment> = {}): Comment =>
  commentOf(ticket.id, {
    content: 'It burns again.',
    is_from_customer: true,
    user_id: null,
    customer_email: ticket.customer_email,
    ...overrides,
  });
const rest = (organization: TestOrganization, ticket: Ticket) =>
  integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx
      .updateTable('links')
      .set({ next_sync_at: null, urgency: 3, state: 'linked', task_id: newId() } as object)
      .where('ticket_id', '=', ticket.id)
      .execute(),
  );
async function anIntegratedOrganization(overrides: Parameters<IntegrationsUnderTest['anIntegration']>[1] = {}) {
  const organization = integrations.anOrganization();
  const connection = await integrations.aConnection(organization, { tickets_exported: false });
  return { organization, connection, integration: await integrations.anIntegration(connection, overrides) };
}
/** A ticket created after every integration in these tests. */
const newTicketOf = (organization_id: string, overrides: Partial<Ticket> = {}): Ticket =>
  ticketOf(organization_id, { created_at: '2040-01-01T00:00:00.000Z', ...overrides });

describe('copies of tickets', () => {
  it('are saved only for organizations with a connection, even a broken one', async () => {
    const [without, broken] = [integrations.anOrganization(), integrations.anOrganization()];
    await integrations.aConnection(broken, { state: 'broken' });
    for (const organization of [without, broken]) {
      const ticket = newTicketOf(organization.id);
      await deliver(organization, ticketCreated, { ticket }, 1);
      await deliver(organization, ticketSnapshot, { ticket }, 2);
      await deliver(organization, ticketCommentAdded, { ticket, comment: customerCommentOf(ticket) }, 3);
      expect((await copyOf(organization, ticket))?.sequence).toBe(organization === broken ? 3 : undefined);
    }
  });

  it('end in the latest state, in any order and number of events', async () => {
    const { organization } = await anIntegratedOrganization();
    const id = newId();
    const life = ['one', 'two', 'three', 'four'].map((subject) => newTicketOf(organization.id, { id, subject }));
    for (const n of [3, 1, 2, 4, 3, 1, 4])
      await deliver(organization, n === 1 ? ticketCreated : ticketUpdated, { ticket: life[n - 1]!, changes: {} }, n);
    expect(await copyOf(organization, life[0]!)).toMatchObject({
      subject: 'four',
      sequence: 4,
      status: 'open',
      customer_email: 'carla@example.com',
    });
    expect(await integrations.findLink(organization, id)).toMatchObject({ state: 'creating' });
  });

  it('and links are created for a batch of new tickets, even if it is repeated or a later event has arrived', async () => {
    const { organization } = await anIntegratedOrganization();
    const ctx = systemContext(organization.id, 'test');
    const tickets = Array.from({ length: 4 }, () => newTicketOf(organization.id));
    await deliver(organization, ticketUpdated, { ticket: { ...tickets[1]!, subject: 'later' }, changes: {} }, 2);
    const batch = tickets.map((ticket) => ({ ctx, data: { ticket }, envelope: { sequence: 1 } as Envelope }));
    for (const events of [batch, batch.toReversed()]) await integrations.db.forTenant(ctx, (tx) => consumer.onTicketsCreated(events, tx));
    for (const [n, ticket] of tickets.entries()) {
      expect(await copyOf(organization, ticket)).toMatchObject({ sequence: n === 1 ? 2 : 1 });
      expect(await integrations.findLink(organization, ticket.id)).toMatchObject({ state: 'creating' });
    }
  });

  it('end in the latest state if all events arrive at the same time', async () => {
    const { organization } = await anIntegratedOrganization();
    const id = newId();
    const events = Array.from({ length: 12 }, (_, i) => ({
      ticket: newTicketOf(organization.id, { id, subject: `state ${i + 1}` }),
      changes: {},
    }));
    await Promise.all(events.map((data, i) => deliver(organization, ticketUpdated, data, i + 1)));
    expect(await copyOf(organization, events[0]!.ticket)).toMatchObject({ subject: 'state 12', sequence: 12 });
  });

  it('arrive over the stream', async () => {
    const { organization } = await anIntegratedOrganization({
      rules: JSON.stringify({ create: 'none', categories: [], tags: [], priorities: [] }),
    });
    const ticket = newTicketOf(organization.id);
    const ctx = systemContext(organization.id, 'test');
    await integrations.db.forTenant(ctx, (tx) => emit(tx, ctx, ticketCreated, ticket.id, { ticket }));
    await eventually(async () => expect(await copyOf(organization, ticket)).toMatchObject({ sequence: 1 }));
  });

  it('are complete once as many have arrived as were exported, not before', async () => {
    const { organization, connection } = await anIntegratedOrganization();
    const completed = { connection_id: connection.id, count: 2 };
    await deliver(organization, ticketSnapshot, { ticket: newTicketOf(organization.id) }, 1);
    await expect(deliver(organization, ticketSnapshotCompleted, completed, 1)).rejects.toThrow('1 of 2 exported tickets have arrived');
    expect((await integrations.findConnection(organization))?.tickets_exported).toBe(false);
    await deliver(organization, ticketSnapshot, { ticket: newTicketOf(organization.id) }, 1);
    await deliver(organization, ticketSnapshotCompleted, completed, 1);
    expect((await integrations.findConnection(organization))?.tickets_exported).toBe(true);
  });
});

describe('a ticket', () => {
  it('from before a restore of the database may have an unknown task, which is searched for first', async () => {
    const { organization } = await anIntegratedOrganization();
    const restore = { restored_at: '2045-01-01T00:00:00.000Z', dumped_at: '2040-01-01T00:00:00.000Z' };
    await integrations.db.asSystem('a restore', (tx) => tx.insertInto('restores').values(restore).execute());
    try {
      const [earlier, later] = [newTicketOf(organization.id), newTicketOf(organization.id, { created_at: '2046-01-01T00:00:00.000Z' })];
      for (const ticket of [earlier, later]) await deliver(organization, ticketCreated, { ticket }, 1);
      expect((await integrations.findLink(organization, earlier.id))?.create_started_at).toBe(earlier.created_at);
      expect((await integrations.findLink(organization, later.id))?.create_started_at).toBeNull();
    } finally {
      await integrations.db.asSystem('undo the restore', (tx) => tx.deleteFrom('restores').execute());
    }
  });

  it('gets a task automatically if it matches the rules of an active integration, the oldest one first', async () => {
    const { organization, connection, integration } = await anIntegratedOrganization({ created_at: '2026-01-01T00:00:00.000Z' });
    await integrations.anIntegration(connection, {
      list: 'Bugs',
      created_at: '2025-01-01T00:00:00.000Z',
      is_active: false,
      pause_reason: 'by_hand',
    });
    await integrations.anIntegration(connection, { list: 'Ideas' });
    const ticket = newTicketOf(organization.id);
    await deliver(organization, ticketCreated, { ticket }, 1);
    expect(await integrations.findLink(organization, ticket.id)).toMatchObject({
      state: 'creating',
      integration_id: integration.id,
      urgency: 2,
    });
    expect((await integrations.findLink(organization, ticket.id))?.next_sync_at).not.toBeNull();
  });

  it('goes to the first integration whose rules it matches, before one for all tickets', async () => {
    const { organization, connection, integration: all } = await anIntegratedOrganization({ created_at: '2026-01-01T00:00:00.000Z' });
    const rules = JSON.stringify({ create: 'matching', categories: [], tags: ['bug'], priorities: [] });
    const late = await integrations.anIntegration(connection, { list: 'Ideas', rules });
    const first = await integrations.anIntegration(connection, { list: 'Bugs', rules, position: 1 });
    const goesTo = async (overrides: Partial<Ticket>) => {
      const ticket = newTicketOf(organization.id, overrides);
      await deliver(organization, ticketCreated, { ticket }, 1);
      return (await integrations.findLink(organization, ticket.id))?.integration_id;
    };
    expect(await goesTo({ tags: ['bug'] })).toBe(first.id);
    expect(await goesTo({ tags: ['question'] })).toBe(all.id);
    await integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.updateTable('integrations').set({ is_active: false }).where('id', '=', first.id).execute(),
    );
    expect(await goesTo({ tags: ['bug'] })).toBe(late.id);
  });

  it('from before the integration gets none, even if it changes: the backfill creates its task', async () => {
    const { organization } = await anIntegratedOrganization();
    const old = newTicketOf(organization.id, { created_at: '2020-01-01T00:00:00.000Z' });
    await deliver(organization, ticketUpdated, { ticket: old, changes: {} }, 1);
    await deliver(organization, ticketCommentAdded, { ticket: old, comment: customerCommentOf(old) }, 2);
    expect(await integrations.findLink(organization, old.id)).toBeUndefined();
    expect(await copyOf(organization, old)).toMatchObject({ sequence: 2 });
  });

  it('that does not match the rules gets one when it changes to match', async () => {
    const { organization } = await anIntegratedOrganization({
      rules: JSON.stringify({ create: 'matching', categories: [], tags: ['bug'], priorities: [] }),
    });
    const ticket = newTicketOf(organization.id);
    await deliver(organization, ticketCreated, { ticket }, 1);
    expect(await integrations.findLink(organization, ticket.id)).toBeUndefined();
    await deliver(organization, ticketUpdated, { ticket: { ...ticket, tags: ['bug'] }, changes: {} }, 2);
    expect(await integrations.findLink(organization, ticket.id)).toMatchObject({ state: 'creating' });
  });

  it('that is resolved, closed, from before the connection, or was unlinked, gets none', async () => {
    const { organization, integration } = await anIntegratedOrganization();
    const [resolved, old, unlinked] = [
      newTicketOf(organization.id, { status: 'resolved' }),
      newTicketOf(organization.id),
      newTicketOf(organization.id),
    ];
    await integrations.aLink(integration, { ticket_id: unlinked.id, state: 'unlinked' });
    await deliver(organization, ticketUpdated, { ticket: resolved, changes: {} }, 1);
    await deliver(organization, ticketSnapshot, { ticket: old }, 1);
    await deliver(organization, ticketUpdated, { ticket: unlinked, changes: {} }, 1);
    expect(await integrations.findLink(organization, resolved.id)).toBeUndefined();
    expect(await integrations.findLink(organization, old.id)).toBeUndefined();
    expect(await integrations.findLink(organization, unlinked.id)).toMatchObject({ state: 'unlinked', next_sync_at: null });
  });

  it('that was imported is requested from tickets, with all others, once the import has ended and created some', async () => {
    const { organization, integration } = await anIntegratedOrganization();
    const requested = async () =>
      (await integrations.events(organization.id)).filter(({ type }) => type === 'task.connected').map(({ data }) => data['connection_id']);
    const changed = { source: 'csv', name: 'tickets.csv', tickets: 2 } as const;
    for (const what of ['started', 'undone'] as const) await deliver(organization, importChanged, { ...changed, what }, 1);
    await deliver(organization, importChanged, { ...changed, what: 'finished', tickets: 0 }, 1);
    expect(await requested()).toEqual([]);
    for (const what of ['finished', 'failed', 'cancelled'] as const) await deliver(organization, importChanged, { ...changed, what }, 1);
    expect(await requested()).toEqual(Array(3).fill(integration.connection_id));
    const other = integrations.anOrganization();
    await deliver(other, importChanged, { ...changed, what: 'finished' }, 1);
    expect(await integrations.events(other.id)).toEqual([]);
  });

  it('whose snapshot arrived before its creation event gets a task', async () => {
    const { organization } = await anIntegratedOrganization();
    const ticket = newTicketOf(organization.id);
    await deliver(organization, ticketSnapshot, { ticket: { ...ticket, subject: 'later' } }, 2);
    await deliver(organization, ticketCreated, { ticket }, 1);
    expect(await copyOf(organization, ticket)).toMatchObject({ subject: 'later', sequence: 2 });
    expect(await integrations.findLink(organization, ticket.id)).toMatchObject({ state: 'creating' });
  });

  it('with a task is due after a synced change, but not after another one or one from the task', async () => {
    const { organization } = await anIntegratedOrganization();
    const ticket = newTicketOf(organization.id);
    await deliver(organization, ticketCreated, { ticket }, 1);
    await rest(organization, ticket);
    await deliver(organization, ticketUpdated, { ticket: { ...ticket, category: 'Other' }, changes: {} }, 2);
    await deliver(organization, ticketUpdated, { ticket: { ...ticket, status: 'in_progress' }, changes: {} }, 3, { type: 'task-tool' });
    expect(await copyOf(organization, ticket)).toMatchObject({ sequence: 3, status: 'in_progress' });
    expect(await integrations.findLink(organization, ticket.id)).toMatchObject({ next_sync_at: null });
    await deliver(organization, ticketUpdated, { ticket: { ...ticket, status: 'in_progress', subject: 'New' }, changes: {} }, 4);
    expect(await integrations.findLink(organization, ticket.id)).toMatchObject({ next_sync_at: expect.any(String) as string, urgency: 1 });
  });
});

describe('a comment', () => {
  it('is sent to the task once, with its author', async () => {
    const { organization } = await anIntegratedOrganization();
    const ticket = newTicketOf(organization.id, { customer_name: 'Carla' });
    const comment = customerCommentOf(ticket);
    // The comment arrives before the event of its ticket.
    await deliver(organization, ticketCommentAdded, { ticket, comment }, 2);
    await deliver(organization, ticketCreated, { ticket }, 1);
    await rest(organization, ticket);
    await deliver(organization, ticketCommentAdded, { ticket, comment }, 2);
    expect(await integrations.findLink(organization, ticket.id)).toMatchObject({ next_sync_at: null });
    await deliver(organization, ticketCommentAdded, { ticket, comment: customerCommentOf(ticket, { content: 'Still.' }) }, 3);
    expect(await comments(organization)).toMatchObject([
      { state: 'pending', comment_id: comment.id, content: 'Carla (customer): It burns again.', external_id: null },
      { state: 'pending', content: 'Carla (customer): Still.' },
    ]);
    expect(await integrations.findLink(organization, ticket.id)).toMatchObject({ next_sync_at: expect.any(String) as string, urgency: 1 });
  });

  it('that is internal, came from the task, has no task, or is not synced is not sent', async () => {
    const { organization } = await anIntegratedOrganization();
    const ticket = newTicketOf(organization.id);
    await deliver(organization, ticketCommentAdded, { ticket, comment: customerCommentOf(ticket, { is_internal: true }) }, 1);
    const tool_author = { name: 'Grace', tool_name: 'ClickUp' };
    await deliver(organization, ticketCommentAdded, { ticket, comment: customerCommentOf(ticket, { tool_author }) }, 2, {
      type: 'task-tool',
    });
    const resolved = newTicketOf(organization.id, { status: 'closed' });
    await deliver(organization, ticketCommentAdded, { ticket: resolved, comment: customerCommentOf(resolved) }, 1);
    expect(await comments(organization)).toEqual([]);
    const whenIdle = await anIntegratedOrganization({ comment_sync: 'to_ticket' });
    const other = newTicketOf(whenIdle.organization.id);
    await deliver(whenIdle.organization, ticketCommentAdded, { ticket: other, comment: customerCommentOf(other) }, 1);
    expect(await comments(whenIdle.organization)).toEqual([]);
  });
});
