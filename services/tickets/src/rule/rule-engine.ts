import { ruleLimits, ruleNeedsAttention, systemContext, type Context, type Ticket } from '@tandem/contracts';
import { emit } from '@tandem/messaging';
import { findNextAssignee, lockChoice } from '../assignment/assignment.store';
import type { TicketsTx } from '../schema';
import { findActiveMembersForShare } from '../ticket/ticket.store';
import { recordActivity } from '../timeline/activity.store';
import { applyPlan } from './apply-rules';
import { membersIn, planRules, type ActiveRule, type RuleCause, type RulePlan } from './rule';
import { loadRules } from './rule-cache';
import { disableInvalidRule, disableRulesOf } from './rule-disable';
import { findRuleOrganization, isBusinessTime } from './rule-organization';
import { readsBusinessHours } from './rule-time';
import { rulesVersionIn } from './rules-version';
import { findGuards, insertPause, type Guards } from './rule.store';

/** What caused the rules to run; the ticket is as the cause left it. */
export type EngineCause = Pick<RuleCause, 'triggers' | 'changes'> & {
  comment?: string | null;
  quiet?: boolean;
  /** The ticket was created in this transaction, so that no rule has run on it. */
  isNew?: boolean;
};

/**
 * Runs the rules after a change, in its transaction. Returns the ticket with their changes. The system's own changes (imports, demo data, a
 * deactivated member's tickets) cause no rules, and merged tickets have none.
 */
export async function runRules(tx: TicketsTx, ctx: Context, ticket: Ticket, cause: EngineCause): Promise<Ticket> {
  if (cause.triggers.length === 0 || ctx.actor.type === 'system' || ticket.merged_into_id !== null) return ticket;
  const version = await rulesVersionIn(tx, ticket.organization_id);
  if (version === 0) return ticket;
  const { rules, invalid } = await loadRules(tx, ticket.organization_id, version);
  const system = systemContext(ticket.organization_id, ctx.request_id);
  for (const { rule, detail } of invalid) await disableInvalidRule(tx, system, rule, detail);
  const isCaused = rules.some(({ triggers }) => triggers.some((trigger) => cause.triggers.includes(trigger)));
  if (!isCaused) return ticket;
  const full = await completeCause(tx, ticket, rules, cause);
  const { plan, isPaused } = await planWithFacts(tx, system, ticket, rules, full, cause.isNew ?? false);
  if (isPaused || plan.steps.length === 0) return ticket;
  return applyPlan(tx, system, ticket, plan, full);
}

/** Reads the organization's calendar only if a rule needs it. */
export async function completeCause(
  tx: TicketsTx,
  ticket: Ticket,
  rules: readonly ActiveRule[],
  { triggers, changes, comment = null, quiet = false }: EngineCause,
  now = ticket.updated_at,
): Promise<RuleCause> {
  const in_business_hours = rules.some(readsBusinessHours) && isBusinessTime(await findRuleOrganization(tx, ticket.organization_id), now);
  return { triggers, changes, comment, quiet, in_business_hours, now };
}

/**
 * Plans until everything that the plan depends on is known: who is next in turn, which members are active, and which rules have run already.
 * Each round excludes a rule or learns a fact, so it ends. Nothing is written for a rule that cannot run, except that it is turned off.
 */
export async function planWithFacts(
  tx: TicketsTx,
  ctx: Context,
  ticket: Ticket,
  rules: readonly ActiveRule[],
  cause: RuleCause,
  isNew: boolean,
): Promise<{ plan: RulePlan; isPaused: boolean }> {
  const excluded = new Set<string>();
  const checked = new Set<string>();
  let nextAssignee: string | null | undefined;
  let guards: Guards | undefined = isNew ? { is_paused: false, is_quiet: false, recent: 0, acted: [] } : undefined;
  let { quiet } = cause;
  for (;;) {
    const plan = planRules(rules, ticket, { ...cause, quiet }, { excluded, nextAssignee });
    if (plan.matched.length === 0) return { plan, isPaused: false };
    guards ??= await findGuards(tx, ticket, oncePerTicket(rules), cause.now);
    if (guards.is_paused) return { plan, isPaused: true };
    if (guards.is_quiet && !quiet) {
      quiet = true;
      continue;
    }
    const { acted } = guards;
    const repeated = plan.matched.filter(({ id }) => acted.includes(id));
    const broken = await disableRulesOf(
      tx,
      ctx,
      plan.matched.filter((rule) => membersIn(rule).some((id) => !checked.has(id))),
      {
        ticket,
        findActive: (ids) => findActiveMembersForShare(tx, ids),
      },
    );
    for (const id of plan.matched.flatMap(membersIn)) checked.add(id);
    for (const { id } of [...repeated, ...broken]) excluded.add(id);
    if (repeated.length > 0 || broken.length > 0) continue;
    if (plan.needsAssignee) {
      await lockChoice(tx, ticket.organization_id);
      nextAssignee = (await findNextAssignee(tx)) ?? null;
      continue;
    }
    const actions = plan.steps.reduce((sum, { action_count }) => sum + action_count, 0);
    if (guards.recent + actions <= ruleLimits.actionsPerHour) return { plan, isPaused: false };
    await pauseTicket(tx, ctx, ticket, plan.steps[0]!.rule, cause.now);
    return { plan, isPaused: true };
  }
}

/** Time rules are checked before: each of their moments counts separately. */
const oncePerTicket = (rules: readonly ActiveRule[]): string[] =>
  rules.filter(({ runs, time }) => runs === 'once_per_ticket' && time === null).map(({ id }) => id);

/** The timeline shows the pause. Admins are notified of one pause an hour, since a loop can concern many tickets. */
async function pauseTicket(tx: TicketsTx, ctx: Context, ticket: Ticket, { id, name }: ActiveRule, now: string): Promise<void> {
  const { paused_until, isFirst } = await insertPause(tx, ticket, now);
  recordActivity(tx, ctx, ticket, 'rules_paused', { rules_paused_until: { from: null, to: paused_until } }, now);
  if (!isFirst) return;
  const at = { id: ticket.id, ticket_number: ticket.ticket_number };
  await emit(tx, ctx, ruleNeedsAttention, ticket.id, { problem: 'ticket_paused', rule: { id, name }, disabled_reason: null, ticket: at });
}
