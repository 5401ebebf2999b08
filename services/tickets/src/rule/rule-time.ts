import { fieldsIn, matches, type Rule, type RuleCondition } from '@tandem/contracts';
import type { ConditionField, CustomFieldName, RuleMoment, RuleSubject } from '@tandem/contracts/values';
import type { ActiveRule } from './rule';

const hourMs = 3_600_000;
const minuteMs = 60_000;

/** The moments of a ticket from which time rules count; null if it has not happened. */
export type RuleMoments = Record<RuleMoment, string | null>;
/** What a rule has last acted for on a ticket (`rule_acts`), by rule. */
export type RuleActs = ReadonlyMap<string, string>;
export type TimeRule = ActiveRule & { time: NonNullable<Rule['time']> };

export const isTimeRule = (rule: ActiveRule): rule is TimeRule => rule.time !== null;

/** The fields whose value changes without a change to the ticket. */
const timeFields: ReadonlySet<ConditionField | CustomFieldName> = new Set([
  'in_business_hours',
  'hours_since_created',
  'hours_since_updated',
  'hours_since_comment',
]);

/** Whether a condition is met now, or will be as time passes. */
export function couldMatch(condition: RuleCondition, subject: RuleSubject): boolean {
  if ('all' in condition) return condition.all.every((each) => couldMatch(each, subject));
  if ('any' in condition) return condition.any.some((each) => couldMatch(each, subject));
  return timeFields.has(condition.field) || matches(condition, subject);
}

/** A change to a ticket moves its timers: its time rules are checked after this time, so that several changes cause one check. */
export const afterChangeMs = minuteMs;
/** How often a due rule is checked whose condition depends on the time. */
export const recheckMs = 15 * minuteMs;

/** Hours are counted in elapsed time, so a change of the clocks moves nothing. */
const dueAt = ({ time }: TimeRule, moments: RuleMoments): number | null => {
  const since = moments[time.since];
  return since === null ? null : Date.parse(since) + time.hours * hourMs;
};

/** Whether a rule has run for its moment already, or ever if it runs once per ticket. */
function hasActed(rule: TimeRule, moments: RuleMoments, acts: RuleActs): boolean {
  const acted_for = acts.get(rule.id);
  return acted_for !== undefined && (rule.runs === 'once_per_ticket' || acted_for >= moments[rule.time.since]!);
}

/** The rules that are due for a ticket and have not run for their moment. Their conditions are not checked. */
export const dueRules = (rules: readonly TimeRule[], moments: RuleMoments, acts: RuleActs, now_ms: number): TimeRule[] =>
  rules.filter((rule) => {
    const due = dueAt(rule, moments);
    return due !== null && due <= now_ms && !hasActed(rule, moments, acts);
  });

/**
 * When the time rules of a ticket must be checked again, if it does not change before; null: not at all. A due rule that does not match is
 * checked again only if its condition depends on the time.
 */
export function nextCheck(
  rules: readonly TimeRule[],
  subject: RuleSubject,
  { moments, acts }: { moments: RuleMoments; acts: RuleActs },
): number | null {
  const times = rules.flatMap((rule) => {
    const due = dueAt(rule, moments);
    if (due === null || hasActed(rule, moments, acts) || !couldMatch(rule.condition, subject)) return [];
    return [due > subject.now_ms ? due : subject.now_ms + recheckMs];
  });
  return times.length === 0 ? null : Math.min(...times);
}

/** Whether a rule reads the organization's business hours. */
export const readsBusinessHours = ({ condition }: Pick<Rule, 'condition'>): boolean => fieldsIn(condition).includes('in_business_hours');
