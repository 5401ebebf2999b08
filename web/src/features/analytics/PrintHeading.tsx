import { channelLabels, priorityLabels, type TicketChannel, type TicketPriority } from '@tandem/contracts/values';
import { useListMembersQuery, useSession } from '../../app/api';
import type { CohortFilters } from '../../lib/metric-links';
import { formerMember } from '../../lib/member-options';
import { nameOf } from '../../lib/names';

/** The title and the filters on paper, where the top bar and the filter bar are missing. */
export function PrintHeading({ filters: { priority, channel, category, assignee, tag } }: { filters: CohortFilters }) {
  const { organization } = useSession();
  const { data: members = [] } = useListMembersQuery();
  const assigneeName =
    assignee === 'unassigned'
      ? 'Unassigned'
      : nameOf(
          members.find(({ user_id }) => user_id === assignee),
          formerMember,
        );
  const texts = [
    priority && `Priority: ${priorityLabels[priority as TicketPriority]}`,
    channel && `Channel: ${channelLabels[channel as TicketChannel]}`,
    category && `Category: ${category}`,
    assignee && `Assignee: ${assigneeName}`,
    tag && `Tag: ${tag}`,
  ].filter(Boolean);
  return (
    <div className="mb-2 hidden print:block">
      <p className="text-lg font-semibold">Analytics · {organization?.name}</p>
      {texts.length > 0 && <p className="text-muted">{texts.join(' · ')}</p>}
    </div>
  );
}
