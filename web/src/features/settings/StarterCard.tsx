import type { LucideIcon } from 'lucide-react';

interface StarterCardProps {
  icon: LucideIcon;
  title: string;
  description: string;
  isBusy?: boolean;
  onChoose: () => void;
}

/** A template that a new item can start with. */
export const StarterCard = ({ icon: Icon, title, description, isBusy = false, onChoose }: StarterCardProps) => (
  <button
    type="button"
    className="flex h-full w-full items-start gap-3 rounded-lg border bg-surface p-3 text-left transition-colors hover:border-accent-line hover:bg-hover aria-disabled:opacity-50"
    aria-disabled={isBusy || undefined}
    onClick={() => !isBusy && onChoose()}
  >
    <span className="grid size-8 shrink-0 place-items-center rounded-md bg-accent-soft text-accent-text [&_svg]:size-4">
      <Icon aria-hidden />
    </span>
    <span className="min-w-0">
      <span className="block font-medium">{title}</span>
      <span className="block text-xs text-pretty text-muted">{description}</span>
    </span>
  </button>
);
