import { formatDate, formatRelative } from '../lib/dates';
import { useNow } from '../lib/now';

/** An instant: absolute as the specification writes it, or relative with the absolute on hover. */
export function Time({ iso, relative, className }: { iso: string; relative?: boolean; className?: string }) {
  const now = useNow();
  const absolute = formatDate(iso);
  return (
    <time dateTime={iso} className={className} title={relative ? absolute : undefined}>
      {relative ? formatRelative(iso, now) : absolute}
    </time>
  );
}
