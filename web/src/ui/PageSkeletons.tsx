import type { ReactNode } from 'react';
import { uiText } from '../lib/ui-texts';
import { Skeleton } from './Skeleton';

/** Announces that a page is loading; its shape is only for the eyes. */
const Loading = ({ className, children }: { className: string; children: ReactNode }) => (
  <div aria-busy className={className}>
    <span role="status" className="sr-only">
      {uiText('loading')}
    </span>
    {children}
  </div>
);

const Card = ({ className }: { className: string }) => (
  <div aria-hidden className={`rounded-lg border bg-surface p-4 ${className}`}>
    <Skeleton className="h-4 w-36" />
    <Skeleton className="mt-4 h-3 w-3/5" />
  </div>
);

/** Forms below each other, as in the settings. */
export const CardsSkeleton = () => (
  <Loading className="flex flex-col gap-5">
    <Card className="h-56" />
    <Card className="h-40" />
  </Loading>
);

const RowsSkeleton = () => (
  <Loading className="min-w-0 flex-1 pt-11">
    {Array.from({ length: 10 }, (_, index) => (
      <div key={index} aria-hidden className="flex h-16 items-center gap-4 border-b px-4">
        <Skeleton className="h-4 w-16 shrink-0" />
        <Skeleton className="h-4 flex-1" />
        <Skeleton className="h-4 w-20 shrink-0" />
      </div>
    ))}
  </Loading>
);

const FiguresSkeleton = () => (
  <Loading className="flex flex-1 flex-col gap-5 bg-canvas p-6 max-md:p-4">
    <div className="grid grid-cols-3 gap-3 max-sm:gap-2">
      {[0, 1, 2].map((figure) => (
        <Card key={figure} className="h-24" />
      ))}
    </div>
    <Card className="h-80" />
  </Loading>
);

/** The shape of a staff page whose code is loading, by the first part of its path. */
export function PageSkeleton({ area }: { area: string | undefined }) {
  if (area === 'tickets') return <RowsSkeleton />;
  if (area === 'dashboard' || area === 'analytics') return <FiguresSkeleton />;
  return (
    <div className="flex-1 bg-canvas p-6 max-md:p-4">
      <CardsSkeleton />
    </div>
  );
}
