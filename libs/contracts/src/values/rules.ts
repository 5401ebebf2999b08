/** What can cause a rule to run, with the labels of the editor. `time_passed` is never combined with another one. */
export const ruleTriggers = ['ticket_created', 'ticket_updated', 'customer_replied', 'staff_replied', 'time_passed'] as const;
export type RuleTrigger = (typeof ruleTriggers)[number];

/**
 * The moments of a ticket from which a time rule counts. Replies and other changes by rules do not move `updated` and `staff_replied`.
 * `customer_replied` is the creation if the customer has not replied since.
 */
export const ruleMoments = ['created', 'updated', 'status_changed', 'customer_replied', 'staff_replied'] as const;
export type RuleMoment = (typeof ruleMoments)[number];

export const ruleRuns = ['every_time', 'once_per_ticket'] as const;

/** What a rule does besides changing fields of the ticket. */
export const ruleEffects = ['add_note', 'send_reply', 'send_to_webhook'] as const;
export type RuleEffect = (typeof ruleEffects)[number];

/**
 * Why a part of a rule's actions was left out. `cut_off`: more than 50 actions would have followed one cause. `no_assignee`: no member could
 * be assigned in turn. `no_automatic_reply`: the customer's email forbids automatic replies, or is suspected to be part of a mail loop.
 */
export const ruleProblems = ['cut_off', 'no_assignee', 'no_automatic_reply'] as const;
export type RuleProblem = (typeof ruleProblems)[number];

/**
 * Why the system turned a rule off. `member_inactive`: it assigns a deactivated member, or adds one as a watcher. `webhook_deleted`: it
 * sends tickets to a webhook endpoint that does not exist. `invalid`: its condition or an action is no longer valid, for example because a field
 * was removed.
 */
export const ruleDisabledReasons = ['member_inactive', 'webhook_deleted', 'invalid'] as const;
export type RuleDisabledReason = (typeof ruleDisabledReasons)[number];

export const ruleLimits = {
  /** Rules per organization. */
  rules: 100,
  name: 100,
  actions: 20,
  /** All names, conditions and actions of an organization, as JSON. Each process keeps them in memory. */
  characters: 500_000,
  /** Hours of a time rule: a year. */
  hours: 8_760,
  /** Actions that follow one cause; the rest is cut off. */
  actionsPerCause: 50,
  /** Actions of rules on one ticket within an hour; more pause the rules for this ticket. */
  actionsPerHour: 200,
  /** How long the rules are paused for such a ticket. */
  pauseHours: 24,
  /** How long runs are kept, and counted. */
  runDays: 30,
  /** `run_count` counts up to this number. */
  countedRuns: 10_000,
  /** The tickets that a test evaluates. */
  testedTickets: 200,
} as const;
