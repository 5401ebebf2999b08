import {
  CreateRule,
  customFieldName,
  fieldsIn,
  ruleChanged,
  ruleNeedsAttention,
  type Context,
  type CustomField,
  type Rule,
  type TenantContext,
  type Ticket,
} from '@tandem/contracts';
import { emit } from '@tandem/messaging';
import type { TicketsTx } from '../schema';
import { membersIn, type ActiveRule } from './rule';
import { settingsOf } from './rule-cache';
import { bumpRulesVersion, disableRuleRow, findActiveRules, findMemberName, lockRules, tryLockRules, type StoredRule } from './rule.store';

type Named = Pick<Rule, 'id' | 'name' | 'version'>;

/**
 * Turns off a rule that cannot run, in the transaction that found it, and notifies admins once. While another transaction changes the rules, it
 * leaves that to the next cause.
 */
async function disableRule(
  tx: TicketsTx,
  ctx: Context,
  { id, name, version }: Named,
  disabled_reason: NonNullable<Rule['disabled_reason']>,
  ticket: Ticket | null,
): Promise<void> {
  if (ctx.organization_id === null) return;
  if (!(await tryLockRules(tx, ctx.organization_id))) return;
  if (!(await disableRuleRow(tx, { id, version }, disabled_reason))) return;
  await bumpRulesVersion(tx, ctx.organization_id);
  const rule = { id, name };
  const changes = { is_active: { from: true, to: false }, disabled_reason: { from: null, to: disabled_reason } };
  await emit(tx, ctx, ruleChanged, id, { what: 'disabled', rule, changes });
  const at = ticket && { id: ticket.id, ticket_number: ticket.ticket_number };
  await emit(tx, ctx, ruleNeedsAttention, id, { problem: 'disabled', rule, disabled_reason, ticket: at });
}

export const disableInvalidRule = (tx: TicketsTx, ctx: Context, rule: StoredRule, detail: string): Promise<void> =>
  disableRule(tx, ctx, rule, { code: 'invalid', detail }, null);

/** Turns off the rules that read or set a field that is deleted in this transaction, which has the lock of the rules. */
export async function disableRulesWithField(
  tx: TicketsTx,
  ctx: TenantContext,
  { key, label }: Pick<CustomField, 'key' | 'label'>,
): Promise<void> {
  for (const rule of await findActiveRules(tx, ctx.organization_id)) {
    const { data } = CreateRule.safeParse(settingsOf(rule));
    const isUsed =
      data !== undefined &&
      (fieldsIn(data.condition).includes(customFieldName(key)) ||
        data.actions.some((action) => action.type === 'set_field' && action.key === key));
    if (isUsed) await disableRule(tx, ctx, rule, { code: 'invalid', detail: label }, null);
  }
}

/** Turns off the rules that send tickets to a webhook endpoint that does not exist. `host` is empty if it never existed. */
export async function disableRulesWithWebhook(
  tx: TicketsTx,
  ctx: TenantContext,
  { endpoint_id, host }: { endpoint_id: string; host: string },
): Promise<void> {
  await lockRules(tx, ctx.organization_id);
  for (const rule of await findActiveRules(tx, ctx.organization_id)) {
    const { data } = CreateRule.safeParse(settingsOf(rule));
    const isUsed = data?.actions.some((action) => action.type === 'send_to_webhook' && action.endpoint_id === endpoint_id);
    if (isUsed) await disableRule(tx, ctx, rule, { code: 'webhook_deleted', detail: host }, null);
  }
}

/** Turns off the rules that name a member who is not active, and returns them. */
export async function disableRulesOf(
  tx: TicketsTx,
  ctx: Context,
  rules: readonly ActiveRule[],
  { ticket, findActive }: { ticket: Ticket; findActive: (ids: string[]) => Promise<string[]> },
): Promise<ActiveRule[]> {
  const ids = [...new Set(rules.flatMap(membersIn))].sort();
  if (ids.length === 0) return [];
  const active = await findActive(ids);
  const broken = rules.filter((rule) => membersIn(rule).some((id) => !active.includes(id)));
  for (const rule of broken) {
    const member = membersIn(rule).find((id) => !active.includes(id))!;
    await disableRule(tx, ctx, rule, { code: 'member_inactive', detail: await findMemberName(tx, member) }, ticket);
  }
  return broken;
}
