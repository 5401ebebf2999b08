import { channelLabels, priorityLabels, type TicketChannel, type TicketPriority } from '@tandem/contracts/values';
import { useSession } from '../../app/api';
import { useMemberName } from '../../app/use-member-name';
import type { CohortFilters } from '../../lib/metric-links';
import { t } from '../../lib/staff-texts';

/** The title and the filters on paper, where the top bar and the filter bar are missing. */
export function PrintHeading({ filters: { priority, channel, category, assignee, tag } }: { filters: CohortFilters }) {
  const { organization } = useSession();
  const memberName = useMemberName();
  const texts = [
    priority && t('analytics.priority_is', { priority: priorityLabels[priority as TicketPriority] }),
    channel && t('analytics.channel_is', { channel: channelLabels[channel as TicketChannel] }),
    category && t('analytics.category_is', { category }),
    assignee && t('analytics.assignee_is', { assignee: assignee === 'unassigned' ? t('analytics.unassigned') : memberName(assignee) }),
    tag && t('analytics.tag_is', { tag }),
  ].filter(Boolean);
  return (
    <div className="mb-2 hidden print:block">
      <p className="text-lg font-semibold">{t('analytics.analytics_of_organization', { organization: organization?.name ?? '' })}</p>
      {texts.length > 0 && <p className="text-muted">{texts.join(' · ')}</p>}
    </div>
  );
}
