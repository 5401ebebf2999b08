import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { actorName, AppError, type Operation, type TenantContext } from '@tandem/contracts';
import { afterCommit, beforeCommit, ignoreWritesSoFar, type Database, type Tx } from '@tandem/db';
import { sql, type RawBuilder } from 'kysely';
import type { AnyTx } from '../any-tx';
import type { Answer } from './answer';

/** A key whose lease has not been extended for this long belongs to a process that died, or that cannot reach PostgreSQL. */
const leaseSeconds = 3;
const renewEveryMs = 1_000;
/** Longer than any request may take (10 s): work that never ends must not hold its key for longer. */
const maxLeaseSeconds = 30;

/** The header's value, checked: 1 to 255 printable characters. */
export function idempotencyKeyOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (/^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw new AppError('request.invalid', {
    fields: [{ path: 'Idempotency-Key', code: 'invalid', message: 'Send 1 to 255 printable characters' }],
  });
}

interface Row {
  organization_id: string;
  operation: string;
  key: string;
}

/** A key that this request has reserved for its work. */
interface Claim {
  row: Row;
  /** `created_at` of the row, with microseconds: another request that claims the key after the lease changes it. */
  claimed_at: string;
  toAnswer: (result: unknown) => Answer;
  /** The response that the work's transaction has stored; set after its commit. */
  stored?: Answer;
}
const claims = new AsyncLocalStorage<Claim>();

/**
 * Stores the response of an idempotent operation with the commit of the transaction that does its work, and returns `result`, which must be
 * the handler's result. Call it once, in that transaction. If another request has claimed the key since, the transaction fails. Does nothing
 * for a request without an idempotency key.
 */
export function storeResponse<T>(tx: AnyTx, result: T): T {
  const claim = claims.getStore();
  if (claim) {
    const answer = claim.toAnswer(result);
    beforeCommit(tx, storing(claim, answer));
    afterCommit(tx, () => (claim.stored = answer));
  }
  return result;
}

export interface KeyedRequest {
  op: Operation;
  key: string;
  fingerprint: string;
}

/**
 * Runs `work` once per key: a repeat with the same fingerprint gets the stored response, with another one 422
 * `idempotency.key_reused`, and while the first is still running 409 `idempotency.running`. Keys belong to the caller, the
 * operation and the organization. A failure is not stored: the caller may retry with the same key. If the work calls `storeResponse`, as
 * every handler of an idempotent operation does, its changes and its response are committed together: after a failure or the death of the
 * process, a repeat gets the response if the changes were committed, and runs the work if they were not.
 */
export async function answerOnce(
  db: Database,
  ctx: TenantContext,
  request: KeyedRequest,
  work: () => Promise<unknown>,
  toAnswer: (result: unknown) => Answer,
): Promise<Answer> {
  const row: Row = {
    organization_id: ctx.organization_id,
    operation: request.op.name,
    key: createHash('sha256')
      .update(`${actorName(ctx.actor)}\n${request.key}`)
      .digest('hex'),
  };
  const claimed_at = await claimKey(db, ctx, row, request.fingerprint);
  if (claimed_at === undefined) return db.readTenant(ctx, (tx) => readStored(tx, row, request.fingerprint), { isPrepared: true });
  const claim: Claim = { row, claimed_at, toAnswer };
  const stopRenewal = renewLease(db, ctx, claim);
  try {
    const answer = toAnswer(await claims.run(claim, work));
    if (claim.stored?.body !== answer.body) await db.forTenant(ctx, (tx) => keep(tx, claim, answer));
    return answer;
  } catch (error) {
    // A row that is `done` remains: the work was committed, even if its caller does not know.
    await db
      .forTenant(ctx, (tx) => claimed(tx.deleteFrom('idempotency_keys').where('status', '=', 'running'), claim).execute())
      .catch((cause: unknown) => {
        // The error of `work` is more important; the key is free again when its lease expires.
        process.emitWarning(`An idempotency key stays reserved for up to ${leaseSeconds} s: ${String(cause)}`);
      });
    throw error;
  } finally {
    stopRenewal();
  }
}

type Column = 'organization_id' | 'operation' | 'key' | 'created_at';
const of = <Q extends { where(column: Column, operator: '=', value: string): Q }>(query: Q, row: Row): Q =>
  query.where('organization_id', '=', row.organization_id).where('operation', '=', row.operation).where('key', '=', row.key);
const claimed = <Q extends { where(column: Column, operator: '=', value: string): Q }>(query: Q, { row, claimed_at }: Claim): Q =>
  of(query, row).where('created_at', '=', claimed_at);

/**
 * Stores the response if the key still belongs to this request. Otherwise the cast fails, and with it the transaction: another request does
 * the work, because this one was stopped for longer than the lease, or lost its connection and released the key before this statement.
 */
const storing = ({ row, claimed_at }: Claim, answer: Answer): RawBuilder<unknown> => sql`
  with stored as (
    update idempotency_keys set status = 'done', response_status = ${answer.status}::integer,
      response_headers = ${JSON.stringify(answer.headers)}::jsonb, response_body = ${Buffer.from(answer.body)}::bytea
    where organization_id = ${row.organization_id}::uuid and operation = ${row.operation} and key = ${row.key}
      and status = 'running' and created_at = ${claimed_at}::timestamptz
    returning 1
  )
  select case count(*) when 1 then 1 else ('This request no longer holds its idempotency key: ' || count(*))::integer end from stored`;

/** The time of the claim, or `undefined` if another request holds the key or has stored its response. */
async function claimKey(db: Database, ctx: TenantContext, row: Row, fingerprint: string): Promise<string | undefined> {
  const claiming = sql<{ claimed_at: string }>`
    insert into idempotency_keys as held (organization_id, operation, key, fingerprint, status, lease_until)
    values (${row.organization_id}, ${row.operation}, ${row.key}, ${fingerprint}, 'running', now() + make_interval(secs => ${leaseSeconds}))
    on conflict (organization_id, operation, key) do update set
      fingerprint = excluded.fingerprint, status = 'running', created_at = now(), lease_until = excluded.lease_until,
      response_status = null, response_headers = null, response_body = null
    where held.created_at < now() - interval '24 hours' or held.status = 'running' and held.fingerprint = excluded.fingerprint
      and coalesce(held.lease_until, held.created_at + make_interval(secs => ${maxLeaseSeconds})) < now()
    returning created_at::text as claimed_at`;
  let claimed_at: string | undefined;
  await db.forTenant(ctx, async (tx) => {
    beforeCommit(tx, claiming, { isVisible: false, onRows: ([claim]) => (claimed_at = claim?.claimed_at) });
  });
  return claimed_at;
}

/**
 * Extends the lease every second until the returned function is called. A lease that has ended is not extended: another request may already
 * have read it.
 */
function renewLease(db: Database, ctx: TenantContext, claim: Claim): () => void {
  const renew = async (tx: Tx) => {
    const lease_until = sql<string>`now() + make_interval(secs => ${leaseSeconds})`;
    const held = tx
      .updateTable('idempotency_keys')
      .set({ lease_until })
      .where('status', '=', 'running')
      .where('lease_until', '>', sql<string>`now()`);
    await claimed(held, claim).execute();
    ignoreWritesSoFar(tx);
  };
  let renewals = 0;
  const timer = setInterval(() => {
    if (++renewals * renewEveryMs >= (maxLeaseSeconds - leaseSeconds) * 1_000) clearInterval(timer);
    // After a failure, the next one may succeed before the lease ends.
    db.forTenant(ctx, renew).catch(() => undefined);
  }, renewEveryMs);
  return () => clearInterval(timer);
}

/** The stored response. Throws if there is none yet. */
async function readStored(tx: Tx, row: Row, fingerprint: string): Promise<Answer> {
  const found = await of(tx.selectFrom('idempotency_keys').selectAll(), row).executeTakeFirst();
  if (!found) throw new AppError('idempotency.running', { retryAfterSeconds: 1 });
  if (found.fingerprint !== fingerprint) throw new AppError('idempotency.key_reused');
  if (found.status === 'running') throw new AppError('idempotency.running', { retryAfterSeconds: 1 });
  const headers = { ...found.response_headers, 'idempotent-replayed': 'true' };
  return { status: found.response_status!, headers, body: found.response_body!.toString('utf8') };
}

/** Stores a response that the work's transaction has not stored, or that differs from it. */
async function keep(tx: Tx, claim: Claim, answer: Answer): Promise<void> {
  const response = {
    response_status: answer.status,
    response_headers: JSON.stringify(answer.headers),
    response_body: Buffer.from(answer.body),
  };
  await claimed(tx.updateTable('idempotency_keys').set({ status: 'done', ...response }), claim).execute();
}
