import type { RuleTest as Result } from '@tandem/contracts';
import { ruleLimits } from '@tandem/contracts/values';
import { FlaskConical } from 'lucide-react';
import { useId, useState } from 'react';
import { conditionSentence } from '../../../app/conditions/condition-sentence';
import { countText } from '../../../lib/metric-format';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { Rich } from '../../../ui/Rich';
import { conditionNames, type RuleNames } from './rule-labels';
import { useTestRuleMutation } from './rules.api';
import { TicketOutcome } from './TicketOutcome';
import type { RuleFormState } from './use-rule-form';

/** The tickets that are shown first. */
const shownAtFirst = 10;

/** Why the rule would not have changed the other tickets. */
function Others({ result, names }: { result: Result; names: RuleNames }) {
  const { unaffected, not_matching, not_triggered, most_failed } = result;
  const reasons = [
    not_matching > 0 && t('settings.rules.count_not_matching', { count: not_matching, number: countText(not_matching) }),
    not_triggered > 0 && t('settings.rules.count_not_triggered', { count: not_triggered, number: countText(not_triggered) }),
    unaffected > 0 && t('settings.rules.count_unaffected', { count: unaffected, number: countText(unaffected) }),
  ].filter((reason) => reason !== false);
  if (reasons.length === 0) return null;
  return (
    <div className="border-t px-4 py-3 text-muted">
      <p className="font-medium text-ink">{t('settings.rules.why_not_others')}</p>
      <ul className="mt-1 flex list-disc flex-col gap-0.5 pl-4">
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      {most_failed && (
        <p className="mt-1.5 [overflow-wrap:anywhere]">
          {t('settings.rules.most_failed', {
            condition: conditionSentence(most_failed.condition, conditionNames(names)),
            count: most_failed.count,
            number: countText(most_failed.count),
          })}
        </p>
      )}
    </div>
  );
}

function ResultView({ result, names }: { result: Result; names: RuleNames }) {
  const { changed, tested } = result;
  const [shown, setShown] = useState(shownAtFirst);
  return (
    <>
      <p role="status" className="px-4 py-3">
        <Rich
          text={
            changed.length === 0
              ? t('settings.rules.would_change_none', { count: tested, number: countText(tested) })
              : t('settings.rules.would_change', { count: changed.length, tested: countText(tested) })
          }
          tags={{ b: (text) => <b className="font-semibold">{text}</b> }}
        />
      </p>
      {changed.length > 0 && (
        <ul aria-label={t('settings.rules.changed_tickets')} className="divide-y border-t">
          {changed.slice(0, shown).map(({ ticket, ...outcome }) => (
            <TicketOutcome key={ticket.id} ticket={ticket} outcome={outcome} names={names} tense="planned" />
          ))}
        </ul>
      )}
      {changed.length > shown && (
        <div className="flex justify-center border-t p-3">
          <Button size="sm" variant="ghost" onClick={() => setShown(changed.length)}>
            {t('settings.rules.show_all_count', { count: changed.length })}
          </Button>
        </div>
      )}
      <Others result={result} names={names} />
    </>
  );
}

/** Shows what the rule, as it is in the form, would have done to the latest tickets. */
export function RuleTest({ form, names }: { form: RuleFormState; names: RuleNames }) {
  const id = useId();
  const [test, { data, isLoading }] = useTestRuleMutation();
  const [tested, setTested] = useState<string>();
  const now = JSON.stringify({ ...form.rule, name: '' });
  const run = async () => {
    const rule = form.check({ isTest: true });
    if (!rule) return;
    const { error } = await test(rule);
    if (!error) setTested(now);
    else if (!form.refuse(error)) notify.problem(error, t('settings.rules.couldnt_test_rule'));
  };
  const isOutdated = data !== undefined && tested !== now;
  return (
    <Card aria-labelledby={id}>
      <CardHeader
        id={id}
        title={t('settings.rules.test')}
        actions={
          <Button size="sm" busy={isLoading} onClick={() => void run()}>
            {!isLoading && <FlaskConical aria-hidden />}
            {data ? t('settings.rules.test_again') : t('settings.rules.test_rule')}
          </Button>
        }
      />
      {!data && <p className="p-4 text-pretty text-muted">{t('settings.rules.what_test_does', { count: ruleLimits.testedTickets })}</p>}
      {isOutdated && !isLoading && (
        <p className="border-b bg-amber-soft px-4 py-2 text-xs text-amber-text">{t('settings.rules.test_is_outdated')}</p>
      )}
      {data && <ResultView key={tested} result={data} names={names} />}
    </Card>
  );
}
