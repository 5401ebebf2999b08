import { subjectOf, type Context, type DataOf, type Envelope, type EventType } from '@tandem/contracts';
import { newId, type Database, type Tx } from '@tandem/db';
import { injectTrace } from '@tandem/platform';
import { sql } from 'kysely';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a transaction of whatever schema the service has
export type AnyTx = Tx<any>;

/** NATS refuses messages over 1 MiB; refused here, the use case fails instead of its subject's events getting stuck. */
const maxBytes = 900 * 1024;

const emitted = new WeakSet<object>();

/** Whether `emit` was called in this transaction: what the relay asks after each commit. */
export const hasEmitted = (tx: object): boolean => emitted.has(tx);

/**
 * Announces an event in the caller's transaction: with its commit the event will be published at least once, with its
 * rollback never. `subject` is the id of the thing that it is about; events of one subject are numbered from 1 without
 * gaps in the order of their commits (the subject's row lock is held until then). Throws when `data` does not fit the
 * event's schema. The organization is the context's.
 */
export async function emit<E extends EventType>(tx: AnyTx, ctx: Context, event: E, subject: string, data: DataOf<E>): Promise<void> {
  const { id, text } = sealed(ctx, event, subject, data);
  // One round trip. The position is drawn after the subject's lock is held, so that it orders the subject's events.
  await sql`
    with numbered as (
      insert into event_sequences (subject, last) values (${subject}, 1)
      on conflict (subject) do update set last = event_sequences.last + 1
      returning last
    )
    insert into outbox (id, organization_id, subject, type, sequence, envelope)
    select ${id}::uuid, ${ctx.organization_id}::uuid, ${subject}, ${event.type}, last, ${text}::jsonb || jsonb_build_object('sequence', last)
    from numbered`.execute(tx);
  emitted.add(tx);
}

const emitBatch = 1_000;

/**
 * The same for one event about each of many subjects, in a round trip per thousand. No subject twice. They are locked in the order of their
 * names, so that two who do this at once do not wait for each other in a circle.
 */
export async function emitAll<E extends EventType>(
  tx: AnyTx,
  ctx: Context,
  event: E,
  all: readonly { subject: string; data: DataOf<E> }[],
): Promise<void> {
  const rows = all.map(({ subject, data }) => ({ subject, ...sealed(ctx, event, subject, data) }));
  rows.sort((a, b) => (a.subject < b.subject ? -1 : 1));
  for (let from = 0; from < rows.length; from += emitBatch) {
    const batch = rows.slice(from, from + emitBatch);
    const [ids, subjects, texts] = [batch.map(({ id }) => id), batch.map(({ subject }) => subject), batch.map(({ text }) => text)];
    await sql`
      with wanted as (
        select * from unnest(${ids}::uuid[], ${subjects}::text[], ${texts}::text[]) with ordinality as w (id, subject, envelope, place)
      ), numbered as (
        insert into event_sequences (subject, last) select subject, 1 from wanted order by place
        on conflict (subject) do update set last = event_sequences.last + 1
        returning subject, last
      )
      insert into outbox (id, organization_id, subject, type, sequence, envelope)
      select id, ${ctx.organization_id}::uuid, subject, ${event.type}, last, envelope::jsonb || jsonb_build_object('sequence', last)
      from numbered join wanted using (subject)`.execute(tx);
  }
  if (rows.length > 0) emitted.add(tx);
}

/** The event as it will be published, but for its number. */
function sealed<E extends EventType>(ctx: Context, event: E, subject: string, data: DataOf<E>): { id: string; text: string } {
  const parsed = event.data.safeParse(data);
  if (!parsed.success) throw new Error(`${event.type} was given data that its contract does not declare: ${parsed.error.message}`);
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
  if (Buffer.byteLength(text) > maxBytes) throw new Error(`${event.type} is too large to publish`);
  return { id: envelope.id, text };
}

/** A row of the outbox as the relay sends it. */
export interface Outgoing {
  id: string;
  subject: string;
  nats_subject: string;
  type: string;
  envelope: Envelope;
}

/** The oldest unpublished rows, if this process is the one that may publish now; undefined when another one is. */
export async function takeUnpublished(tx: Tx, prefix: string, limit: number): Promise<Outgoing[] | undefined> {
  // Held until this transaction ends, also by death of the process: a second replica takes over at its next poll.
  const lock = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(7264531101) as taken`.execute(tx);
  if (lock.rows[0]?.taken !== true) return undefined;
  // A statement of its own: its snapshot must be younger than the lock, or it would show rows the last holder has marked.
  const rows = await tx
    .selectFrom('outbox')
    .select(['id', 'subject', 'type', 'organization_id', 'envelope'])
    .where('published_at', 'is', null)
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map(({ organization_id, ...row }) => ({ ...row, nats_subject: subjectOf(prefix, organization_id, row.type) }));
}

/** Marks what the broker has acknowledged. */
export async function markPublished(tx: Tx, ids: string[]): Promise<void> {
  if (ids.length > 0)
    await tx
      .updateTable('outbox')
      .set({ published_at: sql<string>`now()` })
      .where('id', 'in', ids)
      .execute();
}

/**
 * After a stream was lost and made anew: everything published before `created` goes out once more. Whoever had
 * consumed it already knows by its inbox.
 */
export async function unmarkOlderThan(db: Database, created: string): Promise<number> {
  const { numUpdatedRows } = await db.asSystem('republish to a new stream', (tx) =>
    tx.updateTable('outbox').set({ published_at: null }).where('published_at', '<', created).executeTakeFirst(),
  );
  return Number(numUpdatedRows);
}

const pruneBatch = 5_000;

/** Deletes what nobody will ask for again: published events, the memory of consumed ones, old idempotency keys. In short statements. */
export async function prune(db: Database, keepDays: number, inboxDays: number): Promise<void> {
  const outdated = [
    sql`delete from outbox where ctid in (
      select ctid from outbox where published_at < now() - make_interval(days => ${keepDays}) limit ${pruneBatch})`,
    sql`delete from inbox where ctid in (
      select ctid from inbox where taken_at < now() - make_interval(days => ${inboxDays}) limit ${pruneBatch})`,
    sql`delete from idempotency_keys where ctid in (
      select ctid from idempotency_keys where created_at < now() - interval '24 hours' limit ${pruneBatch})`,
  ];
  for (const statement of outdated) {
    let deleted: bigint;
    do {
      ({ numAffectedRows: deleted = 0n } = await db.asSystem('prune the plumbing', (tx) => statement.execute(tx)));
    } while (deleted === BigInt(pruneBatch));
  }
}
