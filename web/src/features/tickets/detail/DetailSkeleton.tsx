import { Skeletons } from '../../../ui/Skeleton';
import { PanelSkeleton } from '../panel/PanelSkeleton';

/** The shape of a ticket's page: the conversation and the panel next to it. */
export function DetailSkeleton() {
  return (
    <div role="status" className="flex min-w-0 flex-1">
      <div className="flex-1 p-6 max-md:p-4">
        <Skeletons className="flex flex-col gap-3" blocks={['h-6 w-2/3', 'h-5 w-40', 'mt-4 h-28 rounded-lg']} />
      </div>
      <div className="w-74 shrink-0 border-l max-lg:hidden">
        <PanelSkeleton />
      </div>
    </div>
  );
}
