import { Skeleton } from '../../../ui/Skeleton';
import { PanelSkeleton } from '../panel/PanelSkeleton';

/** The shape of a ticket's page: the conversation and the panel next to it. */
export function DetailSkeleton() {
  return (
    <div aria-busy className="flex min-w-0 flex-1">
      <div className="flex-1 p-6 max-md:p-4">
        <Skeleton className="h-6 w-2/3" />
        <Skeleton className="mt-3 h-5 w-40" />
        <div className="mt-7 flex gap-3">
          <Skeleton className="size-8 rounded-full" />
          <Skeleton className="h-28 flex-1 rounded-lg" />
        </div>
      </div>
      <div className="w-74 shrink-0 border-l max-lg:hidden">
        <PanelSkeleton />
      </div>
      <span className="sr-only" role="status">
        Loading the ticket
      </span>
    </div>
  );
}
