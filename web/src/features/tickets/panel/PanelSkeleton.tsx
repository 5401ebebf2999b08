import { t } from '../../../lib/staff-texts';
import { Skeleton } from '../../../ui/Skeleton';

/** The customer and the properties, in the rows of the side panel. */
export const PanelSkeleton = () => (
  <div aria-hidden>
    <div className="border-b px-4 pt-3 pb-4">
      <Skeleton className="h-4 w-20" />
      <div className="mt-2.5 flex items-center gap-2.5">
        <Skeleton className="size-8 shrink-0 rounded-full" />
        <Skeleton className="h-9 flex-1" />
      </div>
    </div>
    <div className="flex flex-col gap-0.5 border-b py-2.5 pr-2 pl-4">
      {[t('tickets.panel.status'), t('tickets.panel.priority'), t('tickets.panel.assignee'), t('tickets.panel.tags')].map((row) => (
        <div key={row} className="flex h-8 items-center">
          <Skeleton className="h-5 w-full" />
        </div>
      ))}
    </div>
  </div>
);
