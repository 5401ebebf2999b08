import {
  ruleLimits,
  ticketLimits,
  matches,
  type Changes,
  type CustomFieldValue,
  type CustomFieldValues,
  type Rule,
  type RuleAction,
  type RuleEffect,
  type RuleProblem,
  type RuleTrigger,
} from '@tandem/contracts';
import { changedFields, type RuleSubject } from '@tandem/contracts/values';
import { fieldChanges, mergeWatchers, watcherChanges } from '../ticket/ticket';
import type { StoredTicket } from '../ticket/ticket-fields';

/** The parts of an active rule that its evaluation needs. */
export type ActiveRule = Pick<Rule, 'id' | 'name' | 'triggers' | 'time' | 'condition' | 'actions' | 'stops' | 'runs' | 'version'>;

/** What happened to a ticket. */
export interface RuleCause {
  triggers: readonly RuleTrigger[];
  /** The changed fields of the ticket. */
  changes: Changes;
  /** The new comment; null if the cause is none. */
  comment: string | null;
  /** The customer must get no automatic reply. */
  quiet: boolean;
  in_business_hours: boolean;
  now: string;
}

/** What the caller has found out so far. A plan that needs more has `needsAssignee`. */
export interface KnownFacts {
  /** Rules that must not run: broken ones, and those that have already run on this ticket. */
  excluded: ReadonlySet<string>;
  /** The member whose turn it is; null if there is none, undefined if it is not known yet. */
  nextAssignee?: string | null | undefined;
}

/** What one rule does. */
export interface RuleStep {
  rule: ActiveRule;
  trigger: RuleTrigger;
  /** Including watchers. */
  changes: Changes;
  effects: RuleEffect[];
  problem: RuleProblem | null;
  action_count: number;
}

/** An action that is not a field change. */
export type PlannedEffect = { rule: ActiveRule } & Extract<RuleAction, { type: RuleEffect }>;

export interface RulePlan {
  steps: RuleStep[];
  /** The rules whose condition is met, also if there was nothing to change. */
  matched: ActiveRule[];
  /** The ticket with all field changes. */
  ticket: StoredTicket;
  effects: PlannedEffect[];
  /** An action assigns the ticket to the member whose turn it is, who is not known yet. */
  needsAssignee: boolean;
  /** The rule at which the maximum number of actions was reached. */
  cutOffAt: ActiveRule | null;
}

/**
 * What the rules do after a cause: in their order, each on the result of those before it. Their field changes cause `ticket_updated` rules
 * once, and no rule runs twice, so that rules cannot loop. Changes nothing: the caller applies the plan.
 *
 * @param rules in the order of their positions
 */
export function planRules(rules: readonly ActiveRule[], ticket: StoredTicket, cause: RuleCause, known: KnownFacts): RulePlan {
  const plan: RulePlan = { steps: [], matched: [], ticket, effects: [], needsAssignee: false, cutOffAt: null };
  const isStopped = runInOrder(plan, rules, cause, known);
  const changes = fieldChanges(ticket, plan.ticket);
  if (isStopped || Object.keys(changes).length === 0) return plan;
  runInOrder(plan, rules, { ...cause, triggers: ['ticket_updated'], changes, comment: null }, known);
  return plan;
}

/** Returns whether a rule stopped the evaluation. */
function runInOrder(plan: RulePlan, rules: readonly ActiveRule[], cause: RuleCause, known: KnownFacts): boolean {
  const ran = new Set(plan.matched.map(({ id }) => id));
  for (const rule of rules) {
    const trigger = rule.triggers.find((each) => cause.triggers.includes(each));
    if (trigger === undefined || ran.has(rule.id) || known.excluded.has(rule.id)) continue;
    if (!matches(rule.condition, subjectOf(plan.ticket, cause))) continue;
    plan.matched.push(rule);
    runActions(plan, rule, trigger, cause, known);
    if (rule.stops || plan.cutOffAt) return true;
  }
  return false;
}

function runActions(plan: RulePlan, rule: ActiveRule, trigger: RuleTrigger, cause: RuleCause, known: KnownFacts): void {
  const before = plan.ticket;
  const done = plan.steps.reduce((sum, { action_count }) => sum + action_count, 0);
  const step: RuleStep = { rule, trigger, changes: {}, effects: [], problem: null, action_count: 0 };
  for (const action of rule.actions) {
    const result = resultOf(action, plan.ticket, cause, known);
    if (result === undefined) continue;
    if (result === 'needs_assignee') plan.needsAssignee = true;
    else if (typeof result === 'string') step.problem = result;
    else if (done + step.action_count >= ruleLimits.actionsPerCause) {
      plan.cutOffAt = rule;
      step.problem = 'cut_off';
      break;
    } else {
      step.action_count += 1;
      if ('effect' in result) {
        plan.effects.push({ rule, ...result.effect });
        step.effects.push(result.effect.type);
      } else plan.ticket = { ...plan.ticket, ...result.fields };
    }
  }
  step.changes = { ...fieldChanges(before, plan.ticket), ...watcherChanges(before, plan.ticket) };
  if (step.action_count > 0 || step.problem) plan.steps.push(step);
}

type ActionResult =
  | { fields: Partial<StoredTicket> }
  | { effect: Extract<RuleAction, { type: RuleEffect }> }
  | RuleProblem
  | 'needs_assignee';

/** Undefined if the action has nothing to do. */
function resultOf(action: RuleAction, ticket: StoredTicket, cause: RuleCause, known: KnownFacts): ActionResult | undefined {
  if (action.type === 'send_reply') return cause.quiet ? 'no_automatic_reply' : { effect: action };
  if (action.type === 'add_note' || action.type === 'send_to_webhook') return { effect: action };
  const fields = fieldsOf(action, ticket, known);
  if (typeof fields === 'string') return fields;
  const after = { ...ticket, ...fields };
  const changed = { ...fieldChanges(ticket, after), ...watcherChanges(ticket, after) };
  return Object.keys(changed).length === 0 ? undefined : { fields };
}

type FieldAction = Exclude<RuleAction, { type: RuleEffect }>;

function fieldsOf(action: FieldAction, ticket: StoredTicket, known: KnownFacts): Partial<StoredTicket> | RuleProblem | 'needs_assignee' {
  switch (action.type) {
    case 'set_status':
      return { status: action.status };
    case 'set_priority':
      return { priority: action.priority };
    case 'set_category':
      return { category: action.category };
    case 'set_field':
      return { custom_fields: withValue(ticket.custom_fields, action.key, action.value) };
    case 'add_tags':
      return { tags: [...new Set([...ticket.tags, ...action.tags])].slice(0, ticketLimits.tags) };
    case 'remove_tags':
      return { tags: ticket.tags.filter((tag) => !action.tags.includes(tag)) };
    case 'add_watchers':
      return { watchers: mergeWatchers(ticket.watchers, action.user_ids) };
    case 'remove_watchers':
      return { watchers: ticket.watchers.filter((id) => !action.user_ids.includes(id)) };
    case 'assign':
      return assigneeOf(action.to, ticket, known);
  }
}

function withValue(values: CustomFieldValues, key: string, value: CustomFieldValue | null): CustomFieldValues {
  const { [key]: _, ...others } = values;
  return value === null ? others : { ...others, [key]: value };
}

/** In turn only if the ticket has no assignee: otherwise each run would assign it to another member. */
function assigneeOf(to: string | null, ticket: StoredTicket, { nextAssignee }: KnownFacts) {
  if (to !== 'round_robin') return { assigned_to: to };
  if (ticket.assigned_to !== null) return {};
  if (nextAssignee === undefined) return 'needs_assignee';
  return nextAssignee === null ? 'no_assignee' : { assigned_to: nextAssignee };
}

/** What a rule's condition reads: the ticket with the changes of the rules before it, and the cause. */
export function subjectOf(ticket: StoredTicket, cause: RuleCause): RuleSubject {
  const { changes, comment, in_business_hours, now } = cause;
  return {
    ...ticket,
    now_ms: Date.parse(now),
    text: [ticket.subject, ticket.description, comment].filter((part) => part !== null).join('\n'),
    comment_text: comment,
    in_business_hours,
    changed_fields: changedFields.filter((field) => field in changes),
    previous_status: previous(changes, 'status'),
    previous_priority: previous(changes, 'priority'),
  };
}

const previous = <Field extends 'status' | 'priority'>(changes: Changes, field: Field) =>
  (changes[field]?.from ?? null) as StoredTicket[Field] | null;

/** The members who must be active for the rule to run. */
export const membersIn = (rule: Pick<Rule, 'actions'>): string[] => membersOf(rule, ['assign', 'add_watchers']);

/** All members that a rule names. A former member can still be removed from the watchers. */
export const namedMembers = (rule: Pick<Rule, 'actions'>): string[] => membersOf(rule, ['assign', 'add_watchers', 'remove_watchers']);

const membersOf = ({ actions }: Pick<Rule, 'actions'>, types: readonly RuleAction['type'][]): string[] => [
  ...new Set(
    actions.flatMap((action) => {
      if (!types.includes(action.type)) return [];
      if ('user_ids' in action) return action.user_ids;
      return action.type === 'assign' && action.to !== null && action.to !== 'round_robin' ? [action.to] : [];
    }),
  ),
];
