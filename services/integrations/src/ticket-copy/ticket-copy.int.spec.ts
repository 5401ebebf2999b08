import {
  systemContext,
  ticketCommentAdded,
  ticketCreated,
  ticketSnapshot,
  ticketsTold,
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
import { eventually, ticketOf } from '@tandem/testing';
import { IntegrationsUnderTest, type Place } from '../../test/integrations';
import { TicketCopies } from './ticket-copy.consumer';

let integrations: IntegrationsUnderTest;
let consumer: TicketCopies;
beforeAll(async () => {
  // Due work stays due: no worker may process it while a test checks it.
  integrations = await IntegrationsUnderTest.start({ SWEEP_MS: '600000' });
  consumer = new TicketCopies({ add: () => undefined } as unknown as Jobs);
});
afterAll(() => integrations?.close());

const handlers = {
  'ticket.created': 'onTicketCreated',
  'ticket.updated': 'onTicketUpdated',
  'ticket.snapshot': 'onTicketTold',
  'ticket.comment.added': 'onComment',
  'ticket.all_told': 'onAllTold',
} as const;
/** The effect of a delivered event, without the inbox. */
async function deliver<E extends EventType>(
  place: Place,
  event: E,
  data: DataOf<E>,
  sequence: number,
  actor: Actor = { type: 'customer' },
) {
  const ctx = systemContext(place.id, 'test');
  const handler = handlers[event.type as keyof typeof handlers];
  await integrations.db.forTenant(ctx, (tx) => consumer[handler](ctx, data as never, tx, { sequence, actor } as Envelope));
}
const copyOf = (place: Place, ticket: Ticket) =>
  integrations.db.forTenant({ organization_id: place.id }, (tx) =>
    tx.selectFrom('ticket_copies').selectAll().where('ticket_id', '=', ticket.id).executeTakeFirst(),
  );
const comments = (place: Place) =>
  integrations.db.forTenant({ organization_id: place.id }, (tx) => tx.selectFrom('comment_links').selectAll().execute());
const commentOf = (ticket: Ticket, overrides: Partial<Comment> = {}): Comment => ({
  ...{ id: newId(), ticket_id: ticket.id, content: 'It burns again.', is_internal: false, is_from_customer: true, user_id: null },
  ...{
    customer_email: ticket.customer_email,
    author: null,
    tool_author: null,
    mentions: [],
    attachments: [],
    has_original: false,
    email_proof: null,
  },
  ...{ merged_from_id: null, created_at: '2026-11-22T00:00:00.000Z', ...overrides },
});
const rest = (place: Place, ticket: Ticket) =>
  integrations.db.forTenant({ organization_id: place.id }, (tx) =>
    tx
      .updateTable('links')
      .set({ work_at: null, urgency: 3, state: 'linked', task_id: newId() })
      .where('ticket_id', '=', ticket.id)
      .execute(),
  );
async function anIntegratedPlace(overrides: Parameters<IntegrationsUnderTest['anIntegration']>[1] = {}) {
  const place = integrations.aPlace();
  const connection = await integrations.aConnection(place, { tickets_told: false });
  return { place, connection, integration: await integrations.anIntegration(connection, overrides) };
}
/** A ticket created after every integration in these tests. */
const newTicketOf = (organization_id: string, overrides: Partial<Ticket> = {}): Ticket =>
  ticketOf(organization_id, { created_at: '2040-01-01T00:00:00.000Z', ...overrides });

describe('copies of tickets', () => {
  it('are kept for organizations with a connection alone, broken ones too', async () => {
    const [without, broken] = [integrations.aPlace(), integrations.aPlace()];
    await integrations.aConnection(broken, { state: 'broken' });
    for (const place of [without, broken]) {
      const ticket = newTicketOf(place.id);
      await deliver(place, ticketCreated, { ticket }, 1);
      await deliver(place, ticketSnapshot, { ticket }, 2);
      await deliver(place, ticketCommentAdded, { ticket, comment: commentOf(ticket) }, 3);
      expect((await copyOf(place, ticket))?.sequence).toBe(place === broken ? 3 : undefined);
    }
  });

  it('end at the latest state, in whatever order and how often events arrive', async () => {
    const { place } = await anIntegratedPlace();
    const id = newId();
    const life = ['one', 'two', 'three', 'four'].map((subject) => newTicketOf(place.id, { id, subject }));
    for (const n of [3, 1, 2, 4, 3, 1, 4])
      await deliver(place, n === 1 ? ticketCreated : ticketUpdated, { ticket: life[n - 1]!, changes: {} }, n);
    expect(await copyOf(place, life[0]!)).toMatchObject({
      subject: 'four',
      sequence: 4,
      status: 'open',
      customer_email: 'carla@example.com',
    });
    expect(await integrations.findLink(place, id)).toMatchObject({ state: 'creating' });
  });

  it('end at the latest state also where all events come at once', async () => {
    const { place } = await anIntegratedPlace();
    const id = newId();
    const events = Array.from({ length: 12 }, (_, i) => ({
      ticket: newTicketOf(place.id, { id, subject: `state ${i + 1}` }),
      changes: {},
    }));
    await Promise.all(events.map((data, i) => deliver(place, ticketUpdated, data, i + 1)));
    expect(await copyOf(place, events[0]!.ticket)).toMatchObject({ subject: 'state 12', sequence: 12 });
  });

  it('come over the stream', async () => {
    const { place } = await anIntegratedPlace({ rules: JSON.stringify({ create: 'none', categories: [], tags: [], priorities: [] }) });
    const ticket = newTicketOf(place.id);
    const ctx = systemContext(place.id, 'test');
    await integrations.db.forTenant(ctx, (tx) => emit(tx, ctx, ticketCreated, ticket.id, { ticket }));
    await eventually(async () => expect(await copyOf(place, ticket)).toMatchObject({ sequence: 1 }));
  });

  it('are known to be complete once as many have arrived as were told, not before', async () => {
    const { place, connection } = await anIntegratedPlace();
    const told = { connection_id: connection.id, count: 2 };
    await deliver(place, ticketSnapshot, { ticket: newTicketOf(place.id) }, 1);
    await expect(deliver(place, ticketsTold, told, 1)).rejects.toThrow('2 tickets were told and 1 have arrived');
    expect((await integrations.findConnection(place))?.tickets_told).toBe(false);
    await deliver(place, ticketSnapshot, { ticket: newTicketOf(place.id) }, 1);
    await deliver(place, ticketsTold, told, 1);
    expect((await integrations.findConnection(place))?.tickets_told).toBe(true);
  });
});

describe('a ticket', () => {
  it('becomes a task by itself where the rules of an active integration name it: the oldest one’s', async () => {
    const { place, connection, integration } = await anIntegratedPlace({ created_at: '2026-01-01T00:00:00.000Z' });
    await integrations.anIntegration(connection, {
      list: 'Bugs',
      created_at: '2025-01-01T00:00:00.000Z',
      is_active: false,
      pause_reason: 'by_hand',
    });
    await integrations.anIntegration(connection, { list: 'Ideas' });
    const ticket = newTicketOf(place.id);
    await deliver(place, ticketCreated, { ticket }, 1);
    expect(await integrations.findLink(place, ticket.id)).toMatchObject({ state: 'creating', integration_id: integration.id, urgency: 2 });
    expect((await integrations.findLink(place, ticket.id))?.work_at).not.toBeNull();
  });

  it('goes to the first integration whose rules name it, before one for all tickets', async () => {
    const { place, connection, integration: all } = await anIntegratedPlace({ created_at: '2026-01-01T00:00:00.000Z' });
    const rules = JSON.stringify({ create: 'matching', categories: [], tags: ['bug'], priorities: [] });
    const late = await integrations.anIntegration(connection, { list: 'Ideas', rules });
    const first = await integrations.anIntegration(connection, { list: 'Bugs', rules, position: 1 });
    const goesTo = async (overrides: Partial<Ticket>) => {
      const ticket = newTicketOf(place.id, overrides);
      await deliver(place, ticketCreated, { ticket }, 1);
      return (await integrations.findLink(place, ticket.id))?.integration_id;
    };
    expect(await goesTo({ tags: ['bug'] })).toBe(first.id);
    expect(await goesTo({ tags: ['question'] })).toBe(all.id);
    await integrations.db.forTenant({ organization_id: place.id }, (tx) =>
      tx.updateTable('integrations').set({ is_active: false }).where('id', '=', first.id).execute(),
    );
    expect(await goesTo({ tags: ['bug'] })).toBe(late.id);
  });

  it('of before the integration does not, whatever is done to it: the backfill makes its task', async () => {
    const { place } = await anIntegratedPlace();
    const old = newTicketOf(place.id, { created_at: '2020-01-01T00:00:00.000Z' });
    await deliver(place, ticketUpdated, { ticket: old, changes: {} }, 1);
    await deliver(place, ticketCommentAdded, { ticket: old, comment: commentOf(old) }, 2);
    expect(await integrations.findLink(place, old.id)).toBeUndefined();
    expect(await copyOf(place, old)).toMatchObject({ sequence: 2 });
  });

  it('that the rules do not name becomes one when a change makes them name it', async () => {
    const { place } = await anIntegratedPlace({
      rules: JSON.stringify({ create: 'matching', categories: [], tags: ['bug'], priorities: [] }),
    });
    const ticket = newTicketOf(place.id);
    await deliver(place, ticketCreated, { ticket }, 1);
    expect(await integrations.findLink(place, ticket.id)).toBeUndefined();
    await deliver(place, ticketUpdated, { ticket: { ...ticket, tags: ['bug'] }, changes: {} }, 2);
    expect(await integrations.findLink(place, ticket.id)).toMatchObject({ state: 'creating' });
  });

  it('that is resolved, closed, told from before the connection, or was parted, does not', async () => {
    const { place, integration } = await anIntegratedPlace();
    const [resolved, old, parted] = [newTicketOf(place.id, { status: 'resolved' }), newTicketOf(place.id), newTicketOf(place.id)];
    await integrations.aLink(integration, { ticket_id: parted.id, state: 'parted' });
    await deliver(place, ticketUpdated, { ticket: resolved, changes: {} }, 1);
    await deliver(place, ticketSnapshot, { ticket: old }, 1);
    await deliver(place, ticketUpdated, { ticket: parted, changes: {} }, 1);
    expect(await integrations.findLink(place, resolved.id)).toBeUndefined();
    expect(await integrations.findLink(place, old.id)).toBeUndefined();
    expect(await integrations.findLink(place, parted.id)).toMatchObject({ state: 'parted', work_at: null });
  });

  it('whose snapshot overtook the event that made it becomes a task all the same', async () => {
    const { place } = await anIntegratedPlace();
    const ticket = newTicketOf(place.id);
    await deliver(place, ticketSnapshot, { ticket: { ...ticket, subject: 'later' } }, 2);
    await deliver(place, ticketCreated, { ticket }, 1);
    expect(await copyOf(place, ticket)).toMatchObject({ subject: 'later', sequence: 2 });
    expect(await integrations.findLink(place, ticket.id)).toMatchObject({ state: 'creating' });
  });

  it('that has a task makes work with a change that may travel, and with no other, nor with one that the task brought', async () => {
    const { place } = await anIntegratedPlace();
    const ticket = newTicketOf(place.id);
    await deliver(place, ticketCreated, { ticket }, 1);
    await rest(place, ticket);
    await deliver(place, ticketUpdated, { ticket: { ...ticket, category: 'Other' }, changes: {} }, 2);
    await deliver(place, ticketUpdated, { ticket: { ...ticket, status: 'in_progress' }, changes: {} }, 3, { type: 'task-tool' });
    expect(await copyOf(place, ticket)).toMatchObject({ sequence: 3, status: 'in_progress' });
    expect(await integrations.findLink(place, ticket.id)).toMatchObject({ work_at: null });
    await deliver(place, ticketUpdated, { ticket: { ...ticket, status: 'in_progress', subject: 'New' }, changes: {} }, 4);
    expect(await integrations.findLink(place, ticket.id)).toMatchObject({ work_at: expect.any(String) as string, urgency: 1 });
  });
});

describe('a comment', () => {
  it('goes to the task once, as whoever wrote it', async () => {
    const { place } = await anIntegratedPlace();
    const ticket = newTicketOf(place.id, { customer_name: 'Carla' });
    const comment = commentOf(ticket);
    // The comment arrives before the event of its ticket.
    await deliver(place, ticketCommentAdded, { ticket, comment }, 2);
    await deliver(place, ticketCreated, { ticket }, 1);
    await rest(place, ticket);
    await deliver(place, ticketCommentAdded, { ticket, comment }, 2);
    expect(await integrations.findLink(place, ticket.id)).toMatchObject({ work_at: null });
    await deliver(place, ticketCommentAdded, { ticket, comment: commentOf(ticket, { content: 'Still.' }) }, 3);
    expect(await comments(place)).toMatchObject([
      { state: 'pending', comment_id: comment.id, content: 'Carla (customer): It burns again.', external_id: null },
      { state: 'pending', content: 'Carla (customer): Still.' },
    ]);
    expect(await integrations.findLink(place, ticket.id)).toMatchObject({ work_at: expect.any(String) as string, urgency: 1 });
  });

  it('that is internal, came from the task, has no task to go to, or is not wanted there stays here', async () => {
    const { place } = await anIntegratedPlace();
    const ticket = newTicketOf(place.id);
    await deliver(place, ticketCommentAdded, { ticket, comment: commentOf(ticket, { is_internal: true }) }, 1);
    const tool_author = { name: 'Grace', tool_name: 'ClickUp' };
    await deliver(place, ticketCommentAdded, { ticket, comment: commentOf(ticket, { tool_author }) }, 2, { type: 'task-tool' });
    const resolved = newTicketOf(place.id, { status: 'closed' });
    await deliver(place, ticketCommentAdded, { ticket: resolved, comment: commentOf(resolved) }, 1);
    expect(await comments(place)).toEqual([]);
    const quiet = await anIntegratedPlace({ comment_sync: 'to_ticket' });
    const other = newTicketOf(quiet.place.id);
    await deliver(quiet.place, ticketCommentAdded, { ticket: other, comment: commentOf(other) }, 1);
    expect(await comments(quiet.place)).toEqual([]);
  });
});
