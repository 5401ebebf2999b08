import { AppError, defaultPriority, type Assignee, type Ticket, type TicketMoment } from '@tandem/contracts';
import { executePrepared, fixedQuery, newId } from '@tandem/db';
import { sql, type QueryCreator } from 'kysely';
import type { ActivityRow, TicketsSchema, TicketsTx } from '../schema';
import { scheduleTimeRules } from '../rule/rule-timers';
import { rememberRulesVersion } from '../rule/rules-version';
import type { ActivePolicy } from '../sla/sla.store';
import { insertedFields, ticketFields, type NewTicket, type NewTicketKey, type StoredTicket, type TicketChange } from './ticket-fields';

/** The fields, qualified with the table alias `t`. */
export const qualified = <const Fields extends readonly string[]>(fields: Fields) =>
  fields.map((field) => `t.${field}`) as { [I in keyof Fields]: `t.${Fields[I]}` };

/** The contract's assignee, from the left-joined member `m`. */
export const assignee = sql<Assignee | null>`case when m.user_id is not null then json_build_object(
  'user_id', m.user_id, 'first_name', m.first_name, 'last_name', m.last_name, 'email', m.email) end`.as('assignee');

/**
 * Numbers and stores a ticket in one statement, so that the counter is locked as briefly as possible and no number is lost: the increment
 * and the ticket commit or roll back together. Undefined if the organization is not known here yet. The same statement writes the first
 * timeline entry and reads the default priority, the SLA policy and the version of the rules, since another statement would hold the counter for one more round trip.
 */
export async function insertTicket(
  tx: TicketsTx,
  ticket: NewTicket & NewTicketKey,
  by: Creator,
): Promise<{ ticket: Ticket; policy: ActivePolicy | null } | undefined> {
  const values = insertedFields.map(({ field, missing }) => ticket[field] ?? missing);
  const statement = insertStatement(tx, ticket.organization_id, ticket.created_at, newId(), by.actor_type, by.user_id, by.token, ...values);
  const { rows } = await executePrepared(tx, statement).catch(rejectTakenId);
  if (!rows[0]) return undefined;
  const { policy, rules_version, ...created } = rows[0];
  rememberRulesVersion(tx, ticket.organization_id, rules_version);
  return { ticket: created, policy };
}

type Creator = Pick<ActivityRow, 'actor_type' | 'user_id' | 'token'>;
type InsertArguments = [
  organization_id: string,
  created_at: string,
  activity_id: string,
  actor_type: Creator['actor_type'],
  user_id: Creator['user_id'],
  token: Creator['token'],
  ...values: unknown[],
];
const insertStatement = fixedQuery((_: TicketsTx, ...args: InsertArguments) => {
  const [organization_id, created_at, activity_id, actor_type, user_id, token, ...values] = args;
  const given = insertedFields.map(({ field, type }, i) => {
    const value = sql`${values[i]}::${sql.raw(type)}`;
    return { field, value: field === 'priority' ? sql`coalesce(${value}, o.default_priority, ${defaultPriority})` : value };
  });
  const number = sql`prefix || '-' || lpad(last_number::text, greatest(4, length(last_number::text)), '0')`;
  return sql<Ticket & { policy: ActivePolicy | null; rules_version: number }>`
    with numbered as (
      update ticket_counters set last_number = last_number + 1 where organization_id = ${organization_id} returning prefix, last_number
    ), created as (
    insert into tickets (ticket_number, updated_at, ${sql.join(given.map(({ field }) => sql.ref(field)))})
    select ${number}, ${created_at}::timestamptz, ${sql.join(given.map(({ value }) => value))}
    from numbered left join organizations o on o.organization_id = ${organization_id}
    returning ${sql.join(ticketFields.map((field) => sql.ref(field)))}
    ), noted as (
      insert into activities (organization_id, id, ticket_id, kind, actor_type, user_id, token, changes, created_at)
      select organization_id, ${activity_id}::uuid, id, 'created', ${actor_type}, ${user_id}::uuid, ${token}::jsonb, '{}', created_at from created
    ), opened as (
      insert into open_periods (organization_id, ticket_id, opened_at) select organization_id, id, created_at from created
    )
    select created.*, null as assignee, case when p.id is not null then json_build_object(
      'id', p.id, 'name', p.name, 'response_time_hours', p.response_time_hours, 'resolution_time_hours', p.resolution_time_hours,
      'escalation_enabled', p.escalation_enabled, 'escalation_time_hours', p.escalation_time_hours,
      'time_zone', o.time_zone, 'business_hours', o.business_hours, 'holidays', o.holidays) end as policy,
      coalesce(o.rules_version, 0) as rules_version
    from created
    left join sla_policies p on p.organization_id = created.organization_id and p.priority_level = created.priority and p.is_active
    left join organizations o on o.organization_id = created.organization_id`;
});

/** Records that the customer must get no automatic reply. */
export async function insertQuietTicket(tx: TicketsTx, { organization_id, id }: SavedTicket): Promise<void> {
  await tx.insertInto('quiet_tickets').values({ organization_id, ticket_id: id }).execute();
}

/** Tickets `t` with their assignee's row `m`. */
export const withAssignee = (tx: TicketsTx) =>
  tx
    .selectFrom('tickets as t')
    .leftJoin('members as m', (join) => join.onRef('m.organization_id', '=', 't.organization_id').onRef('m.user_id', '=', 't.assigned_to'));

const ticketById = fixedQuery((tx: TicketsTx, id: string) =>
  withAssignee(tx).select(qualified(ticketFields)).select(assignee).where('t.id', '=', id),
);
export async function findTicketById(tx: TicketsTx, id: string): Promise<Ticket | undefined> {
  return (await tx.executeQuery(ticketById(tx, id))).rows[0];
}

export async function hasTicket(tx: TicketsTx, id: string): Promise<boolean> {
  return (await tx.selectFrom('tickets').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;
}

/** Read with the ticket, so that rules cost no further statement where there are none. */
const rulesVersion =
  sql<number>`coalesce((select rules_version from organizations o where o.organization_id = tickets.organization_id), 0)`.as(
    'rules_version',
  );
const ticketForUpdate = fixedQuery((tx: TicketsTx, id: string) =>
  tx.selectFrom('tickets').select(ticketFields).select(rulesVersion).where('id', '=', id).forUpdate(),
);
/** Locks the ticket until the transaction ends. Reads no assignee: after waiting for a lock, the joined row could be outdated. */
export async function findTicketForUpdate(tx: TicketsTx, id: string): Promise<StoredTicket | undefined> {
  const row = (await executePrepared(tx, ticketForUpdate(tx, id))).rows[0];
  return row && withoutRulesVersion(tx, row);
}

function withoutRulesVersion(tx: TicketsTx, { rules_version, ...ticket }: StoredTicket & { rules_version: number }): StoredTicket {
  rememberRulesVersion(tx, ticket.organization_id, rules_version);
  return ticket;
}

/** Locks several tickets, always in id order, so that concurrent calls cannot deadlock. */
export async function findTicketsForUpdate(tx: TicketsTx, ids: string[]): Promise<StoredTicket[]> {
  const rows = await tx
    .selectFrom('tickets')
    .select(ticketFields)
    .select(rulesVersion)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map((row) => withoutRulesVersion(tx, row));
}

/** The ticket in which the conversation of a merged ticket continues. Follows the chain, since the target may have been merged too. */
export async function findMergedInto(tx: TicketsTx, merged_into_id: string) {
  const { rows } = await sql<Pick<Ticket, 'id' | 'ticket_number' | 'customer_email'>>`
    with recursive led as (
      select id, ticket_number, customer_email, merged_into_id from tickets where id = ${merged_into_id}
      union all
      select t.id, t.ticket_number, t.customer_email, t.merged_into_id from led join tickets t on t.id = led.merged_into_id
    )
    select id, ticket_number, customer_email from led where merged_into_id is null`.execute(tx);
  return rows[0];
}

/** The active members among these users. */
export async function findActiveMembers(tx: TicketsTx, user_ids: string[]): Promise<string[]> {
  const members = await tx.selectFrom('members').select('user_id').where('user_id', 'in', user_ids).where('is_active', '=', true).execute();
  return members.map(({ user_id }) => user_id);
}

/** Like `findActiveMembers`, with share locks in the order of the ids, see `isActiveMember`. */
export async function findActiveMembersForShare(tx: TicketsTx, user_ids: string[]): Promise<string[]> {
  const members = await tx
    .selectFrom('members')
    .select('user_id')
    .where('user_id', 'in', user_ids)
    .where('is_active', '=', true)
    .orderBy('user_id')
    .forShare()
    .execute();
  return members.map(({ user_id }) => user_id);
}

/** Records, with the statement that saves the ticket, that work on it ended or began again. */
function withMoment(tx: TicketsTx, { organization_id, id }: SavedTicket, kind: TicketMoment['kind'], now: string) {
  if (kind === 'reopened') {
    const period = { organization_id, ticket_id: id, opened_at: now, is_reopened: true };
    return tx.with('period', (qb) => qb.insertInto('open_periods').values(period));
  }
  return tx.with('period', (qb) =>
    qb.updateTable('open_periods').set({ resolved_at: now }).where('ticket_id', '=', id).where('resolved_at', '=', 'infinity'),
  );
}

type SavedTicket = Pick<Ticket, 'organization_id' | 'id'>;

/** Whether only these fields change: the text of the statement is then one of three, by `moment`. */
const changesStatusOnly = (fields: object): boolean => Object.keys(fields).every((field) => field === 'status' || field === 'resolved_at');

/**
 * Writes only the given fields of a locked ticket, increments its version, and lets its time rules be checked. `moment` records that work on it
 * ended or began again.
 */
export async function saveTicket(
  tx: TicketsTx,
  saved: SavedTicket,
  { new_comments = 0, new_public_replies = 0, ...fields }: TicketChange,
  now: string,
  moment?: TicketMoment['kind'],
): Promise<Ticket> {
  const query: QueryCreator<TicketsSchema> = moment ? withMoment(tx, saved, moment, now) : tx;
  const statement = query
    .with('t', (qb) =>
      qb
        .updateTable('tickets')
        .set((eb) => ({
          ...fields,
          comment_count: eb('comment_count', '+', new_comments),
          public_reply_count: eb('public_reply_count', '+', new_public_replies),
          reopen_count: eb('reopen_count', '+', moment === 'reopened' ? 1 : 0),
          version: eb('version', '+', 1),
          changed_in: sql<number>`pg_current_xact_id()::text::bigint`,
          updated_at: now,
        }))
        .where('id', '=', saved.id)
        .returning(ticketFields),
    )
    .selectFrom('t')
    .leftJoin('members as m', (join) => join.onRef('m.organization_id', '=', 't.organization_id').onRef('m.user_id', '=', 't.assigned_to'))
    .select(qualified(ticketFields))
    .select(assignee)
    .compile();
  // Parsing and planning this statement takes longer than running it.
  const saving = changesStatusOnly(fields) ? executePrepared(tx, statement) : tx.executeQuery(statement);
  const { rows } = await saving.catch(rejectTakenId);
  if (!rows[0]) throw new Error(`The ticket ${saved.id} was deleted while it was locked`);
  await scheduleTimeRules(tx, rows[0]);
  return rows[0];
}

function rejectTakenId(error: unknown): never {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  if (code === '23505' && constraint === 'tickets_external_id') throw new AppError('ticket.external_id_taken', { cause: error });
  throw error;
}

/** Takes a share lock. A later deactivation waits and then unassigns this ticket too; this call waits for an earlier one and sees its result. */
export async function isActiveMember(tx: TicketsTx, user_id: string): Promise<boolean> {
  const member = await tx
    .selectFrom('members')
    .select('user_id')
    .where('user_id', '=', user_id)
    .where('is_active', '=', true)
    .forShare()
    .executeTakeFirst();
  return member !== undefined;
}

/** A customer's tickets, newest first, for the lookup email. */
export function findTicketsOfCustomer(tx: TicketsTx, customer_email: string, ticket_number: string | undefined, limit: number) {
  return tx
    .selectFrom('tickets')
    .select(['id', 'ticket_number', 'subject', 'status'])
    .where('customer_email', '=', customer_email)
    .where('anonymized_at', 'is', null)
    .$if(ticket_number !== undefined, (qb) => qb.where('ticket_number', '=', ticket_number!))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
