import { fieldsIn, isCustomFieldName, type RuleCondition } from '@tandem/contracts/values';
import { useListCustomFieldsQuery } from '../custom-fields/custom-fields.api';
import { useMemberName } from '../use-member-name';
import type { ConditionNames } from './condition-sentence';

/** The names for the sentence of a condition. Loads members and custom fields only if the condition has some. */
export function useConditionNames(condition: RuleCondition | null | undefined): ConditionNames {
  const used = condition ? fieldsIn(condition) : [];
  const member = useMemberName({ skip: !used.includes('assigned_to') });
  const { data: fields } = useListCustomFieldsQuery(undefined, { skip: !used.some(isCustomFieldName) });
  return { member, fields };
}
