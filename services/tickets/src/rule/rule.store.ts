import { Rule, ruleLimits, type Page, type PageQuery, type RuleRun, type Ticket } from '@tandem/contracts';
import { lockName, newId, paginate, tryLockName } from '@tandem/db';
import { sql, type Selectable } from 'kysely';
import type { RuleRow, TicketsTx } from '../schema';
import type { RuleStep } from './rule';
import type { RuleActs, RuleMoments } from './rule-time';
import { rememberRulesVersion } from './rules-version';

/** A rule as stored; its condition and actions may come from a release with other fields. */
export type StoredRule = Omit<Selectable<RuleRow>, 'organization_id'>;
/** As the API writes times. */
export const isoTime = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

type Owned = Pick<Ticket, 'organization_id' | 'id'>;

const columns = [
  'id',
  'name',
  'position',
  'triggers',
  'time',
  'condition',
  'actions',
  'stops',
  'runs',
  'is_active',
  'disabled_reason',
  'version',
  'updated_by',
  'updated_at',
] as const satisfies readonly (keyof RuleRow)[];

export const findActiveRules = (tx: TicketsTx, organization_id: string): Promise<StoredRule[]> =>
  tx
    .selectFrom('rules')
    .select(columns)
    .where('organization_id', '=', organization_id)
    .where('is_active', '=', true)
    .orderBy('position')
    .execute();

/** All rules in their order, or the one with the given id, with the figures of their runs. */
export async function findRules(tx: TicketsTx, organization_id: string, id: string | null = null): Promise<Rule[]> {
  const { rows } = await sql<Rule>`
    select ${sql.join(columns.map((column) => sql.ref(`r.${column}`)))}, runs_of_rule.run_count, runs_of_rule.last_run_at, failed.last_error
    from rules r
    left join lateral (
      select count(*)::int as run_count, max(created_at) as last_run_at from (
        select created_at from rule_runs where organization_id = r.organization_id and rule_id = r.id
        and created_at > now() - make_interval(days => ${ruleLimits.runDays}) order by created_at desc limit ${ruleLimits.countedRuns}) newest
    ) runs_of_rule on true
    left join lateral (
      select json_build_object('code', problem, 'ticket_id', ticket_id, 'at', ${isoTime('created_at')}) as last_error
      from rule_runs where organization_id = r.organization_id and rule_id = r.id and problem is not null
        and problem <> 'no_automatic_reply' order by created_at desc limit 1
    ) failed on true
    where r.organization_id = ${organization_id} and (${id}::uuid is null or r.id = ${id}) order by r.position`.execute(tx);
  return rows.map(withReadableParts);
}

/**
 * A later release may have stored parts that this one cannot read. Admins must still be able to list, correct and delete such a rule, which is
 * turned off when it would run.
 */
function withReadableParts(rule: Rule): Rule {
  const { triggers, time, condition, actions } = Rule.shape;
  return {
    ...rule,
    triggers: triggers.safeParse(rule.triggers).data ?? ['ticket_created'],
    time: time.safeParse(rule.time).data ?? null,
    condition: condition.safeParse(rule.condition).data ?? { any: [] },
    actions: actions.safeParse(rule.actions).data ?? [],
  };
}

export const hasRule = async (tx: TicketsTx, id: string): Promise<boolean> =>
  (await tx.selectFrom('rules').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

export const findRuleForUpdate = (tx: TicketsTx, id: string): Promise<StoredRule | undefined> =>
  tx.selectFrom('rules').select(columns).where('id', '=', id).forUpdate().executeTakeFirst();

const rulesLock = (organization_id: string) => `rules ${organization_id}`;
/** Serializes changes to the rules of an organization until the transaction ends. */
export const lockRules = (tx: TicketsTx, organization_id: string): Promise<void> => lockName(tx, rulesLock(organization_id));
/** False if another transaction has the lock. For a transaction that has other locks, with which waiting could be a deadlock. */
export const tryLockRules = (tx: TicketsTx, organization_id: string): Promise<boolean> => tryLockName(tx, rulesLock(organization_id));

/** The number of rules, and the length of all their settings as JSON. */
export async function measureRules(tx: TicketsTx): Promise<{ count: number; characters: number }> {
  return tx
    .selectFrom('rules')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .select(
      sql<number>`coalesce(sum(char_length(name) + char_length(condition::text) + char_length(actions::text)), 0)::int`.as('characters'),
    )
    .executeTakeFirstOrThrow();
}

const asJson = ({ time, condition, actions, disabled_reason }: Pick<StoredRule, 'time' | 'condition' | 'actions' | 'disabled_reason'>) => ({
  time: time && JSON.stringify(time),
  condition: JSON.stringify(condition),
  actions: JSON.stringify(actions),
  disabled_reason: disabled_reason && JSON.stringify(disabled_reason),
});

export async function insertRule(tx: TicketsTx, organization_id: string, rule: StoredRule): Promise<void> {
  await tx
    .insertInto('rules')
    .values({ ...rule, organization_id, ...asJson(rule) })
    .execute();
}

export async function saveRule(tx: TicketsTx, { id, ...rule }: StoredRule): Promise<void> {
  await tx
    .updateTable('rules')
    .set({ ...rule, ...asJson(rule) })
    .where('id', '=', id)
    .execute();
}

/** Deletes a rule and closes the gap in the order. */
export async function deleteRuleRow(tx: TicketsTx, { id, position }: Pick<Rule, 'id' | 'position'>): Promise<void> {
  await tx.deleteFrom('rules').where('id', '=', id).execute();
  await tx
    .updateTable('rules')
    .set((eb) => ({ position: eb('position', '-', 1) }))
    .where('position', '>', position)
    .execute();
}

export async function savePositions(tx: TicketsTx, organization_id: string, ids: string[]): Promise<void> {
  await sql`
    update rules set position = wanted.position from unnest(${ids}::uuid[]) with ordinality as wanted (id, position)
    where rules.organization_id = ${organization_id} and rules.id = wanted.id`.execute(tx);
}

/** Switches an active rule off; false if it was changed in the meantime. */
export async function disableRuleRow(
  tx: TicketsTx,
  { id, version }: Pick<Rule, 'id' | 'version'>,
  reason: NonNullable<Rule['disabled_reason']>,
): Promise<boolean> {
  const disabled = await tx
    .updateTable('rules')
    .set({ is_active: false, disabled_reason: JSON.stringify(reason), version: version + 1, updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('is_active', '=', true)
    .returning('id')
    .executeTakeFirst();
  return disabled !== undefined;
}

/** Makes all processes read the rules again. The number of the transaction never occurs twice. The caller has locked the rules. */
export async function bumpRulesVersion(tx: TicketsTx, organization_id: string): Promise<void> {
  const { rows } = await sql<{ rules_version: number }>`
    update organizations set rules_version =
      case when exists (select from rules where organization_id = ${organization_id} and is_active) then pg_current_xact_id()::text::bigint else 0 end
    where organization_id = ${organization_id} returning rules_version`.execute(tx);
  // The transaction must not cache its own uncommitted rules under the version before.
  rememberRulesVersion(tx, organization_id, rows[0]?.rules_version ?? 0);
}

export interface Guards {
  is_paused: boolean;
  /** The ticket's customer must get no automatic reply. */
  is_quiet: boolean;
  recent: number;
  acted: string[];
}

/** Whether rules are paused for a ticket, how many actions they took within an hour, and on which of `rule_ids` they have run. */
export async function findGuards(tx: TicketsTx, { organization_id, id }: Owned, rule_ids: string[], now: string) {
  const { rows } = await sql<Guards>`
    select
      exists (select from rule_pauses where organization_id = ${organization_id} and ticket_id = ${id} and paused_until > ${now}) as is_paused,
      exists (select from quiet_tickets where organization_id = ${organization_id} and ticket_id = ${id}) as is_quiet,
      (select coalesce(sum(action_count), 0)::int from rule_runs where organization_id = ${organization_id} and ticket_id = ${id}
        and created_at > ${now}::timestamptz - interval '1 hour') as recent,
      array(select rule_id::text from rule_acts where organization_id = ${organization_id} and ticket_id = ${id}
        and rule_id = any(${rule_ids}::uuid[])) as acted`.execute(tx);
  return rows[0]!;
}

/** Pauses the rules for a ticket. `isFirst`: it is the first pause in the organization within an hour. */
export async function insertPause(tx: TicketsTx, { organization_id, id }: Owned, now: string) {
  const paused_until = new Date(Date.parse(now) + ruleLimits.pauseHours * 3_600_000).toISOString();
  await lockName(tx, `rule-pauses ${organization_id}`);
  const recent = await tx
    .selectFrom('rule_pauses')
    .select('ticket_id')
    .where('organization_id', '=', organization_id)
    .where('created_at', '>', new Date(Date.parse(now) - 3_600_000).toISOString())
    .limit(1)
    .executeTakeFirst();
  await tx
    .insertInto('rule_pauses')
    .values({ organization_id, ticket_id: id, paused_until, created_at: now })
    .onConflict((conflict) => conflict.columns(['organization_id', 'ticket_id']).doUpdateSet({ paused_until, created_at: now }))
    .execute();
  return { paused_until, isFirst: recent === undefined };
}

export async function insertRuns(tx: TicketsTx, ticket: Owned, steps: readonly RuleStep[], now: string): Promise<void> {
  const rows = steps.map(({ rule, trigger, changes, effects, problem, action_count }) => ({
    organization_id: ticket.organization_id,
    id: newId(),
    rule_id: rule.id,
    rule_version: rule.version,
    ticket_id: ticket.id,
    trigger,
    changes: JSON.stringify(changes),
    effects,
    problem,
    action_count,
    created_at: now,
  }));
  await tx.insertInto('rule_runs').values(rows).execute();
}

/** Whether a rule was cut off within the last day, so that admins know it. Concurrent calls wait for each other, so that one warns. */
export async function wasCutOff(tx: TicketsTx, organization_id: string, rule_id: string, now: string): Promise<boolean> {
  await lockName(tx, `rule-cut-off ${rule_id}`);
  const run = await tx
    .selectFrom('rule_runs')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('rule_id', '=', rule_id)
    .where('problem', 'is not', null)
    .where('problem', '=', 'cut_off')
    .where('created_at', '>', new Date(Date.parse(now) - 24 * 3_600_000).toISOString())
    .limit(1)
    .executeTakeFirst();
  return run !== undefined;
}

/** Records for which moment rules have run on a ticket. */
export async function saveActs(tx: TicketsTx, ticket: Owned, acts: { rule_id: string; acted_for: string }[]): Promise<void> {
  if (acts.length === 0) return;
  await tx
    .insertInto('rule_acts')
    .values(acts.map((act) => ({ organization_id: ticket.organization_id, ticket_id: ticket.id, ...act })))
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'ticket_id', 'rule_id']).doUpdateSet((eb) => ({ acted_for: eb.ref('excluded.acted_for') })),
    )
    .execute();
}

export const findMembers = (tx: TicketsTx, user_ids: string[]): Promise<{ user_id: string; is_active: boolean }[]> =>
  tx.selectFrom('members').select(['user_id', 'is_active']).where('user_id', 'in', user_ids).execute();

export async function findMemberName(tx: TicketsTx, user_id: string): Promise<string> {
  const member = await tx
    .selectFrom('members')
    .select(['first_name', 'last_name', 'email'])
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  return member ? [member.first_name, member.last_name].filter(Boolean).join(' ') || member.email : 'Unknown member';
}

/** The moments from which the time rules of some tickets count, and for which they have run, by ticket. */
export async function findTimes(
  tx: TicketsTx,
  organization_id: string,
  ticket_ids: string[],
): Promise<Map<string, { moments: RuleMoments; acts: RuleActs }>> {
  const { rows } = await sql<RuleMoments & { id: string; acts: Record<string, string> }>`
    select t.id, t.created_at as created,
      greatest(t.created_at,
        (select max(created_at) from activities a where a.organization_id = t.organization_id and a.ticket_id = t.id and rule is null
          and kind in ('changed', 'merged')),
        (select max(created_at) from comments c where c.organization_id = t.organization_id and c.ticket_id = t.id and rule is null)) as updated,
      greatest(t.created_at, (select max(created_at) from activities a where a.organization_id = t.organization_id and a.ticket_id = t.id
        and changes ? 'status')) as status_changed,
      greatest(t.created_at, (select max(created_at) from comments c where c.organization_id = t.organization_id and c.ticket_id = t.id
        and not is_internal and is_from_customer)) as customer_replied,
      (select max(created_at) from comments c where c.organization_id = t.organization_id and c.ticket_id = t.id
        and not is_internal and not is_from_customer and rule is null) as staff_replied,
      (select coalesce(json_object_agg(rule_id, ${isoTime('acted_for')}), '{}') from rule_acts x
        where x.organization_id = t.organization_id and x.ticket_id = t.id) as acts
    from tickets t where t.organization_id = ${organization_id} and t.id = any(${ticket_ids}::uuid[])`.execute(tx);
  return new Map(rows.map(({ id, acts, ...moments }) => [id, { moments, acts: new Map(Object.entries(acts)) }]));
}

/** The runs of a rule within the retention time, the newest first. */
export const findRuns = (tx: TicketsTx, rule_id: string, page: PageQuery): Promise<Page<RuleRun>> =>
  paginate(
    tx,
    tx
      .selectFrom('rule_runs as r')
      .innerJoin('tickets as t', (join) => join.onRef('t.organization_id', '=', 'r.organization_id').onRef('t.id', '=', 'r.ticket_id'))
      .select(['r.id', 'r.rule_id', 'r.rule_version', 'r.trigger', 'r.changes', 'r.effects', 'r.problem', 'r.created_at'])
      .select(sql<RuleRun['ticket']>`json_build_object('id', t.id, 'ticket_number', t.ticket_number, 'subject', t.subject)`.as('ticket'))
      .where('r.rule_id', '=', rule_id),
    { ...page, orderBy: ['r.created_at', 'r.id'] },
  );

const isExpired = sql<boolean>`created_at < now() - make_interval(days => ${sql.lit(ruleLimits.runDays)})`;

export const hasExpiredRunsAcrossOrganizations = async (tx: TicketsTx): Promise<boolean> =>
  (await tx.selectFrom('rule_runs').select('id').where(isExpired).limit(1).executeTakeFirst()) !== undefined;

/** Deletes at most `limit` expired runs and returns how many. */
export async function deleteExpiredRunsAcrossOrganizations(tx: TicketsTx, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from rule_runs where ctid = any(array(select ctid from rule_runs where ${isExpired} order by created_at limit ${limit}))`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0);
}
