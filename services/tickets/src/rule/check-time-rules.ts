import type { TenantContext } from '@tandem/contracts';
import type { TicketsTx } from '../schema';
import { findTicketById, findTicketForUpdate } from '../ticket/ticket.store';
import { applyPlan } from './apply-rules';
import { loadRules } from './rule-cache';
import { disableInvalidRule } from './rule-disable';
import { completeCause, planWithFacts } from './rule-engine';
import { dueRules, isTimeRule, nextCheck, recheckMs, afterChangeMs } from './rule-time';
import { saveTimer, subjectAt } from './rule-timers';
import { rulesVersionIn } from './rules-version';
import { findTimes, saveActs } from './rule.store';

/** Runs the due time rules of a ticket, and sets the time of its next check. */
export async function checkTimeRules(tx: TicketsTx, ctx: TenantContext, ticket_id: string, now: string): Promise<void> {
  const locked = await findTicketForUpdate(tx, ticket_id);
  if (!locked) return;
  const { rules, invalid } = await loadRules(tx, locked.organization_id, await rulesVersionIn(tx, locked.organization_id));
  for (const { rule, detail } of invalid) await disableInvalidRule(tx, ctx, rule, detail);
  const timed = rules.filter(isTimeRule);
  if (timed.length === 0 || locked.merged_into_id !== null || locked.anonymized_at !== null) return saveTimer(tx, locked, null);
  const ticket = (await findTicketById(tx, ticket_id))!;
  const { moments, acts } = (await findTimes(tx, locked.organization_id, [ticket_id])).get(ticket_id)!;
  const due = dueRules(timed, moments, acts, Date.parse(now));
  // The other time rules are not due; all others run if these change the ticket.
  const candidates = rules.filter((rule) => !isTimeRule(rule) || due.includes(rule));
  const cause = await completeCause(tx, ticket, rules, { triggers: ['time_passed'], changes: {} }, now);
  const { plan, isPaused } = await planWithFacts(tx, ctx, ticket, candidates, cause, false);
  if (isPaused) return saveTimer(tx, ticket, Date.parse(now) + recheckMs);
  if (plan.steps.length > 0) await applyPlan(tx, ctx, ticket, plan, cause);
  const matched = plan.matched.filter(isTimeRule);
  const stop = matched.find(({ stops }) => stops);
  // The due rules after one that stops are skipped for their moment, not postponed to the next check.
  const skipped = stop ? due.slice(due.indexOf(stop) + 1) : [];
  await saveActs(
    tx,
    ticket,
    [...matched, ...skipped].map(({ id: rule_id, time }) => ({ rule_id, acted_for: moments[time.since]! })),
  );
  if (matched.length > 0) return saveTimer(tx, ticket, Date.parse(now) + afterChangeMs);
  return saveTimer(tx, ticket, nextCheck(timed, subjectAt(ticket, now, cause.in_business_hours), { moments, acts }));
}
