import { LoaderCircle } from 'lucide-react';
import { cn } from '../lib/cn';
import { uiText } from '../lib/ui-texts';

export function Spinner({ label = uiText('loading'), className }: { label?: string; className?: string }) {
  return (
    <span role="status" className={cn('inline-flex text-muted', className)}>
      <LoaderCircle className="size-4 animate-spin" aria-hidden />
      <span className="sr-only">{label}</span>
    </span>
  );
}
