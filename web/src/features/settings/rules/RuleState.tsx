import type { Rule } from '@tandem/contracts';
import { ruleLimits } from '@tandem/contracts/values';
import { TriangleAlert } from 'lucide-react';
import { countText } from '../../../lib/metric-format';
import { t } from '../../../lib/staff-texts';
import { Link } from 'react-router-dom';
import { Rich } from '../../../ui/Rich';
import { Time } from '../../../ui/Time';
import { disabledText, problemLabels } from './outcome-labels';

/** The server stops counting at the limit. */
const numberOf = (count: number) => (count < ruleLimits.countedRuns ? countText(count) : `${countText(count)}+`);

/** How often the rule ran, and when it last did. */
export function RuleActivity({ rule: { run_count, last_run_at } }: { rule: Rule }) {
  return (
    <p className="text-xs text-muted tabular">
      {last_run_at === null ? (
        t('settings.rules.never_ran')
      ) : (
        <Rich
          text={t('settings.rules.ran_count_times', { count: run_count, number: numberOf(run_count) })}
          tags={{ time: () => <Time iso={last_run_at} relative /> }}
        />
      )}
    </p>
  );
}

function LastError({ error: { code, ticket_id, at } }: { error: NonNullable<Rule['last_error']> }) {
  return (
    <Rich
      text={t('settings.rules.last_error', { problem: problemLabels[code] })}
      tags={{
        ticket: (text) => (
          <Link to={`/tickets/${ticket_id}`} className="underline underline-offset-2">
            {text}
          </Link>
        ),
        time: () => <Time iso={at} relative />,
      }}
    />
  );
}

/** Why the rule was turned off, or the error of its last run. */
export function RuleProblem({ rule: { disabled_reason, last_error } }: { rule: Rule }) {
  if (!disabled_reason && !last_error) return null;
  return (
    <p className="flex items-start gap-1.5 text-xs [overflow-wrap:anywhere] text-red-text">
      <TriangleAlert className="mt-px size-3.5 shrink-0" aria-hidden />
      <span className="min-w-0">{disabled_reason ? disabledText(disabled_reason) : last_error && <LastError error={last_error} />}</span>
    </p>
  );
}
