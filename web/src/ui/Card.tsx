import type { HTMLAttributes, ReactNode } from 'react';
import { cn } from '../lib/cn';

export function Card({ className, ...rest }: HTMLAttributes<HTMLElement>) {
  return <section className={cn('rounded-lg border bg-surface', className)} {...rest} />;
}

export function CardHeader({ title, actions, id }: { title: string; actions?: ReactNode; id?: string }) {
  return (
    <header className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b px-4 py-1.5">
      <h2 id={id} className="text-sm font-semibold">
        {title}
      </h2>
      {actions}
    </header>
  );
}
