import { fieldsIn, type ViewCondition } from '@tandem/contracts/values';
import { useListMembersQuery } from '../../../app/api';
import { conditionSentence } from '../../../app/conditions/condition-sentence';
import { conditionFromText, conditionText } from '../../../app/conditions/condition-text';
import { formerMember } from '../../../lib/member-options';
import { nameOf } from '../../../lib/names';
import { t } from '../../../lib/staff-texts';
import { FilterChip } from './FilterChip';

/** Names members only if the condition has some: the list opens without their request otherwise. */
function useMemberName(condition: ViewCondition | undefined) {
  const isNeeded = condition !== undefined && fieldsIn(condition).includes('assigned_to');
  const { data } = useListMembersQuery(undefined, { skip: !isNeeded });
  const names = new Map(data?.map((member) => [member.user_id, nameOf(member)]));
  return (id: string) => names.get(id.toLowerCase()) ?? (data ? formerMember : '…');
}

interface ConditionChipsProps {
  text: string;
  onChange: (text: string | undefined) => void;
}

/** The condition of the list in words: a chip for each part that every ticket must meet. */
export function ConditionChips({ text, onChange }: ConditionChipsProps) {
  const condition = conditionFromText(text);
  const memberName = useMemberName(condition);
  if (!condition) return null;
  const parts = 'all' in condition && condition.all.length > 0 ? condition.all : [condition];
  const without = (part: ViewCondition) => {
    const rest = parts.filter((each) => each !== part);
    onChange(rest.length > 0 ? conditionText({ all: rest }) : undefined);
  };
  return parts.map((part, index) => {
    const sentence = conditionSentence(part, memberName);
    return (
      <FilterChip key={index} removeLabel={t('tickets.list.remove_condition', { sentence })} onRemove={() => without(part)}>
        {sentence.slice(0, 1).toUpperCase() + sentence.slice(1)}
      </FilterChip>
    );
  });
}
