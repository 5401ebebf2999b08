import type { ReactNode } from 'react';

/** A section of the side panel with its heading. */
export function Section({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section className="border-b px-4 py-3 last:border-b-0" aria-label={title}>
      <div className="mb-1.5 flex min-h-4 items-center justify-between gap-2">
        <h3 className="text-xs font-medium text-muted">{title}</h3>
        {action}
      </div>
      {children}
    </section>
  );
}
