import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** Shows that there is nothing here yet, and the next step. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
}: {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center px-6 py-16 text-center">
      <span className="mb-4 grid size-11 place-items-center rounded-xl border bg-surface text-muted">
        <Icon className="size-5" aria-hidden />
      </span>
      <p className="text-md font-semibold">{title}</p>
      {children && <p className="mt-1 max-w-sm text-pretty text-muted">{children}</p>}
      {action && <div className="mt-5 flex gap-2">{action}</div>}
    </div>
  );
}
