import { cn } from '../lib/cn';

/** Placeholder in the shape of the loading content. Set `aria-busy` on the container. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden className={cn('animate-shimmer rounded-sm bg-hover', className)} />
);
