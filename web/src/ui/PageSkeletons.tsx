import { uiText } from '../lib/ui-texts';
import { Skeleton } from './Skeleton';

/** Blocks of these heights, and for screen readers that the page is loading. */
const Blocks = ({ heights, className }: { heights: string[]; className: string }) => (
  <div aria-busy className={className}>
    <span role="status" className="sr-only">
      {uiText('loading')}
    </span>
    {heights.map((height, index) => (
      <Skeleton key={index} className={height} />
    ))}
  </div>
);

/** Forms below each other, as in the settings. */
export const CardsSkeleton = () => <Blocks className="flex flex-col gap-5" heights={['h-56', 'h-40']} />;

/** The shape of a staff page whose code is loading: figures, or rows and cards. */
export const PageSkeleton = ({ area }: { area: string | undefined }) => (
  <div className="flex-1 bg-canvas p-6 max-md:p-4">
    {area === 'dashboard' || area === 'analytics' ? (
      <Blocks className="grid grid-cols-3 gap-3" heights={['h-24', 'h-24', 'h-24', 'col-span-3 h-80']} />
    ) : (
      <CardsSkeleton />
    )}
  </div>
);
