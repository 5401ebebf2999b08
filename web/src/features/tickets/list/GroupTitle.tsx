import { t } from '../../../lib/staff-texts';
import { Rich } from '../../../ui/Rich';
import type { GroupHeading } from './group-rows';

/** Above the first row of a group. With a plus while tickets of the group may be on pages that are not loaded. */
export function GroupTitle({ heading, isWhole }: { heading: GroupHeading | undefined; isWhole: boolean }) {
  if (!heading) return null;
  const { count } = heading;
  return (
    <p className="flex h-8 items-center gap-2 border-b bg-sunken px-4 text-xs">
      <span className="truncate font-medium">{heading.label}</span>
      <span className="tabular text-muted">
        <Rich
          text={isWhole ? t('tickets.list.count_in_group', { count }) : t('tickets.list.count_in_group_at_least', { count })}
          tags={{ unit: (inside) => <span className="sr-only">{inside}</span> }}
        />
      </span>
    </p>
  );
}
