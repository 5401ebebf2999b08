import type { ActingRule, Activity, Context, Page, PageQuery } from '@tandem/contracts';
import { fixedQuery, newId, paginate, withNext } from '@tandem/db';
import { sql } from 'kysely';
import { actingToken, userIdOf } from '../caller';
import type { ActivityRow, TicketsTx } from '../schema';

/** The actor columns of a timeline entry. */
export const actorColumns = (ctx: Context): Pick<ActivityRow, 'actor_type' | 'user_id' | 'token'> => ({
  actor_type: ctx.actor.type,
  user_id: userIdOf(ctx),
  token: actingToken(ctx),
});

const insertStatement = fixedQuery(
  (
    tx: TicketsTx,
    organization_id: string,
    ticket_id: string,
    id: string,
    kind: Activity['kind'],
    actor_type: ActivityRow['actor_type'],
    user_id: ActivityRow['user_id'],
    token: ActivityRow['token'],
    changes: string,
    created_at: string,
  ) =>
    tx
      .insertInto('activities')
      .values({ organization_id, ticket_id, id, kind, actor_type, user_id, token, rule: null, changes, created_at }),
);

/** Adds a timeline entry for an action of the context's actor, in the transaction of that action, with its next statement. */
export function recordActivity(
  tx: TicketsTx,
  ctx: Context,
  ticket: { organization_id: string; id: string },
  kind: Activity['kind'],
  changes: Activity['changes'],
  now: string,
): void {
  const { actor_type, user_id, token } = actorColumns(ctx);
  const text = JSON.stringify(changes);
  withNext(tx, insertStatement(tx, ticket.organization_id, ticket.id, newId(), kind, actor_type, user_id, token, text, now));
}

/** Adds a timeline entry for each rule that changed fields. Watchers do not appear in the timeline. */
export async function recordRuleActivities(
  tx: TicketsTx,
  ticket: { organization_id: string; id: string },
  steps: readonly { rule: ActingRule; changes: Activity['changes'] }[],
  now: string,
): Promise<void> {
  const rows = steps.flatMap(({ rule: { id, name }, changes: { watchers: _, ...changes } }) =>
    Object.keys(changes).length === 0
      ? []
      : {
          organization_id: ticket.organization_id,
          id: newId(),
          ticket_id: ticket.id,
          kind: 'changed' as const,
          actor_type: 'system' as const,
          user_id: null,
          token: null,
          rule: { id, name },
          changes: JSON.stringify(changes),
          created_at: now,
        },
  );
  if (rows.length > 0) await tx.insertInto('activities').values(rows).execute();
}

const author = sql<Activity['author']>`case when m.user_id is not null then json_build_object(
  'first_name', m.first_name, 'last_name', m.last_name) end`.as('author');

/** Latest first. */
export const findActivities = (tx: TicketsTx, ticket_id: string, page: PageQuery): Promise<Page<Activity>> =>
  paginate(
    tx,
    tx
      .selectFrom('activities as a')
      .leftJoin('members as m', (join) => join.onRef('m.organization_id', '=', 'a.organization_id').onRef('m.user_id', '=', 'a.user_id'))
      .select(['a.id', 'a.ticket_id', 'a.kind', 'a.actor_type', 'a.user_id', 'a.token', 'a.rule', 'a.changes', 'a.created_at', author])
      .where('a.ticket_id', '=', ticket_id),
    { ...page, orderBy: ['a.created_at', 'a.id'] },
  );
