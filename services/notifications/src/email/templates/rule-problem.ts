import { ruleLimits } from '@tandem/contracts/values';
import type { RuleWarning } from '../../schema';
import { oneLine } from '../text';

export interface RuleProblemText {
  heading: string;
  what: string;
  next: string;
}

/** What happened to a rule, and what an admin can do, for the notification and the email. */
export function ruleProblem({ problem, rule, disabled_reason, ticket }: RuleWarning): RuleProblemText {
  const name = oneLine(rule.name, 100);
  const number = ticket?.ticket_number ?? 'a ticket';
  switch (problem) {
    case 'cut_off':
      return {
        heading: 'A rule was cut off',
        what: `More than ${ruleLimits.actionsPerCause} actions followed one change of ${number}. The remaining actions, starting in the rule “${name}”, were skipped.`,
        next: 'Check which rules run on the same changes.',
      };
    case 'ticket_paused':
      return {
        heading: `Rules are paused for ${number}`,
        what: `Rules took more than ${ruleLimits.actionsPerHour} actions on ${number} within an hour, so they are paused for this ticket for ${ruleLimits.pauseHours} hours. The rule “${name}” would have run next.`,
        next: 'Check whether rules cause each other, or an integration keeps changing the ticket.',
      };
    case 'disabled':
      return {
        heading: 'A rule was turned off',
        what: `The rule “${name}” was turned off: ${reasonOf(disabled_reason)}`,
        next: 'Change the rule, then turn it on again.',
      };
  }
}

function reasonOf(reason: RuleWarning['disabled_reason']): string {
  const detail = oneLine(reason?.detail ?? '', 300);
  if (reason?.code === 'member_inactive') return `${detail} is no longer an active member.`;
  if (reason?.code === 'webhook_deleted')
    return detail === '' ? 'the webhook that it sends tickets to does not exist.' : `the webhook at ${detail} was deleted.`;
  return `part of it is no longer valid (${detail}).`;
}
