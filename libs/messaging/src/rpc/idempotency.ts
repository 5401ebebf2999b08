import { createHash } from 'node:crypto';
import { actorName, AppError, type Operation, type TenantContext } from '@tandem/contracts';
import type { Database, Tx } from '@tandem/db';
import { sql } from 'kysely';
import type { Answer } from './answer';

/** Longer than any request may take (10 s), so a key that is still `running` after it belongs to a process that died. */
const leaseSeconds = 30;

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

/**
 * Runs `work` once per key: a repeat with the same fingerprint gets the stored response, with another one 422
 * `idempotency.key_reused`, and while the first is still running 409 `idempotency.running`. Keys belong to the caller, the
 * operation and the organization. A failure is not stored: the caller may retry with the same key. Not guaranteed: when
 * the process dies between the commit of `work` and the storing of its response, a repeat after the lease runs `work` again.
 */
export async function answerOnce(
  db: Database,
  ctx: TenantContext,
  op: Operation,
  key: string,
  fingerprint: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const row: Row = {
    organization_id: ctx.organization_id,
    operation: op.name,
    key: createHash('sha256')
      .update(`${actorName(ctx.actor)}\n${key}`)
      .digest('hex'),
  };
  const stored = await db.forTenant(ctx, (tx) => take(tx, row, fingerprint));
  if (stored) return stored;
  try {
    const answer = await work();
    await db.forTenant(ctx, (tx) => keep(tx, row, answer));
    return answer;
  } catch (error) {
    await db
      .forTenant(ctx, (tx) => of(tx.deleteFrom('idempotency_keys'), row).execute())
      .catch((cause: unknown) => {
        // The error of `work` is more important; the key is free again when its lease expires.
        process.emitWarning(`An idempotency key stays reserved for ${leaseSeconds} s: ${String(cause)}`);
      });
    throw error;
  }
}

const of = <Q extends { where(column: 'organization_id' | 'operation' | 'key', operator: '=', value: string): Q }>(query: Q, row: Row): Q =>
  query.where('organization_id', '=', row.organization_id).where('operation', '=', row.operation).where('key', '=', row.key);

/** The stored response, or undefined if this request has claimed the key. */
async function take(tx: Tx, row: Row, fingerprint: string): Promise<Answer | undefined> {
  const lapsed = sql<boolean>`idempotency_keys.status = 'running' and idempotency_keys.created_at < now() - make_interval(secs => ${leaseSeconds})`;
  const expired = sql<boolean>`idempotency_keys.created_at < now() - interval '24 hours'`;
  const taken = await tx
    .insertInto('idempotency_keys')
    .values({ ...row, fingerprint, status: 'running' })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'operation', 'key'])
        .doUpdateSet({
          fingerprint,
          status: 'running',
          created_at: sql<string>`now()`,
          response_status: null,
          response_headers: null,
          response_body: null,
        })
        .where((eb) => eb.or([eb.and([lapsed, eb('idempotency_keys.fingerprint', '=', fingerprint)]), expired])),
    )
    .returning('key')
    .executeTakeFirst();
  if (taken) return undefined;
  const found = await of(tx.selectFrom('idempotency_keys').selectAll(), row).executeTakeFirst();
  if (!found) throw new AppError('idempotency.running', { retryAfterSeconds: 1 });
  if (found.fingerprint !== fingerprint) throw new AppError('idempotency.key_reused');
  if (found.status === 'running') throw new AppError('idempotency.running', { retryAfterSeconds: 1 });
  const headers = { ...found.response_headers, 'idempotent-replayed': 'true' };
  return { status: found.response_status!, headers, body: found.response_body!.toString('utf8') };
}

async function keep(tx: Tx, row: Row, answer: Answer): Promise<void> {
  const response = {
    response_status: answer.status,
    response_headers: JSON.stringify(answer.headers),
    response_body: Buffer.from(answer.body),
  };
  await of(tx.updateTable('idempotency_keys').set({ status: 'done', ...response }), row).execute();
}
