import type { ViewCondition } from '@tandem/contracts/values';
import { conditionSentence } from '../../../app/conditions/condition-sentence';
import { conditionFromText, conditionText } from '../../../app/conditions/condition-text';
import { useConditionNames } from '../../../app/conditions/use-condition-names';
import { t } from '../../../lib/staff-texts';
import { FilterChip } from './FilterChip';

interface ConditionChipsProps {
  text: string;
  onChange: (text: string | undefined) => void;
}

/** The condition of the list in words: a chip for each part that every ticket must meet. */
export function ConditionChips({ text, onChange }: ConditionChipsProps) {
  const condition = conditionFromText(text);
  const names = useConditionNames(condition);
  if (!condition) return null;
  const parts = 'all' in condition && condition.all.length > 0 ? condition.all : [condition];
  const without = (part: ViewCondition) => {
    const rest = parts.filter((each) => each !== part);
    onChange(rest.length > 0 ? conditionText({ all: rest }) : undefined);
  };
  return parts.map((part, index) => {
    const sentence = conditionSentence(part, names);
    return (
      <FilterChip key={index} removeLabel={t('tickets.list.remove_condition', { sentence })} onRemove={() => without(part)}>
        {sentence.slice(0, 1).toUpperCase() + sentence.slice(1)}
      </FilterChip>
    );
  });
}
