import { Skeleton } from '../../ui/Skeleton';

/** A placeholder with the rows of MyFigures, so that nothing moves when the figures replace it. */
export const MyFiguresSkeleton = () => (
  <div aria-hidden>
    <div className="p-1.5">
      {Array.from({ length: 5 }, (_, index) => (
        <div key={index} className="flex h-8 items-center px-2.5 touch:h-11">
          <Skeleton className="h-4 w-full" />
        </div>
      ))}
    </div>
    <div className="px-4 pb-3">
      <Skeleton className="h-4 w-1/2" />
    </div>
  </div>
);
