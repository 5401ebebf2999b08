import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '../lib/cn';

const looks = {
  destructive: { icon: CircleAlert, classes: 'border-red-line bg-red-soft text-red-text' },
  success: { icon: CircleCheck, classes: 'border-transparent bg-green-soft text-green-text' },
  info: { icon: Info, classes: 'border-accent-line bg-accent-soft text-accent-text' },
};

/** A message in the page flow. Screen readers announce a destructive one immediately. */
export function Alert({ tone = 'info', children, className }: { tone?: keyof typeof looks; children: ReactNode; className?: string }) {
  const { icon: Icon, classes } = looks[tone];
  return (
    <div
      role={tone === 'destructive' ? 'alert' : 'status'}
      className={cn('flex items-start gap-2 rounded-md border px-3 py-2', classes, className)}
    >
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
