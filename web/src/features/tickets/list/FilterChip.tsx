import { X } from 'lucide-react';
import type { ReactNode } from 'react';

/** A filter that is set, with a button that removes it. */
export const FilterChip = ({ children, removeLabel, onRemove }: { children: ReactNode; removeLabel: string; onRemove: () => void }) => (
  <li className="inline-flex h-6 max-w-full items-center gap-1 rounded-md border border-accent-line bg-accent-soft pl-2 text-xs text-accent-text touch:h-9">
    <span className="truncate">{children}</span>
    <button
      type="button"
      aria-label={removeLabel}
      onClick={onRemove}
      className="grid size-6 shrink-0 place-items-center rounded-md hover:bg-hover touch:size-9"
    >
      <X className="size-3" aria-hidden />
    </button>
  </li>
);
