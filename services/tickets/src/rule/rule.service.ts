import { isDeepStrictEqual } from 'node:util';
import { Controller } from '@nestjs/common';
import {
  AppError,
  createRule,
  CreateRule,
  deleteRule,
  listRuleRuns,
  listRules,
  orderRules,
  ruleChanged,
  ruleLimits,
  testRule,
  updateRule,
  type Changes,
  type Context,
  type InputOf,
  type Page,
  type Rule,
  type RuleRun,
  type RuleTest,
  type TenantContext,
  type UpdateRule,
} from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit, Handles, storeResponse } from '@tandem/messaging';
import { userIdOf } from '../caller';
import { checkFieldsOfActions, checkFieldsOfCondition } from '../custom-field/ticket-values';
import type { TicketsSchema, TicketsTx } from '../schema';
import { notAMember } from '../ticket/ticket.service';
import { membersIn, namedMembers } from './rule';
import { settingsOf } from './rule-cache';
import { testOn } from './rule-test';
import { startScan } from './rule-scan.store';
import {
  bumpRulesVersion,
  deleteRuleRow,
  findRuleForUpdate,
  findMembers,
  findRules,
  findRuns,
  hasRule,
  insertRule,
  lockRules,
  measureRules,
  savePositions,
  saveRule,
  type StoredRule,
} from './rule.store';

/** The rules of an organization. `rule-engine.ts` runs them. */
@Controller()
export class RuleService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Handles(listRules)
  list(ctx: TenantContext): Promise<Rule[]> {
    return this.db.forTenant(ctx, (tx) => findRules(tx, ctx.organization_id));
  }

  @Handles(createRule)
  create(ctx: TenantContext, { body }: InputOf<typeof createRule>): Promise<Rule> {
    return this.db.forTenant(ctx, async (tx) => {
      await lockRules(tx, ctx.organization_id);
      const { count, characters } = await measureRules(tx);
      if (count >= ruleLimits.rules) throw new AppError('rule.too_many');
      assertLength(characters + lengthOf(body));
      await checkMembers(tx, body);
      await checkFields(tx, body);
      const rule = { ...body, id: newId(), position: count + 1, version: 1, disabled_reason: null, ...changedBy(ctx) };
      await insertRule(tx, ctx.organization_id, rule);
      await finishChange(tx, ctx, 'created', rule, {});
      return storeResponse(tx, await getRule(tx, ctx, rule.id));
    });
  }

  @Handles(updateRule)
  update(ctx: TenantContext, { params, body }: InputOf<typeof updateRule>): Promise<Rule> {
    return this.db.forTenant(ctx, async (tx) => {
      await lockRules(tx, ctx.organization_id);
      const before = await getRuleForUpdate(tx, params.id);
      if (isTurnOff(body)) return turnOff(tx, ctx, before);
      const settings = parsedSettings({ ...settingsOf(before), ...body });
      const changes = changesBetween(settingsOf(before), settings);
      if (Object.keys(changes).length === 0) return getRule(tx, ctx, before.id);
      await checkMembers(tx, settings);
      await checkFields(tx, settings);
      const more = lengthOf(settings) - lengthOf(before);
      if (more > 0) assertLength((await measureRules(tx)).characters + more);
      const { id, position, version } = before;
      await saveRule(tx, {
        ...settings,
        id,
        position,
        version: version + 1,
        disabled_reason: settings.is_active ? null : before.disabled_reason,
        ...changedBy(ctx),
      });
      await finishChange(tx, ctx, 'updated', { ...settings, id }, changes);
      return getRule(tx, ctx, id);
    });
  }

  @Handles(deleteRule)
  remove(ctx: TenantContext, { params }: InputOf<typeof deleteRule>): Promise<Record<string, never>> {
    return this.db.forTenant(ctx, async (tx) => {
      await lockRules(tx, ctx.organization_id);
      const rule = await getRuleForUpdate(tx, params.id);
      await deleteRuleRow(tx, rule);
      await finishChange(tx, ctx, 'deleted', { ...rule, is_active: false, time: null }, {});
      return {};
    });
  }

  @Handles(orderRules)
  order(ctx: TenantContext, { body }: InputOf<typeof orderRules>): Promise<Rule[]> {
    return this.db.forTenant(ctx, async (tx) => {
      await lockRules(tx, ctx.organization_id);
      const rules = await findRules(tx, ctx.organization_id);
      const isComplete = new Set(body.ids).size === rules.length && rules.every(({ id }) => body.ids.includes(id));
      if (!isComplete || body.ids.length !== rules.length) throw new AppError('rule.order_incomplete');
      const moved = rules.find(({ id }, index) => body.ids[index] !== id);
      if (!moved) return rules;
      await savePositions(tx, ctx.organization_id, body.ids);
      await bumpRulesVersion(tx, ctx.organization_id);
      const names = (ids: string[]) => ids.map((each) => rules.find(({ id }) => id === each)!.name);
      const changes = { order: { from: rules.map(({ name }) => name), to: names(body.ids) } };
      await emit(tx, ctx, ruleChanged, moved.id, { what: 'reordered', rule: { id: moved.id, name: moved.name }, changes });
      return findRules(tx, ctx.organization_id);
    });
  }

  @Handles(testRule)
  test(ctx: TenantContext, { body }: InputOf<typeof testRule>): Promise<RuleTest> {
    return this.db.forTenant(ctx, async (tx) => {
      await checkMembers(tx, body.rule);
      return testOn(tx, ctx.organization_id, body.rule);
    });
  }

  @Handles(listRuleRuns)
  runs(ctx: TenantContext, { params, query }: InputOf<typeof listRuleRuns>): Promise<Page<RuleRun>> {
    return this.db.forTenant(ctx, async (tx) => {
      if (!(await hasRule(tx, params.id))) throw new AppError('rule.not_found');
      return findRuns(tx, params.id, query);
    });
  }
}

async function getRule(tx: TicketsTx, ctx: TenantContext, id: string): Promise<Rule> {
  const [rule] = await findRules(tx, ctx.organization_id, id);
  if (!rule) throw new AppError('rule.not_found');
  return rule;
}

async function getRuleForUpdate(tx: TicketsTx, id: string): Promise<StoredRule> {
  const rule = await findRuleForUpdate(tx, id);
  if (!rule) throw new AppError('rule.not_found');
  return rule;
}

const isTurnOff = (body: UpdateRule): boolean => body.is_active === false && Object.keys(body).length === 1;

/** Keeps the other settings as they are stored: a rule whose parts this release cannot read can be turned off, too. */
async function turnOff(tx: TicketsTx, ctx: TenantContext, before: StoredRule): Promise<Rule> {
  if (before.is_active) {
    const rule = { ...before, version: before.version + 1, is_active: false, ...changedBy(ctx) };
    await saveRule(tx, rule);
    await finishChange(tx, ctx, 'updated', rule, { is_active: { from: true, to: false } });
  }
  return getRule(tx, ctx, before.id);
}

const changedBy = (ctx: Context) => ({ updated_by: userIdOf(ctx), updated_at: new Date().toISOString() });

/** The changed settings together must be valid too: the time belongs to the trigger. */
function parsedSettings(settings: unknown): CreateRule {
  const { data, error } = CreateRule.safeParse(settings);
  if (data) return data;
  const fields = error.issues.map(({ path, message }) => ({ path: path.join('.'), code: 'invalid', message }));
  throw new AppError('request.invalid', { fields });
}

/**
 * Members that an active rule assigns or adds must be active. All others must be members of the organization, so that a rule never names a
 * user of another one.
 */
async function checkMembers(tx: TicketsTx, { actions, is_active }: Pick<Rule, 'actions' | 'is_active'>): Promise<void> {
  const named = namedMembers({ actions });
  if (named.length === 0) return;
  const members = await findMembers(tx, named);
  const needed = new Set(is_active ? membersIn({ actions }) : []);
  const refused = named.find((id) => !members.some((member) => member.user_id === id && (member.is_active || !needed.has(id))));
  if (refused === undefined) return;
  throw notAMember(`actions.${actions.findIndex((action) => namedMembers({ actions: [action] }).includes(refused))}`);
}

/** An inactive rule may name fields that were deleted, so that admins can still change it. */
async function checkFields(
  tx: TicketsTx,
  { condition, actions, is_active }: Pick<Rule, 'condition' | 'actions' | 'is_active'>,
): Promise<void> {
  if (!is_active) return;
  await checkFieldsOfCondition(tx, condition, 'condition');
  await checkFieldsOfActions(tx, actions);
}

const lengthOf = ({ name, condition, actions }: { name: string; condition: unknown; actions: unknown }): number =>
  name.length + JSON.stringify(condition).length + JSON.stringify(actions).length;

function assertLength(characters: number): void {
  if (characters <= ruleLimits.characters) return;
  throw new AppError('rule.too_many', { detail: 'The rules are too long in total. Shorten or remove one first.' });
}

type Settings = ReturnType<typeof settingsOf>;
/** PostgreSQL stores the members of an object in an order of its own, so it does not count. */
const changesBetween = (before: Settings, after: Settings): Changes =>
  Object.fromEntries(
    (Object.keys(before) as (keyof Settings)[])
      .filter((field) => !isDeepStrictEqual(before[field], after[field]))
      .map((field) => [field, { from: before[field], to: after[field] }]),
  );

/** Makes a change effective: for all processes, for existing tickets of a time rule, and in the audit log. */
async function finishChange(
  tx: TicketsTx,
  ctx: TenantContext,
  what: 'created' | 'updated' | 'deleted',
  { id, name, is_active, time }: Pick<Rule, 'id' | 'name' | 'is_active' | 'time'>,
  changes: Changes,
): Promise<void> {
  await bumpRulesVersion(tx, ctx.organization_id);
  if (is_active && time !== null) await startScan(tx, ctx.organization_id);
  await emit(tx, ctx, ruleChanged, id, { what, rule: { id, name }, changes });
}
