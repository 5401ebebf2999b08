import type { SlaPolicy, Ticket, TicketPriority } from '@tandem/contracts';
import { lockName } from '@tandem/db';
import { sql } from 'kysely';
import type { TicketsTx } from '../schema';
import { calendarOf, workingTimeBetween, type Calendar, type CalendarSettings } from './calendar';
import type { SlaTimers, Pauses, Policy, SlaFields } from './sla';

type Owned = Pick<Ticket, 'organization_id' | 'id'>;

const timerColumns = [
  'policy_id',
  'policy_name',
  'response_time_hours',
  'resolution_time_hours',
  'paused_ms',
  'response_warned_at',
  'response_breached_at',
  'resolution_warned_at',
  'resolution_breached_at',
  'stopped_at',
  'escalates_at',
  'check_at',
] as const satisfies readonly (keyof SlaTimers)[];
const qualified = <const Columns extends readonly string[]>(columns: Columns) =>
  columns.map((column) => `c.${column}`) as { [I in keyof Columns]: `c.${Columns[I]}` };
const settingColumns = ['o.time_zone', 'o.business_hours', 'o.holidays'] as const;

/** A ticket's timers with the calendar they count by. Undefined without a policy. */
export async function findTimers(
  tx: TicketsTx,
  ticket: Owned,
): Promise<{ timers: SlaTimers; calendar: Calendar | null; time_zone: string } | undefined> {
  const found = await tx
    .selectFrom('sla_clocks as c')
    .innerJoin('organizations as o', 'o.organization_id', 'c.organization_id')
    .select(qualified(timerColumns))
    .select(settingColumns)
    // In addition to row-level security: the system policy also allows reads of this table, and with two policies no index is used.
    .where('c.organization_id', '=', ticket.organization_id)
    .where('c.ticket_id', '=', ticket.id)
    .executeTakeFirst();
  if (!found) return undefined;
  const { time_zone, business_hours, holidays, ...timers } = found;
  return { timers, calendar: calendarOf({ time_zone, business_hours, holidays }), time_zone };
}

/** The active policy of a priority, with the settings of the calendar that its timers count by. */
export type ActivePolicy = Policy & CalendarSettings;
export const findActivePolicy = (tx: TicketsTx, organization_id: string, priority: TicketPriority): Promise<ActivePolicy | undefined> =>
  tx
    .selectFrom('sla_policies as p')
    .innerJoin('organizations as o', 'o.organization_id', 'p.organization_id')
    .select(['p.id', 'p.name', 'p.response_time_hours', 'p.resolution_time_hours', 'p.escalation_enabled', 'p.escalation_time_hours'])
    .select(settingColumns)
    .where('p.organization_id', '=', organization_id)
    .where('p.priority_level', '=', priority)
    .where('p.is_active', '=', true)
    .executeTakeFirst();

/** When a ticket's status changed, and to what. */
interface StatusStep {
  created_at: string;
  status: string;
}

/**
 * Reconstructs from the timeline how long a ticket without timers has waited for its customer, so that its new timers exclude that time.
 * `now` is the time of the change that sets them; the caller applies that change itself.
 */
export async function findPauses(tx: TicketsTx, ticket: Owned, calendar: Calendar | null, now: string): Promise<Pauses> {
  const steps = await tx
    .selectFrom('activities')
    .select(['created_at', sql<string>`changes -> 'status' ->> 'to'`.as('status')])
    .where('organization_id', '=', ticket.organization_id)
    .where('ticket_id', '=', ticket.id)
    .where('created_at', '<', now)
    .where(sql<boolean>`changes ? 'status'`)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return pausesOf(steps, calendar);
}

function pausesOf(steps: readonly StatusStep[], calendar: Calendar | null): Pauses {
  const pauses: Pauses = { paused_ms: 0, paused_since: null };
  for (const { status, created_at } of steps) {
    if (pauses.paused_since !== null) {
      pauses.paused_ms += workingTimeBetween(calendar, Date.parse(pauses.paused_since), Date.parse(created_at));
    }
    pauses.paused_since = status === 'waiting_for_customer' ? created_at : null;
  }
  return pauses;
}

/** The calendar and the pauses of a ticket without timers, in one statement. */
export async function findWorkingTime(tx: TicketsTx, ticket: Owned, now: string): Promise<{ calendar: Calendar | null; pauses: Pauses }> {
  const { rows } = await sql<CalendarSettings & { steps: StatusStep[] }>`
    select o.time_zone, o.business_hours, o.holidays, (
      select coalesce(json_agg(json_build_object('created_at', a.created_at, 'status', a.changes -> 'status' ->> 'to') order by a.created_at, a.id), '[]')
      from activities a
      where a.organization_id = ${ticket.organization_id} and a.ticket_id = ${ticket.id} and a.created_at < ${now} and a.changes ? 'status'
    ) as steps
    from organizations o where o.organization_id = ${ticket.organization_id}`.execute(tx);
  const { steps = [], ...settings } = rows[0] ?? {};
  const calendar = 'time_zone' in settings ? calendarOf(settings) : null;
  return { calendar, pauses: pausesOf(steps, calendar) };
}

export async function findCalendar(tx: TicketsTx): Promise<Calendar | null> {
  return calendarOf(await tx.selectFrom('organizations as o').select(settingColumns).executeTakeFirstOrThrow());
}

/** The caller must have locked the ticket. */
export async function saveTimers(tx: TicketsTx, ticket: Owned, timers: SlaTimers): Promise<void> {
  await tx
    .insertInto('sla_clocks')
    .values({ organization_id: ticket.organization_id, ticket_id: ticket.id, ...timers })
    .onConflict((conflict) => conflict.columns(['organization_id', 'ticket_id']).doUpdateSet(timers))
    .execute();
}

export async function deleteTimers(tx: TicketsTx, ticket: Owned): Promise<void> {
  await tx.deleteFrom('sla_clocks').where('organization_id', '=', ticket.organization_id).where('ticket_id', '=', ticket.id).execute();
}

/** Inserts the timers of a ticket created in this transaction, in one statement. Keeps version 1, since no client has read it yet. */
export async function insertTimers(tx: TicketsTx, ticket: Owned, fields: SlaFields, timers: SlaTimers): Promise<void> {
  await tx
    .with('set_due', (qb) => qb.updateTable('tickets').set(fields).where('id', '=', ticket.id))
    .insertInto('sla_clocks')
    .values({ organization_id: ticket.organization_id, ticket_id: ticket.id, ...timers })
    .execute();
}

/** Timers with a due event, earliest first, at most `limit`. The next sweep handles the rest. */
export const findDueTimersAcrossOrganizations = (tx: TicketsTx, limit: number) =>
  tx
    .selectFrom('sla_clocks')
    .select(['organization_id', 'ticket_id'])
    .where('check_at', '<=', sql<string>`now()`)
    .orderBy('check_at')
    .limit(limit)
    .execute();

const policyColumns = [
  'id',
  'organization_id',
  'name',
  'priority_level',
  'response_time_hours',
  'resolution_time_hours',
  'escalation_enabled',
  'escalation_time_hours',
  'is_active',
  'created_at',
] as const satisfies readonly (keyof SlaPolicy)[];

const rank = sql`array_position(array['urgent', 'high', 'medium', 'low'], priority_level)`;
export const findPolicies = (tx: TicketsTx): Promise<SlaPolicy[]> =>
  tx
    .selectFrom('sla_policies')
    .select(policyColumns)
    .orderBy(rank)
    .orderBy('is_active', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .execute();

export const findPolicyForUpdate = (tx: TicketsTx, id: string): Promise<SlaPolicy | undefined> =>
  tx.selectFrom('sla_policies').select(policyColumns).where('id', '=', id).forUpdate().executeTakeFirst();

/** Serializes policy changes in an organization, so that the limit and one active policy per priority hold. */
export async function lockPolicies(tx: TicketsTx, organization_id: string): Promise<void> {
  await lockName(tx, `sla_policies ${organization_id}`);
}

export async function countPolicies(tx: TicketsTx): Promise<number> {
  const { count } = await tx
    .selectFrom('sla_policies')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Deactivates the active policy of a priority, unless its id is `except`. Returns the deactivated policy. */
export const deactivatePolicy = (tx: TicketsTx, priority_level: TicketPriority, except: string): Promise<SlaPolicy | undefined> =>
  tx
    .updateTable('sla_policies')
    .set({ is_active: false })
    .where('priority_level', '=', priority_level)
    .where('is_active', '=', true)
    .where('id', '!=', except)
    .returning(policyColumns)
    .executeTakeFirst();

export async function insertPolicy(tx: TicketsTx, policy: SlaPolicy): Promise<void> {
  await tx.insertInto('sla_policies').values(policy).execute();
}

export const updatePolicy = (tx: TicketsTx, id: string, changes: Partial<SlaPolicy>): Promise<SlaPolicy> =>
  tx.updateTable('sla_policies').set(changes).where('id', '=', id).returning(policyColumns).executeTakeFirstOrThrow();

export const deletePolicy = (tx: TicketsTx, id: string): Promise<SlaPolicy | undefined> =>
  tx.deleteFrom('sla_policies').where('id', '=', id).returning(policyColumns).executeTakeFirst();
