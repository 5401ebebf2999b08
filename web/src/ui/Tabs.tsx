import { Tabs as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '../lib/cn';

export const Tabs = Radix.Root;

export function TabsList({ className, ...rest }: ComponentProps<typeof Radix.List>) {
  return <Radix.List className={cn('inline-flex items-center gap-0.5 rounded-md bg-hover p-0.5', className)} {...rest} />;
}

export function Tab({ className, ...rest }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      className={cn(
        'inline-flex h-7 flex-1 items-center justify-center gap-1.5 rounded-sm border border-transparent px-3 font-medium whitespace-nowrap text-muted transition-colors hover:text-ink',
        'data-[state=active]:border-line data-[state=active]:bg-surface data-[state=active]:text-ink touch:h-9',
        className,
      )}
      {...rest}
    />
  );
}

export function TabPanel({ className, ...rest }: ComponentProps<typeof Radix.Content>) {
  return <Radix.Content className={cn('rounded-md', className)} {...rest} />;
}
