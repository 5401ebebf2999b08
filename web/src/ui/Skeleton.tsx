import { cn } from '../lib/cn';
import { uiText } from '../lib/ui-texts';

/** Placeholder in the shape of the loading content. Set `aria-busy` on the container. */
export const Skeleton = ({ className }: { className?: string }) => (
  <div aria-hidden className={cn('animate-shimmer rounded-sm bg-hover', className)} />
);

interface SkeletonsProps {
  /** The classes of each block: its height, and its width unless it is the whole. */
  blocks: readonly string[];
  className?: string;
}

/** Blocks in the shape of the loading content. Screen readers read that it is loading. */
export const Skeletons = ({ blocks, className = 'flex flex-col gap-4 p-4' }: SkeletonsProps) => (
  <div aria-busy className={className}>
    <span className="sr-only">{uiText('loading')}</span>
    {blocks.map((block, index) => (
      <Skeleton key={index} className={block} />
    ))}
  </div>
);
