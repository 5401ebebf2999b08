import {
  matches,
  ruleLimits,
  type Changes,
  type CreateRule,
  type Rule,
  type RuleCondition,
  type RuleTest,
  type RuleTrigger,
} from '@tandem/contracts';
import type { RuleSubject } from '@tandem/contracts/values';
import { findNextAssignee } from '../assignment/assignment.store';
import type { TicketsTx } from '../schema';
import { planRules, subjectOf, type RuleCause } from './rule';
import { findRuleOrganization, isBusinessTime } from './rule-organization';
import { findTestTickets, type TestTicket } from './rule-test.store';

type Failed = NonNullable<RuleTest['most_failed']>['condition'];

/** What the rule would do with the latest tickets; writes nothing. */
export async function testOn(tx: TicketsTx, organization_id: string, settings: CreateRule): Promise<RuleTest> {
  const rule = { ...settings, id: organization_id, version: 0 };
  const organization = await findRuleOrganization(tx, organization_id);
  const found = await findTestTickets(tx, organization_id, ruleLimits.testedTickets);
  const nextAssignee = (await findNextAssignee(tx)) ?? null;
  const result: RuleTest = { tested: found.length, changed: [], unaffected: 0, not_matching: 0, not_triggered: 0, most_failed: null };
  const failed = new Map<Failed, number>();
  for (const each of found) {
    const cause = causeFor(settings, each);
    if (!cause) {
      result.not_triggered += 1;
      continue;
    }
    const full = { ...cause, in_business_hours: isBusinessTime(organization, cause.now) };
    const { steps, matched } = planRules([rule], each.ticket, full, { excluded: new Set(), nextAssignee });
    if (matched.length === 0) {
      result.not_matching += 1;
      for (const condition of failingParts(rule.condition, subjectOf(each.ticket, full)))
        failed.set(condition, (failed.get(condition) ?? 0) + 1);
    } else if (!steps[0]) result.unaffected += 1;
    else {
      const { id, ticket_number, subject } = each.ticket;
      const { changes, effects, problem } = steps[0];
      result.changed.push({ ticket: { id, ticket_number, subject }, changes, effects, problem });
    }
  }
  const [most] = [...failed].sort(([, a], [, b]) => b - a);
  return { ...result, most_failed: most ? { condition: most[0], count: most[1] } : null };
}

/** The latest event of the ticket that would have caused the rule; undefined if there is none. */
function causeFor({ triggers, time }: Pick<Rule, 'triggers' | 'time'>, each: TestTicket): Omit<RuleCause, 'in_business_hours'> | undefined {
  const causes = triggers.flatMap((trigger) => momentOf(trigger, time, each) ?? []);
  return causes.sort((a, b) => (a.now < b.now ? 1 : -1))[0];
}

function momentOf(trigger: RuleTrigger, time: Rule['time'], { ticket, moments, changed, customer, staff }: TestTicket) {
  const cause = (now: string, comment: string | null = null, changes: Changes = {}) => ({
    triggers: [trigger],
    changes,
    comment,
    quiet: false,
    now,
  });
  switch (trigger) {
    case 'ticket_created':
      return cause(ticket.created_at);
    case 'ticket_updated':
      return changed ? cause(changed.at, null, changed.changes) : undefined;
    case 'customer_replied':
      return customer ? cause(customer.at, customer.content) : undefined;
    case 'staff_replied':
      return staff ? cause(staff.at, staff.content) : undefined;
    case 'time_passed': {
      const since = time && moments[time.since];
      const now = Date.now();
      return since && Date.parse(since) + time.hours * 3_600_000 <= now ? cause(new Date(now).toISOString()) : undefined;
    }
  }
}

/** The parts of a condition that is not met because of which it is not met. */
function failingParts(condition: RuleCondition, subject: RuleSubject): Failed[] {
  if (matches(condition, subject)) return [];
  if ('field' in condition) return [condition];
  return ('all' in condition ? condition.all : condition.any).flatMap((each) => failingParts(each, subject));
}
