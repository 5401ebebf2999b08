import type { ChangesWithComment, Member } from '@tandem/contracts';
import { priorityLabels, statusLabels } from '@tandem/contracts/values';
import { nameOf } from '../../../lib/names';
import { t } from '../../../lib/staff-texts';

/** The changes as text: 'Status: Resolved', 'Assignee: Ada Okafor', 'Tags: shipping, refund'. */
export function changeSentences(changes: ChangesWithComment, members: Member[]): { field: keyof ChangesWithComment; text: string }[] {
  const { status, priority, assigned_to, tags } = changes;
  const assignee = members.find(({ user_id }) => user_id === assigned_to);
  return [
    ...(status ? [{ field: 'status' as const, text: t('tickets.macros.status_status_name', { statusName: statusLabels[status] }) }] : []),
    ...(priority
      ? [{ field: 'priority' as const, text: t('tickets.macros.priority_priority_name', { priorityName: priorityLabels[priority] }) }]
      : []),
    ...(assigned_to === undefined
      ? []
      : [
          {
            field: 'assigned_to' as const,
            text:
              assigned_to === null
                ? t('tickets.macros.assignee_unassigned')
                : t('tickets.macros.assignee_is', { nameOf: nameOf(assignee) }),
          },
        ]),
    ...(tags
      ? [
          {
            field: 'tags' as const,
            text: tags.length > 0 ? t('tickets.macros.tags_tags', { tags: tags.join(', ') }) : t('tickets.macros.tags_none'),
          },
        ]
      : []),
  ];
}
