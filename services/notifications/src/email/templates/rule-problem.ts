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
        what: `More than ${ruleLimits.actionsPerCause} actions followed one change of ${number}. The rest was left out, from the rule “${name}” on.`,
        next: 'Check which rules run on the same changes.',
      };
    case 'ticket_paused':
      return {
        heading: `Rules are paused for ${number}`,
        what: `Rules took more than ${ruleLimits.actionsPerHour} actions on ${number} within an hour, so they are paused for this ticket for ${ruleLimits.pauseHours} hours. The last one was “${name}”.`,
        next: 'Check whether rules cause each other, or an integration keeps changing the ticket.',
      };
    case 'disabled':
      return {
        heading: 'A rule was switched off',
        what: `The rule “${name}” was switched off: ${reasonOf(disabled_reason)}`,
        next: 'Change the rule, then switch it on again.',
      };
  }
}

function reasonOf(reason: RuleWarning['disabled_reason']): string {
  const detail = oneLine(reason?.detail ?? '', 300);
  return reason?.code === 'member_inactive'
    ? `${detail} is no longer an active member.`
    : `a part of it is not valid any more (${detail}).`;
}
