import type { ExportLine } from '@tandem/contracts';
import { currentOrganizationId } from '@tandem/db';
import { sql, type SqlBool } from 'kysely';
import type { TicketsTx } from '../schema';

// The orders do not depend on ids, except among equal rows: an export of an imported export has the same order.

const bytewise = (column: string) => sql<string>`${sql.ref(column)} collate "C"`;

export type TeammateRow = Awaited<ReturnType<typeof findTeammates>>[number];

export const findTeammates = (tx: TicketsTx, after: { email: string; user_id: string } | undefined, limit: number) =>
  tx
    .selectFrom('members')
    .select(['user_id', 'email', 'first_name', 'last_name', 'role', 'is_active'])
    .$if(after !== undefined, (query) =>
      query.where(sql<SqlBool>`(email collate "C", user_id) > (${after!.email}, ${after!.user_id}::uuid)`),
    )
    .orderBy(bytewise('email'))
    .orderBy('user_id')
    .limit(limit)
    .execute();

export const findPolicies = (tx: TicketsTx) =>
  tx
    .selectFrom('sla_policies')
    .select([
      'id',
      'name',
      'priority_level',
      'response_time_hours',
      'resolution_time_hours',
      'escalation_enabled',
      'escalation_time_hours',
      'is_active',
    ])
    .orderBy('priority_level')
    .orderBy('is_active', 'desc')
    .orderBy(bytewise('name'))
    .orderBy('response_time_hours')
    .orderBy('resolution_time_hours')
    .orderBy('id')
    .execute();

export const findCannedReplies = (tx: TicketsTx) =>
  tx
    .selectFrom('macros as r')
    .leftJoin('members as m', (join) => join.onRef('m.organization_id', '=', 'r.organization_id').onRef('m.user_id', '=', 'r.owner_id'))
    .select(['r.id', 'r.name', 'r.content', 'r.translations', 'r.is_internal', 'r.changes', 'r.is_shared', 'r.owner_id'])
    .orderBy(bytewise('r.name'))
    .orderBy('r.is_shared')
    .orderBy(bytewise('m.email'))
    .orderBy(sql`md5(r.content)`)
    .orderBy('r.id')
    .execute();

export const findViewsOfAll = (tx: TicketsTx) =>
  tx
    .selectFrom('views as v')
    .leftJoin('members as m', (join) => join.onRef('m.organization_id', '=', 'v.organization_id').onRef('m.user_id', '=', 'v.owner_id'))
    .select(['v.id', 'v.name', 'v.filter', 'v.is_shared', 'v.owner_id'])
    .orderBy(bytewise('v.name'))
    .orderBy('v.is_shared')
    .orderBy(bytewise('m.email'))
    .orderBy('v.created_at')
    .orderBy('v.id')
    .execute();

export const findRulesInOrder = (tx: TicketsTx) =>
  tx
    .selectFrom('rules')
    .select(['id', 'name', 'position', 'triggers', 'time', 'condition', 'actions', 'stops', 'runs', 'is_active', 'disabled_reason'])
    .orderBy('position')
    .orderBy('id')
    .execute();

export const findCategories = (tx: TicketsTx) =>
  tx
    .selectFrom('article_categories')
    .select(['id', 'name', 'description', 'position', 'number'])
    .orderBy('position')
    .orderBy('number')
    .execute();

/** Without the password. */
export const findMailboxes = (tx: TicketsTx): Promise<ExportLine<'mailboxes.jsonl'>[]> =>
  tx
    .selectFrom('mailboxes')
    .select(['host', 'port', 'username', 'folder', 'is_active'])
    .where('organization_id', '=', currentOrganizationId)
    .execute();
