import type { ReactNode } from 'react';
import { cn } from '../lib/cn';

const base =
  'inline-flex h-5 max-w-full shrink-0 items-center gap-1 rounded-sm px-1.5 text-xs font-medium whitespace-nowrap [&_svg]:size-3 [&_svg]:shrink-0';
const tones = {
  gray: 'bg-gray-soft text-muted',
  accent: 'bg-accent-soft text-accent-text',
  blue: 'bg-blue-soft text-blue-text',
  amber: 'bg-amber-soft text-amber-text',
  violet: 'bg-violet-soft text-violet-text',
  green: 'bg-green-soft text-green-text',
  red: 'bg-red-soft text-red-text',
  orange: 'bg-orange-soft text-orange-text',
  plain: 'border text-muted',
};

export type BadgeTone = keyof typeof tones;

export function Badge({
  tone = 'gray',
  className,
  children,
  title,
}: {
  tone?: BadgeTone;
  className?: string;
  children: ReactNode;
  title?: string;
}) {
  return (
    <span className={cn(base, tones[tone], className)} title={title}>
      {children}
    </span>
  );
}
