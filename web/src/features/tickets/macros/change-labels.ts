import type { ChangesWithComment, Member } from '@tandem/contracts';
import { priorityLabels, statusLabels } from '@tandem/contracts/values';
import { nameOf } from '../../../lib/names';

/** The changes as text: 'Status: Resolved', 'Assignee: Ada Okafor', 'Tags: shipping, refund'. */
export function changeSentences(changes: ChangesWithComment, members: Member[]): { field: keyof ChangesWithComment; text: string }[] {
  const { status, priority, assigned_to, tags } = changes;
  const assignee = members.find(({ user_id }) => user_id === assigned_to);
  return [
    ...(status ? [{ field: 'status' as const, text: `Status: ${statusLabels[status]}` }] : []),
    ...(priority ? [{ field: 'priority' as const, text: `Priority: ${priorityLabels[priority]}` }] : []),
    ...(assigned_to === undefined
      ? []
      : [{ field: 'assigned_to' as const, text: `Assignee: ${assigned_to === null ? 'Unassigned' : nameOf(assignee)}` }]),
    ...(tags ? [{ field: 'tags' as const, text: tags.length > 0 ? `Tags: ${tags.join(', ')}` : 'Tags: none' }] : []),
  ];
}
