import { cn } from '../lib/cn';

/** Has the shape of what is coming. The container says `aria-busy`. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden className={cn('animate-shimmer rounded-sm bg-hover', className)} />
);
