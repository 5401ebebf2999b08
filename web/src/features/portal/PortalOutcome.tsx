import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

/** Page content that is a single message: what happened, and what to do next. */
export function PortalOutcome({
  icon: Icon,
  title,
  children,
  actions,
}: {
  icon: LucideIcon;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className="py-4 sm:py-8">
      <Icon className="size-7 text-accent-text" strokeWidth={1.5} aria-hidden />
      <h1 className="mt-4 text-xl font-semibold tracking-tight sm:text-2xl">{title}</h1>
      <p className="mt-2 max-w-[46ch] text-pretty text-muted">{children}</p>
      {actions && <div className="mt-6 flex flex-wrap gap-3">{actions}</div>}
    </div>
  );
}
