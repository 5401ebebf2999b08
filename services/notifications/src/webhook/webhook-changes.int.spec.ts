import {
  listChanges,
  surveySubmitted,
  ticketCommentAdded,
  ticketCreated,
  ticketMerged,
  ticketUpdated,
  WebhookEvent,
  type Context,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { commentOf } from '@tandem/testing';
import { sql } from 'kysely';
import { NotificationsUnderTest, type TestOrganization } from '../../test/notifications';
import { buildEvent } from './webhook-body';
import type { WebhookTx } from './webhook-endpoint.store';
import { eventStatement } from './webhook-event.store';

let notifications: NotificationsUnderTest;
let organization: TestOrganization;
let token: Context & { organization_id: string };
beforeAll(async () => (notifications = await NotificationsUnderTest.start()));
beforeEach(async () => {
  organization = await notifications.anOrganization();
  token = {
    organization_id: organization.id,
    actor: { type: 'token', token_id: newId(), name: 'Reports', permissions: ['tickets:read'], via: 'api' },
    request_id: newId(),
  };
});

interface Changes {
  events: WebhookEvent[];
  next: string;
  end_of_stream: boolean;
}
const ask = (query: Record<string, string> = {}, ctx: Context = token) => notifications.call<Changes>(listChanges, ctx, { query });
const changes = async (query?: Record<string, string>) => (await ask(query)).data;
/** `subject` identifies the event in the feed. */
function insert(tx: WebhookTx, subject = 'x') {
  const ticket = notifications.ticket(organization, { subject });
  const envelope = { id: newId(), type: 'ticket.created', time: new Date().toISOString(), sequence: 1, actor: token.actor };
  const built = buildEvent(
    envelope,
    { ticket },
    {
      organization_id: organization.id,
      actor_name: null,
      public_url: 'http://localhost:3000',
    },
  )!;
  const { id, type, time: occurred_at, sequence } = envelope;
  const row = { organization_id: organization.id, id, type, ticket_id: ticket.id, ticket_number: 'A-1', sequence, occurred_at };
  const bodies = { body: JSON.stringify(built.full), thin_body: JSON.stringify(built.thin) };
  return eventStatement({ ...row, is_internal: false, ...bodies }, [], false).execute(tx);
}
const subjects = ({ events }: Changes) => events.map(({ data }) => data.ticket.subject);

it('has all public events of a ticket in their order, merges and surveys included, and no other event', async () => {
  const ticket = notifications.ticket(organization);
  const into = notifications.ticket(organization);
  const admin = notifications.as(organization, 'admin');
  await notifications.announce(admin, ticketCreated, ticket.id, { ticket });
  for (let i = 0; i < 10; i += 1)
    await notifications.announce(admin, ticketUpdated, ticket.id, { ticket, changes: { subject: { from: `${i}`, to: `${i + 1}` } } });
  await notifications.announce(token, ticketMerged, ticket.id, { ticket, into });
  const survey = {
    ticket_id: ticket.id,
    customer_email: 'ada@example.com',
    rating: 5,
    feedback: null,
    created_at: '2026-11-20T10:00:00.000Z',
  };
  await notifications.announce(admin, surveySubmitted, ticket.id, { survey, ticket });
  await notifications.announce(admin, surveySubmitted, ticket.id, { survey });
  await notifications.allIsConsumed();
  const { events, end_of_stream } = await changes();
  expect(events.map((event) => WebhookEvent.parse(event).sequence)).toEqual(Array.from({ length: 13 }, (_, i) => i + 1));
  expect(events.at(-1)).toMatchObject({ event: 'survey.submitted', data: { survey, ticket: { id: ticket.id } } });
  expect(events.at(-2)).toMatchObject({
    event: 'ticket.merged',
    actor: { type: 'token', name: 'Reports' },
    data: { into: { id: into.id } },
  });
  expect(end_of_stream).toBe(true);
});

it('is read page by page without gaps or repeats, or only from the current position', async () => {
  await notifications.db.forTenant(token, async (tx) => {
    for (let i = 0; i < 5; i += 1) await insert(tx);
  });
  const first = await changes({ limit: '2' });
  expect(first).toMatchObject({ positions: ['1', '2'], next: '2', end_of_stream: false });
  const second = await changes({ limit: '2', after: first.next });
  const third = await changes({ limit: '2', after: second.next });
  expect([second.next, third.next, third.events.length, third.end_of_stream]).toEqual(['4', '5', 1, true]);
  expect(await changes({ after: third.next })).toEqual({ events: [], positions: [], next: '5', end_of_stream: true });
  expect(await changes({ after: 'now' })).toEqual({ events: [], positions: [], next: '5', end_of_stream: true });
  expect(await changes({ after: '9999999999999999999' })).toMatchObject({ events: [], end_of_stream: true });
});

it('has at most 1,000 events a page', async () => {
  await notifications.db.forTenant(token, async (tx) => {
    await insert(tx);
    // Copies of the event.
    await sql`
      insert into webhook_events (organization_id, id, type, ticket_id, ticket_number, sequence, occurred_at, is_internal, body, thin_body, position)
      select organization_id, gen_random_uuid(), type, ticket_id, ticket_number, sequence, occurred_at, is_internal, body, thin_body, position + n
      from webhook_events, generate_series(1, 1000) n`.execute(tx);
    await sql`update webhook_positions set last = 1001`.execute(tx);
  });
  const whole = await changes({ limit: '1000' });
  expect([whole.events.length, whole.next, whole.end_of_stream]).toEqual([1_000, '1000', false]);
  expect(await changes({ limit: '1000', after: whole.next })).toMatchObject({ next: '1001', end_of_stream: true });
  expect((await ask({ limit: '1001' })).data).toMatchObject({ code: 'request.invalid', errors: [{ path: 'limit' }] });
});

it('never shows a later event before an earlier one whose transaction is still open', async () => {
  const hold = Promise.withResolvers<void>();
  const inserted = Promise.withResolvers<void>();
  const slow = notifications.db.forTenant(token, async (tx) => {
    await insert(tx, 'first');
    inserted.resolve();
    await hold.promise;
  });
  await inserted.promise;
  let isQuickDone = false;
  const quick = notifications.db.forTenant(token, (tx) => insert(tx, 'second')).then(() => (isQuickDone = true));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect([isQuickDone, (await changes()).events]).toEqual([false, []]);
  hold.resolve();
  await Promise.all([slow, quick]);
  expect(subjects(await changes())).toEqual(['first', 'second']);
});

it('reuses the position of a transaction that is rolled back', async () => {
  await notifications.db.forTenant(token, (tx) => insert(tx));
  const failed = notifications.db.forTenant(token, async (tx) => {
    await insert(tx);
    throw new Error('rolled back');
  });
  await expect(failed).rejects.toThrow('rolled back');
  await notifications.db.forTenant(token, (tx) => insert(tx));
  expect((await changes()).next).toBe('2');
});

it('loses and repeats nothing for a reader that follows while many transactions commit', async () => {
  const read: string[] = [];
  let after = '0';
  let isWriting = true;
  const writing = Promise.all(
    Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; i < 15; i += 1) {
        await notifications.db.forTenant(token, async (tx) => {
          await insert(tx, `${writer}-${i}`);
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
        });
      }
    }),
  ).finally(() => (isWriting = false));
  for (let isLast = false; !isLast;) {
    isLast = !isWriting;
    const page = await changes({ after, limit: '7' });
    read.push(...subjects(page));
    after = page.next;
    isLast &&= page.end_of_stream;
  }
  await writing;
  expect(new Set(read).size).toBe(120);
  expect(read).toHaveLength(120);
});

it('has internal notes only on request', async () => {
  const ticket = notifications.ticket(organization);
  const comment = commentOf(ticket.id, { is_internal: true });
  await notifications.announce(token, ticketCommentAdded, ticket.id, { ticket, comment });
  await notifications.announce(token, ticketCommentAdded, ticket.id, { ticket, comment: { ...comment, is_internal: false } });
  await notifications.allIsConsumed();
  expect((await changes()).events.map(({ data }) => data.comment?.is_internal)).toEqual([false]);
  expect((await changes({ include_internal_notes: 'true' })).events.map(({ data }) => data.comment?.is_internal)).toEqual([true, false]);
});

it('is closed to other organizations, other roles and tokens without the permission, and rejects a wrong position', async () => {
  await notifications.db.forTenant(token, (tx) => insert(tx));
  const stranger = notifications.as(await notifications.anOrganization(), 'admin');
  expect((await ask({}, stranger)).data.events).toEqual([]);
  expect((await ask({}, notifications.as(organization, 'agent'))).status).toBe(403);
  const other = { ...token, actor: { ...token.actor, permissions: ['webhooks:manage' as const] } } as Context;
  expect((await ask({}, other)).data.code).toBe('token.permission_missing');
  expect((await ask({ after: 'yesterday' })).status).toBe(422);
});
