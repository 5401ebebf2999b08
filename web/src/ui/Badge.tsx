import { cva, type VariantProps } from 'class-variance-authority';
import type { ReactNode } from 'react';
import { cn } from '../lib/cn';

const badge = cva(
  'inline-flex h-5 max-w-full shrink-0 items-center gap-1 rounded-sm px-1.5 text-xs font-medium whitespace-nowrap [&_svg]:size-3 [&_svg]:shrink-0',
  {
    variants: {
      tone: {
        gray: 'bg-gray-soft text-muted',
        accent: 'bg-accent-soft text-accent-text',
        blue: 'bg-blue-soft text-blue-text',
        amber: 'bg-amber-soft text-amber-text',
        violet: 'bg-violet-soft text-violet-text',
        green: 'bg-green-soft text-green-text',
        red: 'bg-red-soft text-red-text',
        orange: 'bg-orange-soft text-orange-text',
        plain: 'border text-muted',
      },
    },
    defaultVariants: { tone: 'gray' },
  },
);

export type BadgeTone = NonNullable<VariantProps<typeof badge>['tone']>;

export function Badge({ tone, className, children, title }: { tone?: BadgeTone; className?: string; children: ReactNode; title?: string }) {
  return (
    <span className={cn(badge({ tone }), className)} title={title}>
      {children}
    </span>
  );
}
