import type { Activity, Ticket } from '@tandem/contracts';
import { useListMembersQuery } from '../../../app/api';
import { useCustomFields, useListCustomFieldsQuery } from '../../../app/custom-fields/custom-fields.api';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Skeleton } from '../../../ui/Skeleton';
import { Time } from '../../../ui/Time';
import { useTicketPart } from '../open-ticket';
import { PartError } from '../PartError';
import { ActivityActor } from './ActivityActor';
import { activityLabels } from './activity-labels';
import { Dot, lineClasses } from './Timeline';
import { useReadTimelineInfiniteQuery } from './panel.api';

/** What changes are described with: they contain the ids of members and the keys of custom fields. */
function useNames({ assignee }: Ticket) {
  const members = useListMembersQuery();
  const { isLoading } = useListCustomFieldsQuery();
  const fields = useCustomFields();
  const people = [...(members.data ?? []), ...(assignee ? [assignee] : [])];
  return { people, fields, isLoading: isLoading || members.isLoading };
}

function Line({ activity, names }: { activity: Activity; names: ReturnType<typeof useNames> }) {
  const resolved = activity.changes.status?.to === 'resolved';
  return (
    <li className="relative pl-5 text-xs [overflow-wrap:anywhere]">
      <Dot green={resolved} />
      {activityLabels(activity, names).map((words, index) => (
        <p key={index} className="line-clamp-4 text-muted">
          {index === 0 && (
            <b className="font-medium text-ink">
              <ActivityActor activity={activity} />
            </b>
          )}{' '}
          {words}
        </p>
      ))}
      <Time iso={activity.created_at} relative className="text-2xs text-faint" />
    </li>
  );
}

/** The history of the ticket: each change with its author and the values before and after. The conversation keeps it up to date. */
export function Changes({ ticket }: { ticket: Ticket }) {
  const { isMissing, retry } = useTicketPart('timeline');
  const { data, isError, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useReadTimelineInfiniteQuery(ticket.id, {
    skip: isMissing,
  });
  const names = useNames(ticket);
  const activities = data?.pages.flatMap(({ items }) => items) ?? [];
  if (!data && (isMissing || isError)) {
    return (
      <PartError busy={isFetching} onRetry={isMissing ? retry : () => void refetch()}>
        {t('tickets.panel.couldnt_load_history')}
      </PartError>
    );
  }
  if (!data || names.isLoading) return <Skeleton className="mt-3 h-8" />;
  if (activities.length === 0) return null;
  return (
    <>
      <h4 className="mt-4 mb-1.5 text-xs font-medium text-muted">{t('tickets.panel.changes')}</h4>
      <ol aria-label={t('tickets.panel.changes')} className={lineClasses}>
        {activities.map((activity) => (
          <Line key={activity.id} activity={activity} names={names} />
        ))}
      </ol>
      {hasNextPage && (
        <Button size="sm" variant="ghost" className="mt-2 -ml-2" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('tickets.panel.show_more')}
        </Button>
      )}
    </>
  );
}
