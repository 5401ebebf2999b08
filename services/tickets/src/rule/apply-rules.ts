import { ruleNeedsAttention, ticketCommentAdded, ticketRuleRan, type Comment, type Context, type Ticket } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { insertComment } from '../comment/comment.store';
import type { TicketsTx } from '../schema';
import { saveWithTimers } from '../sla/sla-timers';
import { recordRuleActivities } from '../timeline/activity.store';
import { clientChanges, computeChange, isSameList, monotonicNow } from '../ticket/ticket';
import { emitUpdate } from '../ticket/ticket-events';
import type { PlannedEffect, RuleCause, RulePlan, RuleStep } from './rule';
import { fillRuleText, findRuleOrganization } from './rule-organization';
import { insertRuns, saveActs, wasCutOff } from './rule.store';

type WebhookEffect = Extract<PlannedEffect, { type: 'send_to_webhook' }>;

/**
 * Carries out a plan: all field changes and comments in one version of the ticket with one `ticket.updated`, a timeline entry per rule, the
 * runs, and the events for webhook endpoints. A reply by a rule is no response by staff: it neither stops the timer of the first response nor counts as a public reply.
 */
export async function applyPlan(
  tx: TicketsTx,
  ctx: Context,
  before: Ticket,
  plan: RulePlan,
  cause: Pick<RuleCause, 'changes'>,
): Promise<Ticket> {
  const now = monotonicNow(before.updated_at);
  const comments = await writeComments(tx, before, plan.effects, now);
  const { watchers } = plan.ticket;
  const change = {
    ...computeChange(before, clientChanges(before, plan.ticket), now),
    ...(comments.length > 0 && { new_comments: comments.length, last_comment_at: now }),
    ...(!isSameList(watchers, before.watchers) && { watchers }),
  };
  const isChanged = Object.keys(change).length > 0;
  if (isChanged && plan.ticket.assigned_to !== before.assigned_to) await lockLoads(tx, before, plan, cause);
  const ticket = isChanged ? await saveWithTimers(tx, ctx, before, change, now) : before;
  const status_from = ticket.status === before.status ? undefined : before.status;
  for (const [i, comment] of comments.entries())
    await emit(tx, ctx, ticketCommentAdded, ticket.id, { comment, ticket, status_from: i === 0 ? status_from : undefined });
  await recordRuleActivities(tx, ticket, plan.steps.map(withWebhooks), now);
  await emitUpdate(tx, ctx, before, { ticket, with_reply: comments.some(({ is_internal }) => !is_internal) });
  await recordRuns(tx, ctx, ticket, plan, now);
  for (const effect of plan.effects) if (effect.type === 'send_to_webhook') await sendToWebhook(tx, ctx, ticket, effect);
  return ticket;
}

/** The timeline names what a rule has changed, and comments name the rule themselves. */
const withWebhooks = ({ rule, changes, effects }: RuleStep) => ({
  rule,
  changes: effects.includes('send_to_webhook') ? { ...changes, sent_to_webhook: { from: null, to: true } } : changes,
});

/** Notifications stores and sends the delivery: a request cannot be part of the transaction. */
function sendToWebhook(tx: TicketsTx, ctx: Context, ticket: Ticket, { endpoint_id, rule: { id, name } }: WebhookEffect): Promise<void> {
  return emit(tx, ctx, ticketRuleRan, ticket.id, { endpoint_id, rule: { id, name }, ticket });
}

async function writeComments(tx: TicketsTx, ticket: Ticket, planned: readonly PlannedEffect[], now: string): Promise<Comment[]> {
  const effects = planned.filter((effect) => effect.type !== 'send_to_webhook');
  if (effects.length === 0) return [];
  const organization = await findRuleOrganization(tx, ticket.organization_id);
  const comments: Comment[] = [];
  for (const effect of effects) {
    const isReply = effect.type === 'send_reply';
    const text = isReply && ticket.language !== null ? (effect.translations[ticket.language] ?? effect.content) : effect.content;
    const { id, name } = effect.rule;
    const row = {
      organization_id: ticket.organization_id,
      id: newId(),
      ticket_id: ticket.id,
      content: fillRuleText(text, ticket, organization),
      is_internal: !isReply,
      is_from_customer: false,
      user_id: null,
      customer_email: null,
      tool_author: null,
      imported_author: null,
      token: null,
      rule: { id, name },
      mentions: [],
      has_original: false,
      email_proof: null,
      merged_from_id: null,
      created_at: now,
    };
    comments.push(await insertComment(tx, row));
  }
  return comments;
}

async function recordRuns(tx: TicketsTx, ctx: Context, ticket: Ticket, { steps, cutOffAt }: RulePlan, now: string): Promise<void> {
  const isNewProblem = cutOffAt !== null && !(await wasCutOff(tx, ticket.organization_id, cutOffAt.id, now));
  await insertRuns(tx, ticket, steps, now);
  const once = steps.map(({ rule }) => rule).filter(({ runs, time }) => runs === 'once_per_ticket' && time === null);
  await saveActs(
    tx,
    ticket,
    once.map(({ id: rule_id }) => ({ rule_id, acted_for: now })),
  );
  if (!isNewProblem) return;
  const at = { id: ticket.id, ticket_number: ticket.ticket_number };
  const rule = { id: cutOffAt.id, name: cutOffAt.name };
  await emit(tx, ctx, ruleNeedsAttention, rule.id, { problem: 'cut_off', rule, disabled_reason: null, ticket: at });
}

/**
 * The transaction may have assigned the ticket before the rules did, and then updates the loads of up to three members at its commit. Locking
 * them in the order of their IDs prevents a deadlock with another transaction that does the same.
 */
async function lockLoads(tx: TicketsTx, before: Ticket, { ticket }: RulePlan, { changes }: Pick<RuleCause, 'changes'>): Promise<void> {
  const user_ids = [changes['assigned_to']?.from ?? null, before.assigned_to, ticket.assigned_to].filter((id) => typeof id === 'string');
  await tx
    .selectFrom('member_loads')
    .select('user_id')
    .where('organization_id', '=', before.organization_id)
    .where('user_id', 'in', user_ids)
    .orderBy('user_id')
    .forUpdate()
    .execute();
}
