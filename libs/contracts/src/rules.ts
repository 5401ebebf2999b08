import * as z from 'zod';
import { commentText } from './comments';
import { RuleCondition, RuleFieldCondition } from './conditions';
import { event, job, operation } from './define';
import { PageQuery } from './pagination';
import { Id, requiredText, Timestamp } from './scalars';
import { Changes, CustomerLanguage, CustomFieldValue, Tags, Ticket, TicketPriority, TicketStatus } from './tickets';
import { customFieldLimits } from './values/custom-fields';
import { unknownVariables } from './values/macros';
import { ruleDisabledReasons, ruleEffects, ruleLimits, ruleMoments, ruleProblems, ruleRuns, ruleTriggers } from './values/rules';
import { ticketLimits } from './values/tickets';

const owner = 'tickets';

// ---- shapes ---------------------------------------------------------------------------------------------------

export const RuleTrigger = z.enum(ruleTriggers);
export type RuleTrigger = z.infer<typeof RuleTrigger>;

/** `time_passed` causes a rule when `hours` have passed since this moment of the ticket; the moment must have happened. */
export const RuleTime = z.strictObject({
  since: z.enum(ruleMoments),
  hours: z
    .number('Enter whole hours')
    .int('Enter whole hours')
    .min(1, 'At least 1 hour')
    .max(ruleLimits.hours, `At most ${ruleLimits.hours} hours`),
});
export type RuleTime = z.infer<typeof RuleTime>;

const content = commentText.refine(
  (value) => unknownVariables(value).length === 0,
  'Contains an unknown variable; the list next to the text shows all of them',
);
const memberIds = z.array(Id).min(1, 'Choose at least one member').max(20, 'At most 20 members');
const tags = Tags.min(1, 'Enter at least one tag');
const action = <const T extends string, Shape extends z.ZodRawShape>(type: T, shape: Shape) =>
  z.strictObject({ type: z.literal(type), ...shape });

/** One step of a rule. Texts can contain the variables of canned replies. */
export const RuleAction = z.discriminatedUnion('type', [
  action('set_status', { status: TicketStatus }),
  action('set_priority', { priority: TicketPriority }),
  /** `round_robin`: the active member with the fewest open tickets, as in automatic assignment. Null unassigns the ticket. */
  action('assign', { to: z.union([z.literal('round_robin'), Id]).nullable() }),
  action('set_category', { category: requiredText(ticketLimits.category, 'Enter a category').nullable() }),
  /** Null removes the value. */
  action('set_field', { key: z.string().max(customFieldLimits.key), value: CustomFieldValue.nullable() }),
  action('add_tags', { tags }),
  action('remove_tags', { tags }),
  action('add_watchers', { user_ids: memberIds }),
  action('remove_watchers', { user_ids: memberIds }),
  action('add_note', { content }),
  /** `translations`: the text for tickets in other languages. */
  action('send_reply', { content, translations: z.partialRecord(CustomerLanguage, content).default({}) }),
  /** Sends the ticket, as it is after all rules, to this webhook endpoint, even if it does not subscribe to the event. */
  action('send_to_webhook', { endpoint_id: Id }),
]);
export type RuleAction = z.infer<typeof RuleAction>;

/** The settings of a rule that admins write. */
const settings = {
  name: requiredText(ruleLimits.name, 'Give the rule a name'),
  /** Any of them causes the rule. */
  triggers: z
    .array(RuleTrigger)
    .min(1, 'Choose when the rule runs')
    .refine((triggers) => new Set(triggers).size === triggers.length, 'Send each trigger once')
    .refine((triggers) => triggers.length === 1 || !triggers.includes('time_passed'), 'time_passed cannot be combined with other triggers'),
  /** Set exactly when `triggers` is `time_passed`. */
  time: RuleTime.nullable(),
  condition: RuleCondition,
  /** In this order. */
  actions: z.array(RuleAction).min(1, 'Add at least one action').max(ruleLimits.actions, `At most ${ruleLimits.actions} actions`),
  /** Whether the rules after it are skipped when it runs. */
  stops: z.boolean(),
  /** `once_per_ticket`: at most once for each ticket, ever. */
  runs: z.enum(ruleRuns),
  is_active: z.boolean(),
};

/** A rule: when (`triggers`), if (`condition`), then (`actions`). Rules run in the order of `position`, each on the result of those before it. */
export const Rule = z.object({
  id: Id,
  /** From 1, without gaps. */
  position: z.number().int(),
  ...settings,
  /** Met by no ticket (`any` of nothing) if this release cannot read the stored one. */
  condition: settings.condition,
  /** In this order. Empty if this release cannot read the stored ones. */
  actions: z.array(RuleAction),
  /** Why the system turned it off; null otherwise. `detail`: the member, the host of the endpoint, or the part of the rule that is not valid. */
  disabled_reason: z.object({ code: z.enum(ruleDisabledReasons), detail: z.string() }).nullable(),
  /** Counts the changes of the rule, from 1. */
  version: z.number().int(),
  /** Null if an API token changed it last. */
  updated_by: Id.nullable(),
  updated_at: Timestamp,
  /** Runs in the last 30 days, up to 10,000. */
  run_count: z.number().int(),
  /** Null without a run in the last 30 days. */
  last_run_at: Timestamp.nullable(),
  /** The last run of which a part was left out because of an error. */
  last_error: z.object({ code: z.enum(ruleProblems), ticket_id: Id, at: Timestamp }).nullable(),
});
export type Rule = z.infer<typeof Rule>;

const RunTicket = Ticket.pick({ id: true, ticket_number: true, subject: true });
/** The field changes of a run, and what else it did. */
const outcome = {
  /** Each changed field (also `watchers`) with its old and new value. */
  changes: Changes,
  effects: z.array(z.enum(ruleEffects)),
  /** Why a part was left out; null if nothing was. */
  problem: z.enum(ruleProblems).nullable(),
};
/** One run of a rule on one ticket. */
export const RuleRun = z.object({
  id: Id,
  rule_id: Id,
  /** The rule's version at that time. */
  rule_version: z.number().int(),
  ticket: RunTicket,
  /** What caused it. Changes by other rules cause `ticket_updated`. */
  trigger: RuleTrigger,
  ...outcome,
  created_at: Timestamp,
});
export type RuleRun = z.infer<typeof RuleRun>;

/** What a rule would have done with the latest tickets, as they are now. Other rules are not considered. */
export const RuleTest = z.object({
  /** The number of tickets that were evaluated: at most 200. */
  tested: z.number().int(),
  /** The tickets that it would have changed, the newest first. */
  changed: z.array(z.object({ ticket: RunTicket, ...outcome })),
  /** Tickets that match the condition, but have nothing to change. */
  unaffected: z.number().int(),
  /** Tickets that do not match the condition. */
  not_matching: z.number().int(),
  /** Tickets to which no trigger has happened: without a reply, or not old enough. */
  not_triggered: z.number().int(),
  /** The part of the condition that most of the tickets in `not_matching` do not meet; null if there are none. */
  most_failed: z.object({ condition: RuleFieldCondition, count: z.number().int() }).nullable(),
});
export type RuleTest = z.infer<typeof RuleTest>;

// ---- inputs ---------------------------------------------------------------------------------------------------

const defaults = {
  time: settings.time.default(null),
  condition: settings.condition.default({ all: [] }),
  stops: settings.stops.default(false),
  runs: settings.runs.default('every_time'),
  is_active: settings.is_active.default(true),
};
type Timed = Pick<Rule, 'triggers' | 'time'>;
const isTimeSet = ({ triggers, time }: Timed): boolean => triggers.includes('time_passed') === (time !== null);
const timeMissing = { path: ['time'], message: 'Set the time exactly when the trigger is time_passed' };

export const CreateRule = z.strictObject({ ...settings, ...defaults }).refine(isTimeSet, timeMissing);
export type CreateRule = z.infer<typeof CreateRule>;
/** `is_active: true` also turns a rule on again that the system turned off. */
export const UpdateRule = z
  .strictObject(settings)
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'Nothing to change');
export type UpdateRule = z.infer<typeof UpdateRule>;

// ---- operations -----------------------------------------------------------------------------------------------

const byId = { params: z.object({ id: Id }) };
const read = { owner, allow: 'rule.read', token: 'organization:read' } as const;
const write = { owner, allow: 'rule.write', token: 'organization:write' } as const;

export const listRules = operation({
  name: 'tickets.listRules',
  summary: 'List the rules in the order in which they run.',
  ...read,
  method: 'GET',
  path: '/rules',
  output: z.array(Rule),
});
export const createRule = operation({
  name: 'tickets.createRule',
  summary: 'Add a rule after the existing ones.',
  ...write,
  method: 'POST',
  path: '/rules',
  status: 201,
  idempotent: true,
  input: { body: CreateRule },
  output: Rule,
  problems: ['rule.too_many', 'assignee.not_a_member'],
});
export const updateRule = operation({
  name: 'tickets.updateRule',
  summary: 'Change a rule, or turn it on or off.',
  ...write,
  method: 'PATCH',
  path: '/rules/:id',
  input: { ...byId, body: UpdateRule },
  output: Rule,
  problems: ['rule.not_found', 'rule.too_many', 'assignee.not_a_member'],
});
export const deleteRule = operation({
  name: 'tickets.deleteRule',
  summary: 'Remove a rule.',
  ...write,
  method: 'DELETE',
  path: '/rules/:id',
  input: byId,
  output: z.object({}),
  problems: ['rule.not_found'],
});
export const orderRules = operation({
  name: 'tickets.orderRules',
  summary: 'Set the order of all rules.',
  ...write,
  method: 'PUT',
  path: '/rules/order',
  input: { body: z.strictObject({ ids: z.array(Id).max(ruleLimits.rules) }) },
  output: z.array(Rule),
  problems: ['rule.order_incomplete'],
});
export const testRule = operation({
  name: 'tickets.testRule',
  summary: 'Evaluate a rule for the latest 200 tickets without changing anything.',
  ...write,
  method: 'POST',
  path: '/rules/test',
  input: { body: z.strictObject({ rule: CreateRule }) },
  output: RuleTest,
  problems: ['assignee.not_a_member'],
});
export const listRuleRuns = operation({
  name: 'tickets.listRuleRuns',
  summary: 'List the runs of a rule in the last 30 days, the newest first.',
  ...read,
  method: 'GET',
  path: '/rules/:id/runs',
  input: { ...byId, query: PageQuery.strict() },
  output: RuleRun,
  paginated: true,
  problems: ['rule.not_found'],
});

// ---- events and jobs ------------------------------------------------------------------------------------------

/** For the audit log. Its subject is the rule. `disabled`: by the system. */
export const ruleChanged = event(
  'rule.changed',
  owner,
  z.object({
    what: z.enum(['created', 'updated', 'reordered', 'disabled', 'deleted']),
    rule: Rule.pick({ id: true, name: true }),
    changes: Changes,
  }),
  { audited: true },
);
/** A rule sends the ticket, as it is after all rules, to a webhook endpoint. Its subject is the ticket. */
export const ticketRuleRan = event(
  'ticket.rule.ran',
  owner,
  z.object({ endpoint_id: Id, rule: Rule.pick({ id: true, name: true }), ticket: Ticket }),
  { public: true },
);
/**
 * Admins are notified: a rule was turned off (`disabled`), a part of its actions was cut off (`cut_off`), or the rules are paused for a
 * ticket that they changed too often (`ticket_paused`). Its subject is the rule, or the ticket for `ticket_paused`.
 */
export const ruleNeedsAttention = event(
  'rule.needs_attention',
  owner,
  z.object({
    problem: z.enum(['disabled', 'cut_off', 'ticket_paused']),
    rule: Rule.pick({ id: true, name: true }),
    /** Set for `disabled`. */
    disabled_reason: Rule.shape.disabled_reason,
    ticket: Ticket.pick({ id: true, ticket_number: true }).nullable(),
  }),
);
/** Runs the due time rules of a ticket; its row in `rule_timers` is the source of truth. */
export const runTimeRules = job({
  type: 'run_time_rules',
  owner,
  queue: 'rules',
  data: z.object({ ticket_id: Id }),
  attempts: 5,
  backoffMs: [1_000, 5_000, 30_000, 120_000],
});
/** Schedules existing tickets for new and changed time rules, in batches; the row in `rule_scans` has the last ticket. */
export const scanForTimeRules = job({
  type: 'scan_for_time_rules',
  owner,
  queue: 'rules',
  data: z.object({ organization_id: Id }),
  attempts: 5,
  backoffMs: [1_000, 5_000, 30_000, 120_000],
});
/** Deletes runs after their retention time; the job finds them in the table. */
export const pruneRuleRuns = job({
  type: 'prune_rule_runs',
  owner,
  queue: 'rules',
  data: z.object({}),
  attempts: 3,
  backoffMs: [10_000, 60_000],
  tenant: false,
});
