import type { ReactNode } from 'react';
import { cn } from '../../lib/cn';

/** Style of the page's content column. */
export const column = 'mx-auto w-full max-w-[74rem] px-4 sm:px-8';

interface SectionProps {
  id: string;
  title: string;
  lead: string;
  className?: string;
  children: ReactNode;
}

/** A section that the header links to: the heading on the left, the explanation on the right. */
export function Section({ id, title, lead, className, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} tabIndex={-1} className={cn('scroll-mt-14 py-20 sm:py-28', className)}>
      <div className={column}>
        <div className="mb-10 grid gap-x-12 gap-y-4 sm:mb-14 lg:grid-cols-[7fr_5fr] lg:items-end">
          <h2
            id={`${id}-title`}
            className="max-w-[18ch] text-[clamp(1.875rem,1.4rem+1.9vw,2.75rem)] leading-[1.08] font-semibold tracking-[-0.028em]"
          >
            {title}
          </h2>
          <p className="max-w-[34rem] text-lg text-pretty text-muted">{lead}</p>
        </div>
        {children}
      </div>
    </section>
  );
}
