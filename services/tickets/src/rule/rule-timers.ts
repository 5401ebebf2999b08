import type { Ticket } from '@tandem/contracts';
import { sql } from 'kysely';
import type { TicketsTx } from '../schema';
import type { StoredTicket } from '../ticket/ticket-fields';
import { subjectOf, type ActiveRule } from './rule';
import { loadRules } from './rule-cache';
import { rulesVersionIn } from './rules-version';
import { afterChangeMs, couldMatch, isTimeRule } from './rule-time';

type Owned = Pick<Ticket, 'organization_id' | 'id'>;

/** The subject of a time rule: nothing has changed, only time has passed. */
export const subjectAt = (ticket: StoredTicket, now: string, in_business_hours = false) =>
  subjectOf(ticket, { triggers: ['time_passed'], changes: {}, comment: null, quiet: false, in_business_hours, now });

/** Whether a time rule could run on the ticket as it is now. */
export const needsTimer = (rules: readonly ActiveRule[], ticket: StoredTicket, now: string): boolean =>
  rules.some((rule) => isTimeRule(rule) && couldMatch(rule.condition, subjectAt(ticket, now)));

/** After a change to a ticket: lets the time rules be checked soon. One check follows several changes within a minute. */
export async function scheduleTimeRules(tx: TicketsTx, ticket: StoredTicket): Promise<void> {
  const rules_version = await rulesVersionIn(tx, ticket.organization_id);
  if (rules_version === 0) return;
  const { rules } = await loadRules(tx, ticket.organization_id, rules_version);
  if (needsTimer(rules, ticket, ticket.updated_at)) await moveTimers(tx, ticket.organization_id, [ticket.id], Date.now() + afterChangeMs);
}

/** Checks the tickets at this time, or earlier if that was planned. */
export async function moveTimers(tx: TicketsTx, organization_id: string, ticket_ids: string[], at: number): Promise<void> {
  await sql`
    insert into rule_timers as r (organization_id, ticket_id, check_at)
    select ${organization_id}, id, ${new Date(at).toISOString()} from unnest(${ticket_ids}::uuid[]) as ids (id)
    on conflict (organization_id, ticket_id) do update set check_at = least(r.check_at, excluded.check_at)`.execute(tx);
}

/** Sets the next check of a ticket; null: none until it changes. */
export async function saveTimer(tx: TicketsTx, { organization_id, id }: Owned, at: number | null): Promise<void> {
  if (at === null) {
    await tx.deleteFrom('rule_timers').where('organization_id', '=', organization_id).where('ticket_id', '=', id).execute();
    return;
  }
  const check_at = new Date(at).toISOString();
  await tx
    .insertInto('rule_timers')
    .values({ organization_id, ticket_id: id, check_at })
    .onConflict((conflict) => conflict.columns(['organization_id', 'ticket_id']).doUpdateSet({ check_at }))
    .execute();
}
