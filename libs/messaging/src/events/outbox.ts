import { subjectOf, type Context, type DataOf, type Envelope, type EventType } from '@tandem/contracts';
import { anyOf, beforeCommit, executePrepared, fixedQuery, newId, type Database, type Tx } from '@tandem/db';
import { injectTrace } from '@tandem/platform';
import { sql } from 'kysely';
import type { AnyTx } from '../any-tx';
import { storedBytes } from './stored-bytes';

/**
 * The largest text of an event as PostgreSQL stores it and the relay publishes it. By default, NATS rejects messages over 1 MiB, including
 * their headers; 24 KB are left for these and for the sequence number. With this check the caller's transaction fails; otherwise the event would
 * become a dead letter.
 */
export const maxEventBytes = 1_000 * 1024;

const emitted = new WeakSet<object>();

/** Whether `emit` was called in this transaction; the relay checks it after each commit. */
export const hasEmitted = (tx: object): boolean => emitted.has(tx);

/**
 * Emits an event in the caller's transaction: it is published at least once after a commit, and never after a rollback.
 * `subject` is the id of the entity that the event is about; events of one subject are numbered from 1 without
 * gaps in the order of their commits. Throws when `data` does not match the event's schema. The organization is the context's.
 * The row is written with the commit: the transaction itself does not see it.
 */
export async function emit<E extends EventType>(tx: AnyTx, ctx: Context, event: E, subject: string, data: DataOf<E>): Promise<void> {
  const { id, text } = envelopeWithoutSequence(ctx, event, subject, data);
  // The position is assigned after the subject's lock is held, so that it orders the subject's events.
  beforeCommit(
    tx,
    sql`
    with numbered as (
      insert into event_sequences (subject, last) values (${subject}, 1)
      on conflict (subject) do update set last = event_sequences.last + 1
      returning last
    )
    insert into outbox (id, organization_id, subject, type, sequence, envelope)
    select ${id}::uuid, ${ctx.organization_id}::uuid, ${subject}, ${event.type}, last, ${text}::jsonb || jsonb_build_object('sequence', last)
    from numbered`,
  );
  emitted.add(tx);
}

const emitBatch = 1_000;

/**
 * Like `emit`, for one event about each of many subjects of one organization, in one statement per thousand. No subject twice. The subjects
 * are locked in sorted order, so that concurrent calls do not deadlock. An event with its own `ctx` has its actor and request ID.
 */
export async function emitAll<E extends EventType>(
  tx: AnyTx,
  ctx: Context,
  event: E,
  all: readonly { subject: string; data: DataOf<E>; ctx?: Context }[],
): Promise<void> {
  const rows = all.map(({ subject, data, ctx: own = ctx }) => ({ subject, ...envelopeWithoutSequence(own, event, subject, data) }));
  rows.sort((a, b) => (a.subject < b.subject ? -1 : 1));
  for (let from = 0; from < rows.length; from += emitBatch) {
    const batch = rows.slice(from, from + emitBatch);
    const [ids, subjects, texts] = [batch.map(({ id }) => id), batch.map(({ subject }) => subject), batch.map(({ text }) => text)];
    beforeCommit(
      tx,
      sql`
      with wanted as (
        select * from unnest(${ids}::uuid[], ${subjects}::text[], ${texts}::text[]) with ordinality as w (id, subject, envelope, place)
      ), numbered as (
        insert into event_sequences (subject, last) select subject, 1 from wanted order by place
        on conflict (subject) do update set last = event_sequences.last + 1
        returning subject, last
      )
      insert into outbox (id, organization_id, subject, type, sequence, envelope)
      select id, ${ctx.organization_id}::uuid, subject, ${event.type}, last, envelope::jsonb || jsonb_build_object('sequence', last)
      from numbered join wanted using (subject)`,
    );
  }
  if (rows.length > 0) emitted.add(tx);
}

/** The event as it will be published, without its sequence number. */
function envelopeWithoutSequence<E extends EventType>(
  ctx: Context,
  event: E,
  subject: string,
  data: DataOf<E>,
): { id: string; text: string } {
  if (event.tenant && ctx.organization_id === null) throw new Error(`${event.type} needs a context with an organization`);
  const parsed = event.data.safeParse(data);
  if (!parsed.success) throw new Error(`The data of ${event.type} does not match its contract: ${parsed.error.message}`);
  const envelope = {
    specversion: '1.0',
    id: newId(),
    type: event.type,
    source: `/services/${event.source}`,
    time: new Date().toISOString(),
    subject,
    datacontenttype: 'application/json',
    organizationid: ctx.organization_id,
    actor: ctx.actor,
    requestid: ctx.request_id,
    traceparent: injectTrace() ?? null,
    ...(event.audited && ctx.client ? { client: { ip: ctx.client.ip, user_agent: ctx.client.user_agent } } : {}),
    data: parsed.data,
  } satisfies Omit<Envelope, 'sequence'>;
  const text = JSON.stringify(envelope);
  if (storedBytes(text, maxEventBytes) > maxEventBytes) throw new Error(`${event.type} is too large to publish`);
  return { id: envelope.id, text };
}

/** An outbox row as the relay publishes it. */
export interface Outgoing {
  id: string;
  subject: string;
  nats_subject: string;
  type: string;
  /** The event as JSON. */
  envelope: string;
}

const unpublished = fixedQuery((tx: Tx, limit: number) =>
  tx
    .selectFrom('outbox')
    // As text: parsing and serializing it again would change nothing.
    .select(['id', 'subject', 'type', 'organization_id', sql<string>`envelope::text`.as('envelope')])
    .where('published_at', 'is', null)
    .orderBy('position')
    .limit(limit),
);

/**
 * The oldest unpublished rows, if this process gets the publishing lock; undefined if another one holds it. The commit of their marks does not
 * wait for the disk: after a crash of PostgreSQL the last events are published again, as after a crash of this process. Otherwise each
 * event would wait until the marks of the ones before it are on the disk.
 */
export async function takeUnpublished(tx: Tx, prefix: string, limit: number): Promise<Outgoing[] | undefined> {
  // Held until this transaction ends, even if the process dies: another replica takes over at its next poll.
  const locking = sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(7264531101) as taken, set_config('synchronous_commit', 'off', true)`;
  // In the same round trip, but as a separate statement: its snapshot must be taken after the lock, or it would include rows that the previous
  // holder has marked.
  const [lock, { rows }] = await Promise.all([executePrepared(tx, locking.compile(tx)), executePrepared(tx, unpublished(tx, limit))]);
  if (lock.rows[0]?.taken !== true) return undefined;
  return rows.map(({ organization_id, ...row }) => ({ ...row, nats_subject: subjectOf(prefix, organization_id, row.type) }));
}

/** Marks the rows that the broker has acknowledged, with the commit of the transaction. */
export function markPublished(tx: Tx, ids: string[]): void {
  if (ids.length > 0) beforeCommit(tx, sql`update outbox set published_at = now() where id = ${anyOf('uuid', ids)}`);
}

/**
 * After a stream was lost and recreated: marks the events that were published before `created` as unpublished, so that
 * they are published again. Consumers that have processed them skip them by their inbox.
 */
export async function unmarkOlderThan(db: Database, created: string): Promise<number> {
  const { numUpdatedRows } = await db.asSystem('republish to a new stream', (tx) =>
    tx.updateTable('outbox').set({ published_at: null }).where('published_at', '<', created).executeTakeFirst(),
  );
  return Number(numUpdatedRows);
}

const pruneBatch = 5_000;

/** Deletes rows that are no longer needed: published events, inbox rows, old idempotency keys. In batches, to keep statements short. */
export async function prune(db: Database, keepDays: number, inboxDays: number): Promise<void> {
  const outdated = [
    sql`delete from outbox where ctid = any(array(
      select ctid from outbox where published_at < now() - make_interval(days => ${keepDays}) limit ${pruneBatch}))`,
    sql`delete from inbox where ctid = any(array(
      select ctid from inbox where processed_at < now() - make_interval(days => ${inboxDays}) limit ${pruneBatch}))`,
    sql`delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys where created_at < now() - interval '24 hours' limit ${pruneBatch}))`,
  ];
  for (const statement of outdated) {
    let deleted: bigint;
    do {
      ({ numAffectedRows: deleted = 0n } = await db.asSystem('prune outbox, inbox and idempotency keys', (tx) => statement.execute(tx)));
    } while (deleted === BigInt(pruneBatch));
  }
}
