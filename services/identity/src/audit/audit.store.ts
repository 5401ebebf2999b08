import { auditEvents, type AuditEntry, type AuditFilter, type AuditType, type Context } from '@tandem/contracts';
import { newId, type Tx } from '@tandem/db';
import { sql } from 'kysely';
import { highestIdBefore, retentionDays, lowestIdFrom, clampTime } from './audit';
import type { Changes, IdentityTables } from '../schema';

export interface AuditRecord {
  type: AuditType;
  /** The organization whose log gets the entry; if null, nothing is written. */
  organization_id: string | null;
  /** The actor, if the context has none: a sign-in has no signed-in caller yet. */
  actor_id?: string | null;
  /** The subject of the action, as text. */
  target?: string | null;
  /** The changed values only; never a secret. */
  changes?: Changes;
}

/**
 * Writes a log entry in the transaction of the action, so that a rollback removes both. Works in `forTenant` of the organization and in
 * `asSystem`.
 */
export async function recordAudit(tx: Tx<IdentityTables>, ctx: Pick<Context, 'actor' | 'client'>, note: AuditRecord): Promise<void> {
  const { type, organization_id, target = null, changes } = note;
  if (organization_id === null) return;
  const { category, severity } = auditEvents[type];
  const actor_id = note.actor_id ?? (ctx.actor.type === 'user' ? ctx.actor.user_id : null);
  const { ip = null, user_agent = null } = ctx.client ?? {};
  await tx
    .insertInto('audit_log')
    .values({
      id: newId(),
      organization_id,
      type,
      category,
      severity,
      actor_id,
      target,
      ip,
      user_agent,
      actor_email: tokenName(ctx.actor) ?? sql<string | null>`(select email from users where id = ${actor_id}::uuid)`,
      changes: changes === undefined ? null : JSON.stringify(changes),
    })
    .execute();
}

/** The name of the API token that is the actor; undefined for any other actor. */
const tokenName = (actor: Context['actor']): string | undefined =>
  actor.type === 'token' ? `${actor.via === 'mcp' ? 'MCP' : 'API'} · ${actor.name}` : undefined;

const entryColumns = [
  'id',
  'type',
  'category',
  'severity',
  'occurred_at',
  'actor_id',
  'actor_email',
  'target',
  'ip',
  'user_agent',
  'changes',
] as const;

/**
 * The organization's matching entries, for `paginate`: `from` is inclusive, `to` exclusive. Filters by organization in addition to
 * row-level security: the table is also readable for the system, and PostgreSQL combines the two policies with `or`, which rules out the
 * organization indexes (a million entries: half a second instead of milliseconds).
 */
export function auditEntries(tx: Tx<IdentityTables>, organization_id: string, filter: AuditFilter) {
  const { category, type, severity, actor_id, from, to } = filter;
  let query = tx.selectFrom('audit_log').select(entryColumns).where('organization_id', '=', organization_id);
  if (category !== undefined) query = query.where('category', '=', category);
  if (type !== undefined) query = query.where('type', '=', type);
  if (severity !== undefined) query = query.where('severity', '=', severity);
  if (actor_id !== undefined) query = query.where('actor_id', '=', actor_id);
  // The ids only narrow the index range; the time decides.
  if (from !== undefined) query = query.where('id', '>=', lowestIdFrom(from)).where('occurred_at', '>=', clampTime(from));
  if (to !== undefined) query = query.where('id', '<=', highestIdBefore(to)).where('occurred_at', '<', clampTime(to));
  return query;
}

export const findLatestSecurityEvents = (tx: Tx<IdentityTables>, organization_id: string, limit: number): Promise<AuditEntry[]> =>
  auditEntries(tx, organization_id, { category: 'security' }).orderBy('id', 'desc').limit(limit).execute();

const isPast = sql<boolean>`occurred_at < now() - make_interval(days => ${sql.lit(retentionDays)})`;

export async function hasExpiredAuditEntriesAcrossOrganizations(tx: Tx<IdentityTables>): Promise<boolean> {
  return (await tx.selectFrom('audit_log').select('id').where(isPast).limit(1).executeTakeFirst()) !== undefined;
}

/** Deletes at most `limit` expired entries and returns their number. */
export async function deleteExpiredAuditEntriesAcrossOrganizations(tx: Tx<IdentityTables>, limit: number): Promise<number> {
  const past = tx.selectFrom('audit_log').select(['organization_id', 'id']).where(isPast).orderBy('occurred_at').limit(limit);
  const { numDeletedRows } = await tx
    .deleteFrom('audit_log')
    .where((row) => row(row.refTuple('organization_id', 'id'), 'in', past.$asTuple('organization_id', 'id')))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
