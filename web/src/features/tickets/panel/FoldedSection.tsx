import { ChevronRight } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { cn } from '../../../lib/cn';

interface FoldedSectionProps {
  title: string;
  /** The most important fact of the content, next to the heading. */
  summary?: ReactNode;
  /** Whether something in it needs attention: then it opens by default, and stays open when that is done. */
  isUrgent?: boolean;
  children: ReactNode;
}

/** A section of the side panel whose content is rendered when the user opens it. */
export function FoldedSection({ title, summary, isUrgent = false, children }: FoldedSectionProps) {
  const id = useId();
  const [isOpened, setIsOpened] = useState<boolean>();
  const [wasUrgent, setWasUrgent] = useState(isUrgent);
  if (isUrgent && !wasUrgent) setWasUrgent(true);
  const isOpen = isOpened ?? wasUrgent;
  return (
    <section className="border-b px-4 last:border-b-0" aria-label={title}>
      <h3 className="text-xs font-medium">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setIsOpened(!isOpen)}
          className="-mx-1 flex min-h-9 w-[calc(100%+0.5rem)] items-center gap-2 rounded-sm px-1 text-left text-muted hover:text-ink touch:min-h-11"
        >
          {title}
          <span className="ml-auto flex min-w-0 items-center gap-1.5 font-normal">
            {summary}
            <ChevronRight className={cn('size-3.5 shrink-0 transition-transform', isOpen && 'rotate-90')} aria-hidden />
          </span>
        </button>
      </h3>
      {isOpen && (
        <div id={id} className="pt-0.5 pb-3">
          {children}
        </div>
      )}
    </section>
  );
}
