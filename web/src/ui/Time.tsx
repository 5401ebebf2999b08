import { formatDate, formatRelative } from '../lib/dates';
import { useNow } from '../lib/now';

/** An instant: absolute, or relative with the absolute time as tooltip. */
export function Time({ iso, relative, className }: { iso: string; relative?: boolean; className?: string }) {
  const now = useNow();
  const absolute = formatDate(iso);
  return (
    <time dateTime={iso} className={className} title={relative ? absolute : undefined}>
      {relative ? formatRelative(iso, now) : absolute}
    </time>
  );
}
