import type { Rule } from '@tandem/contracts';
import { conditionSentence } from '../../../app/conditions/condition-sentence';
import { t } from '../../../lib/staff-texts';
import { Rich } from '../../../ui/Rich';
import { isEveryTicket } from './rule-form';
import { conditionNames, thenText, whenText, type RuleNames } from './rule-labels';

type Sentence = Pick<Rule, 'triggers' | 'time' | 'condition' | 'actions' | 'stops'>;

/** "When A and B or C" would be ambiguous. */
function form(condition: Rule['condition']): string {
  if (isEveryTicket(condition)) return t('settings.rules.sentence');
  return 'any' in condition && condition.any.length > 1
    ? t('settings.rules.sentence_with_alternatives')
    : t('settings.rules.sentence_with_condition');
}

/** The rule as a sentence: 'When a ticket is created and category is Billing, assign it to Ada Okafor.' */
export function RuleSentence({ rule, names }: { rule: Sentence; names: RuleNames }) {
  const part = (text: string) => () => <span className="text-ink">{text}</span>;
  return (
    <Rich
      text={form(rule.condition)}
      tags={{
        when: part(whenText(rule)),
        if: part(conditionSentence(rule.condition, conditionNames(names))),
        then: part(thenText(rule, names)),
      }}
    />
  );
}
