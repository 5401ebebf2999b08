import type { ReactNode } from 'react';

/** A part of a form: its name and what it is for at the left, its fields at the right. */
export const FormPart = ({ title, hint, children }: { title: string; hint: string; children: ReactNode }) => (
  <section aria-label={title} className="grid gap-x-6 gap-y-3 border-b p-4 last:border-b-0 md:grid-cols-[9rem_minmax(0,1fr)]">
    <div>
      <h3 className="font-semibold">{title}</h3>
      <p className="text-xs text-pretty text-muted">{hint}</p>
    </div>
    <div className="min-w-0">{children}</div>
  </section>
);
