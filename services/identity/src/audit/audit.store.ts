import { auditEvents, type AuditType, type Context } from '@tandem/contracts';
import { newId, type Tx } from '@tandem/db';
import { sql } from 'kysely';
import type { Changes, IdentityTables } from '../schema';

export interface AuditNote {
  type: AuditType;
  /** Whose log; a person without an organization has none, and nothing is written. */
  organization_id: string | null;
  /** Who did it, where the context does not say so: a sign-in has no signed-in caller yet. */
  actor_id?: string | null;
  /** Whom or what it was about, in words. */
  target?: string | null;
  /** What changed, and nothing else; never a secret. */
  changes?: Changes;
}

/**
 * Writes a line of the log in the transaction of what it tells about: what is rolled back was not done. Works in `forTenant` of the
 * organization and in `asSystem`.
 */
export async function recordAudit(tx: Tx<IdentityTables>, ctx: Pick<Context, 'actor' | 'client'>, note: AuditNote): Promise<void> {
  const { type, organization_id, target = null, changes } = note;
  if (organization_id === null) return;
  const { category, severity } = auditEvents[type];
  const actor_id = note.actor_id ?? (ctx.actor.type === 'user' ? ctx.actor.user_id : null);
  const { ip = null, user_agent = null } = ctx.client ?? {};
  await tx
    .insertInto('audit_log')
    .values({
      ...{ id: newId(), organization_id, type, category, severity, actor_id, target, ip, user_agent },
      actor_email: sql<string | null>`(select email from users where id = ${actor_id}::uuid)`,
      changes: changes === undefined ? null : JSON.stringify(changes),
    })
    .execute();
}
