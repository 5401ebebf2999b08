import { fieldsIn, isCustomFieldName, type RuleCondition } from '@tandem/contracts/values';
import { formerMember } from '../../lib/member-options';
import { nameOf } from '../../lib/names';
import { useListMembersQuery } from '../api';
import { useListCustomFieldsQuery } from '../custom-fields/custom-fields.api';
import type { ConditionNames } from './condition-sentence';

/** The names for the sentence of a condition. Loads members and custom fields only if the condition has some. */
export function useConditionNames(condition: RuleCondition | null | undefined): ConditionNames {
  const used = condition ? fieldsIn(condition) : [];
  const members = useListMembersQuery(undefined, { skip: !used.includes('assigned_to') });
  const { data: fields } = useListCustomFieldsQuery(undefined, { skip: !used.some(isCustomFieldName) });
  const names = new Map(members.data?.map((member) => [member.user_id, nameOf(member)]));
  return { member: (id) => names.get(id.toLowerCase()) ?? (members.data ? formerMember : '…'), fields };
}
