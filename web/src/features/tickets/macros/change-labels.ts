import type { ChangesWithComment, CustomField, Member } from '@tandem/contracts';
import { customFieldName, priorityLabels, statusLabels } from '@tandem/contracts/values';
import { fieldValueText } from '../../../app/custom-fields/field-text';
import { nameOf } from '../../../lib/names';
import { t } from '../../../lib/staff-texts';

/** `field` is named as in the timeline. */
interface ChangeSentence {
  field: string;
  text: string;
}

/** A field that was deleted is shown by its key. */
function customFieldSentences({ custom_fields = {} }: ChangesWithComment, fields: readonly CustomField[]): ChangeSentence[] {
  return Object.entries(custom_fields).map(([key, value]) => {
    const field = fields.find((each) => each.key === key);
    const label = field?.label ?? key;
    const text =
      value === null
        ? t('tickets.macros.field_cleared', { label })
        : t('tickets.macros.field_is', { label, value: fieldValueText(field ?? { type: 'text', options: [] }, value) });
    return { field: customFieldName(key), text };
  });
}

/** The changes as text: 'Status: Resolved', 'Assignee: Ada Okafor', 'Tags: shipping, refund', 'Product: Pro'. */
export function changeSentences(changes: ChangesWithComment, members: Member[], fields: readonly CustomField[]): ChangeSentence[] {
  const { status, priority, assigned_to, tags } = changes;
  const assignee = members.find(({ user_id }) => user_id === assigned_to);
  return [
    ...(status ? [{ field: 'status', text: t('tickets.macros.status_status_name', { statusName: statusLabels[status] }) }] : []),
    ...(priority
      ? [{ field: 'priority', text: t('tickets.macros.priority_priority_name', { priorityName: priorityLabels[priority] }) }]
      : []),
    ...(assigned_to === undefined
      ? []
      : [
          {
            field: 'assigned_to',
            text:
              assigned_to === null
                ? t('tickets.macros.assignee_unassigned')
                : t('tickets.macros.assignee_is', { nameOf: nameOf(assignee) }),
          },
        ]),
    ...(tags
      ? [
          {
            field: 'tags',
            text: tags.length > 0 ? t('tickets.macros.tags_tags', { tags: tags.join(', ') }) : t('tickets.macros.tags_none'),
          },
        ]
      : []),
    ...customFieldSentences(changes, fields),
  ];
}
