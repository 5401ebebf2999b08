import { Skeleton } from '../../ui/Skeleton';

const Box = ({ className }: { className: string }) => (
  <div className={`rounded-lg border bg-surface p-4 ${className}`}>
    <Skeleton className="h-4 w-32" />
    <Skeleton className="mt-2 h-3 w-3/5" />
  </div>
);

/** Placeholder with the grid of the page. */
export function AnalyticsSkeleton() {
  return (
    <div aria-hidden className="flex flex-col gap-3">
      <Skeleton className="h-5 w-80 max-w-full" />
      <div className="grid grid-cols-5 gap-3 max-lg:grid-cols-3 max-sm:grid-cols-2 max-sm:gap-2">
        {Array.from({ length: 10 }, (_, index) => (
          <Box key={index} className="h-27" />
        ))}
      </div>
      <Box className="h-92" />
      <div className="grid gap-3 lg:grid-cols-2">
        <Box className="h-76" />
        <Box className="h-76" />
      </div>
    </div>
  );
}
